// SPDX-License-Identifier: Apache-2.0
// The program metalloid-compiler: LLVM and Clang in a process of their own. The library starts it
// with one end of a socket pair; people run it only to ask for its version.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compiler/requests.h"
#include "compiler/server.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"

using namespace metalloid;

namespace {

enum ExitCode { Success = 0, Usage = 64, NoSocket = 66 };

/// Files opened later must not become standard input, output or error.
void openStandardFiles() {
  int descriptor;
  do
    descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0)
    close(descriptor);
}

void initialiseTargets() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
}

int serveSocket(std::string_view number) {
  int socket = -1;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), socket);
  int type = 0;
  socklen_t length = sizeof type;
  if (error != std::errc() || end != number.data() + number.size() ||
      getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_STREAM) {
    std::fprintf(stderr, "metalloid-compiler: --serve needs the number of a stream socket\n");
    return NoSocket;
  }
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none); // Damaged input ends this program as a matter of course.
  llvm::install_fatal_error_handler(
      [](void*, const char* reason, bool) { compiler::endWith(compiler::Status::Fatal, reason); });
  llvm::install_bad_alloc_error_handler([](void*, const char* reason, bool) {
    compiler::endWith(compiler::Status::OutOfMemory, reason);
  });
  initialiseTargets();
  return compiler::serve(socket, compiler::handleRequest);
}

} // namespace

int main(int argc, char** argv) {
  openStandardFiles();
  std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--version") {
    std::printf("metalloid-compiler %s (protocol %u, launch interface %u, LLVM %s)\n",
                METALLOID_VERSION, compiler::ProtocolVersion, cpu::LaunchVersion,
                LLVM_VERSION_STRING);
    return Success;
  }
  if (option == "--serve" && argc == 3)
    return serveSocket(argv[2]);
  std::fprintf(stderr, "metalloid-compiler compiles kernels for the metalloid library, which "
                       "starts it by itself.\nusage: metalloid-compiler --version\n");
  return Usage;
}
