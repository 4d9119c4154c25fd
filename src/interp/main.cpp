// SPDX-License-Identifier: Apache-2.0
// metalloid-interp JOB.json: runs one dispatch in the interpreter, for tests and the command line.
//
//   {"module": FILE,                        bitcode or .metallib; other keys in the same object:
//    "kernel": NAME,
//    "lowered": false,                      true: run what back ends get (air::prepare)
//    "constants": [{"index": 3, "name": "x", "bits": [1]}],
//    "threads": [n, 1, 1], "threadsPerThreadgroup": [256, 1, 1],
//    "buffers": [{"index": 0, "file": FILE, "offset": 0, "length": 4096}],
//    "threadgroupLengths": [{"index": 0, "length": 1024}],
//    "steps": 4294967296}
//
// Buffer files (a path, or /proc/PID/fd/N of a memfd) are mapped shared: what the kernel writes is
// there for the caller. Exit status 0, or 1 with the reason on standard error.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/machine.h"
#include "metallib/archive.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace metalloid;

namespace {

struct Constant {
  int64_t index = -1;
  std::string name;
  std::vector<uint64_t> bits;
};
struct Buffer {
  uint32_t index = 0;
  std::string file;
  uint64_t offset = 0;
  uint64_t length = 0;
};
struct ThreadgroupLength {
  uint32_t index = 0;
  uint32_t length = 0;
};
struct Job {
  std::string module;
  std::string kernel;
  bool lowered = false;
  std::vector<Constant> constants;
  std::vector<uint32_t> threads;
  std::vector<uint32_t> threadsPerThreadgroup;
  std::vector<Buffer> buffers;
  std::vector<ThreadgroupLength> threadgroupLengths;
  uint64_t steps = interp::Dispatch().steps;
};

bool fromJSON(const json::Value& value, Constant& constant, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.mapOptional("index", constant.index) &&
         map.mapOptional("name", constant.name) && map.map("bits", constant.bits);
}
bool fromJSON(const json::Value& value, Buffer& buffer, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("index", buffer.index) && map.map("file", buffer.file) &&
         map.mapOptional("offset", buffer.offset) && map.map("length", buffer.length);
}
bool fromJSON(const json::Value& value, ThreadgroupLength& length, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("index", length.index) && map.map("length", length.length);
}
bool fromJSON(const json::Value& value, Job& job, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("module", job.module) && map.map("kernel", job.kernel) &&
         map.mapOptional("lowered", job.lowered) && map.mapOptional("constants", job.constants) &&
         map.map("threads", job.threads) &&
         map.map("threadsPerThreadgroup", job.threadsPerThreadgroup) &&
         map.mapOptional("buffers", job.buffers) &&
         map.mapOptional("threadgroupLengths", job.threadgroupLengths) &&
         map.mapOptional("steps", job.steps);
}

/// A part of a file, mapped shared and writable.
class MappedFile {
public:
  static llvm::Expected<MappedFile> open(const Buffer& buffer) {
    auto fail = [&](const Twine& what) {
      return createStringError("interp: buffer " + Twine(buffer.index) + ", file " + buffer.file +
                               ": " + what);
    };
    int file = ::open(buffer.file.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
      return fail("cannot be opened for writing");
    struct stat status{};
    bool isLongEnough = fstat(file, &status) == 0 &&
                        buffer.offset <= static_cast<uint64_t>(status.st_size) &&
                        buffer.length <= static_cast<uint64_t>(status.st_size) - buffer.offset;
    void* base = isLongEnough && buffer.offset + buffer.length > 0
                     ? mmap(nullptr, buffer.offset + buffer.length, PROT_READ | PROT_WRITE,
                            MAP_SHARED, file, 0)
                     : MAP_FAILED;
    close(file);
    if (!isLongEnough)
      return fail("is shorter than " + Twine(buffer.offset) + " + " + Twine(buffer.length) +
                  " bytes");
    MappedFile mapped;
    if (base == MAP_FAILED)
      return buffer.length == 0 ? llvm::Expected<MappedFile>(std::move(mapped))
                                : fail("cannot be mapped");
    mapped.bytes_ = {static_cast<std::byte*>(base) + buffer.offset, buffer.length};
    return mapped;
  }
  /// Stays mapped until the program ends, soon after.
  std::span<std::byte> bytes() const { return bytes_; }

private:
  std::span<std::byte> bytes_;
};

/// The bitcode that the job names, in `file`.
llvm::Expected<ByteView> bitcodeOf(const MemoryBuffer& file, const std::string& kernel) {
  ByteView bytes = asBytes(std::string_view(file.getBuffer().data(), file.getBufferSize()));
  if (!file.getBuffer().starts_with("MTLB"))
    return bytes;
  auto archive = metallib::Archive::parse(bytes);
  if (!archive)
    return createStringError(archive.error().message);
  const metallib::Function* function = archive->find(kernel);
  if (!function)
    return createStringError("interp: the archive has no kernel \"" + kernel + "\"");
  return function->bitcode;
}

llvm::Error runJob(const Job& job) {
  auto file = errorOrToExpected(MemoryBuffer::getFile(job.module));
  if (!file)
    return file.takeError();
  auto bitcode = bitcodeOf(**file, job.kernel);
  if (!bitcode)
    return bitcode.takeError();
  std::vector<air::ConstantValue> constants;
  for (const Constant& constant : job.constants)
    constants.push_back({.index = static_cast<int32_t>(constant.index),
                         .name = constant.name,
                         .typeName = {},
                         .bits = constant.bits});
  LLVMContext context;
  auto prepare = job.lowered ? air::prepare : air::prepareUnlowered;
  auto kernel = prepare(context, *bitcode, job.kernel, constants);
  if (!kernel)
    return kernel.takeError();

  interp::Dispatch dispatch;
  if (job.threads.size() != 3 || job.threadsPerThreadgroup.size() != 3)
    return createStringError("interp: threads and threadsPerThreadgroup take three numbers");
  for (unsigned axis = 0; axis < 3; ++axis) {
    dispatch.threads[axis] = job.threads[axis];
    dispatch.threadsPerThreadgroup[axis] = job.threadsPerThreadgroup[axis];
  }
  for (const Buffer& buffer : job.buffers) {
    auto mapped = MappedFile::open(buffer);
    if (!mapped)
      return mapped.takeError();
    dispatch.buffers[buffer.index] = mapped->bytes();
  }
  for (const ThreadgroupLength& length : job.threadgroupLengths)
    dispatch.threadgroupLengths[length.index] = length.length;
  dispatch.steps = job.steps;
  return interp::run(*kernel, dispatch);
}

llvm::Error runFile(const char* path) {
  auto text = errorOrToExpected(MemoryBuffer::getFileOrSTDIN(path));
  if (!text)
    return text.takeError();
  auto value = json::parse((*text)->getBuffer());
  if (!value)
    return value.takeError();
  Job job;
  json::Path::Root root("job");
  if (!fromJSON(*value, job, root))
    return root.getError();
  return runJob(job);
}

} // namespace

int main(int count, char** words) {
  if (count != 2) {
    errs() << "usage: metalloid-interp JOB.json\n";
    return 2;
  }
  if (llvm::Error error = runFile(words[1])) {
    errs() << "metalloid-interp: " << toString(std::move(error)) << "\n";
    return 1;
  }
}
