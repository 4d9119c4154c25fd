// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu_memory.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <sys/mman.h>

namespace metalloid::runtime {

namespace {

constexpr uint64_t Alignment = 64;
constexpr uint64_t MappedFrom = 256 << 10;  ///< Bytes from which memory is mapped by itself.
constexpr uint64_t HugePagesFrom = 4 << 20; ///< Bytes from which huge pages pay.

class CpuMemory : public Memory {
public:
  CpuMemory(void* pointer, uint64_t length, bool visible, std::function<void()> release)
      : pointer_(pointer), length_(length), visible_(visible), release_(std::move(release)) {}
  CpuMemory(const CpuMemory&) = delete;
  CpuMemory& operator=(const CpuMemory&) = delete;
  ~CpuMemory() override {
    if (release_)
      release_();
  }

  void* contents() const override { return visible_ ? pointer_ : nullptr; }
  uint64_t length() const override { return length_; }
  uint64_t deviceAddress() const override { return reinterpret_cast<uint64_t>(pointer_); }

private:
  void* pointer_;
  uint64_t length_;
  bool visible_;
  std::function<void()> release_;
};

void* mapZeroed(uint64_t bytes) {
  void* pointer = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pointer == MAP_FAILED)
    return nullptr;
  if (bytes >= HugePagesFrom)
    madvise(pointer, bytes, MADV_HUGEPAGE); // Advice: where it fails, pages stay small.
  return pointer;
}

} // namespace

Expected<std::shared_ptr<Memory>> allocateCpuMemory(uint64_t length, StorageMode mode) {
  bool visible = mode != StorageMode::Private;
  auto noMemory = [&] {
    return fail(Error::Kind::OutOfMemory,
                fmt::format("newBuffer: the system has no {} bytes of memory left", length));
  };
  // Room for the last vector of a load that reaches past the end, and an address for length 0.
  if (length > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) - 2 * Alignment)
    return noMemory();
  uint64_t bytes = (length + 2 * Alignment - 1) / Alignment * Alignment;
  bool mapped = bytes >= MappedFrom;
  void* pointer = mapped ? mapZeroed(bytes) : std::aligned_alloc(Alignment, bytes);
  if (!pointer)
    return noMemory();
  if (mapped)
    return std::make_shared<CpuMemory>(pointer, length, visible, [=] { munmap(pointer, bytes); });
  std::memset(pointer, 0, bytes);
  return std::make_shared<CpuMemory>(pointer, length, visible, [=] { std::free(pointer); });
}

std::shared_ptr<Memory> wrapCpuMemory(void* pointer, uint64_t length,
                                      std::function<void()> release) {
  return std::make_shared<CpuMemory>(pointer, length, /*visible=*/true, std::move(release));
}

} // namespace metalloid::runtime
