// SPDX-License-Identifier: Apache-2.0
// A compiler that does what its request says, to see how the library takes it: the real server with
// a handler that crashes, hangs and runs out of memory on demand.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "compiler/server.h"

using namespace metalloid;

namespace {

compiler::Answer answer(compiler::Status status, std::string_view text) {
  ByteView bytes = asBytes(text);
  return {status, Bytes(bytes.begin(), bytes.end())};
}

compiler::Answer handle(compiler::Operation, ByteView payload, compiler::Progress progress) {
  std::string wish(asText(payload));
  progress("doing as told");
  if (wish == "refuse")
    return answer(compiler::Status::Refused, "a.metal:1:1: error: no");
  if (wish == "crash")
    *reinterpret_cast<volatile int*>(8) = 1;
  if (wish == "abort")
    std::abort();
  if (wish == "hang")
    std::this_thread::sleep_for(std::chrono::hours(1));
  if (wish == "fatal")
    compiler::endWith(compiler::Status::Fatal, "cannot select");
  if (wish == "allocate")
    for (std::vector<std::string> held;;)
      held.emplace_back(16 << 20, 'x');
  if (wish == "pid")
    return answer(compiler::Status::Ok, std::to_string(getpid()));
  if (wish == "slowly") {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return answer(compiler::Status::Ok, std::to_string(getpid()));
  }
  return answer(compiler::Status::Ok, wish);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], "--serve") != 0)
    return 2;
  return compiler::serve(std::atoi(argv[2]), handle);
}
