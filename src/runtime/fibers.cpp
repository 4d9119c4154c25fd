// SPDX-License-Identifier: Apache-2.0
#include "runtime/fibers.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "runtime/arch.h"
#include "runtime/sanitizer_hooks.h"

namespace metalloid::runtime {

namespace {

size_t pageBytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

} // namespace

FiberGroup::~FiberGroup() {
  for (Fiber& fiber : fibers_) {
    munmap(fiber.stack, StackBytes);
    if (fiber.identity)
      __tsan_destroy_fiber(fiber.identity);
  }
}

Expected<void> FiberGroup::reserve(uint32_t count) {
  while (fibers_.size() < count) {
    void* stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, pageBytes(), PROT_NONE) != 0) {
      int reason = errno;
      if (stack != MAP_FAILED)
        munmap(stack, StackBytes);
      return fail(Error::Kind::OutOfMemory,
                  "fiber stack of " + std::to_string(StackBytes) +
                      " bytes: " + std::strerror(reason) +
                      "; a threadgroup needs one for each of its SIMD-groups");
    }
    Fiber& fiber = fibers_.emplace_back();
    fiber.stack = static_cast<std::byte*>(stack);
    if (__tsan_create_fiber)
      fiber.identity = __tsan_create_fiber(0);
  }
  return {};
}

bool FiberGroup::run(uint32_t count, Body body, void* context) {
  body_ = body;
  context_ = context;
  for (uint32_t i = 0; i < count; ++i) {
    // Equal frames of neighbours, a power of two apart, would fight for the same cache sets.
    size_t stagger = (i % 16) * (2048 + 192);
    Fiber& fiber = fibers_[i];
    fiber.stackPointer = arch::prepareStack(fiber.stack + StackBytes - stagger, &start, this);
    fiber.next = i + 1 == count ? 0 : i + 1;
    fiber.previous = i == 0 ? count - 1 : i - 1;
  }
  first_ = current_ = 0;
  agreed_ = true;
  enter();
  return agreed_;
}

/// From the thread's own stack to the first fiber; returns when leave() comes back.
void FiberGroup::enter() {
  running_ = true;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&thread_.fakeStack, fibers_[0].stack, StackBytes);
  if (__tsan_switch_to_fiber) {
    thread_.identity = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fibers_[0].identity, 0);
  }
  arch::metalloid_switch_stack(&thread_.stackPointer, fibers_[0].stackPointer);
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(thread_.fakeStack, nullptr, nullptr);
  running_ = false;
}

void FiberGroup::start(void* argument) {
  auto& group = *static_cast<FiberGroup*>(argument);
  if (__sanitizer_finish_switch_fiber) {
    const void* bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (group.current_ == 0) { // Came from the thread's own stack: its bounds, for the way back.
      group.thread_.stack = static_cast<std::byte*>(const_cast<void*>(bottom));
      group.threadStackBytes_ = size;
    }
  }
  group.body_(group.context_, group.current_);
  group.end();
}

/// The current fiber is done: the turn of the next, or back to the thread after the last.
void FiberGroup::end() {
  uint32_t self = current_, next = fibers_[self].next;
  if (next == self)
    leave();
  fibers_[fibers_[self].previous].next = next;
  fibers_[next].previous = fibers_[self].previous;
  if (first_ == self)
    first_ = next;
  switchTo(next);
  std::abort(); // Nobody switches back to a fiber that has ended.
}

void FiberGroup::barrier(uint32_t number) {
  if (current_ == first_)
    number_ = number;
  if (number != number_) {
    agreed_ = false;
    leave();
  }
  uint32_t next = fibers_[current_].next;
  if (next != current_)
    switchTo(next);
}

void FiberGroup::switchTo(uint32_t index) {
  Fiber& from = fibers_[current_];
  Fiber& to = fibers_[index];
  current_ = index;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&from.fakeStack, to.stack, StackBytes);
  if (__tsan_switch_to_fiber)
    __tsan_switch_to_fiber(to.identity, 0);
  arch::metalloid_switch_stack(&from.stackPointer, to.stackPointer);
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(from.fakeStack, nullptr, nullptr);
}

void FiberGroup::leave() {
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(nullptr, thread_.stack, threadStackBytes_);
  if (__tsan_switch_to_fiber)
    __tsan_switch_to_fiber(thread_.identity, 0);
  arch::metalloid_switch_stack(&fibers_[current_].stackPointer, thread_.stackPointer);
  std::abort();
}

void FiberGroup::abandon() {
  if (!running_)
    return;
  running_ = false;
  if (__sanitizer_start_switch_fiber) {
    __sanitizer_start_switch_fiber(nullptr, thread_.stack, threadStackBytes_);
    __sanitizer_finish_switch_fiber(thread_.fakeStack, nullptr, nullptr);
  }
  if (__asan_unpoison_memory_region)
    for (Fiber& fiber : fibers_)
      __asan_unpoison_memory_region(fiber.stack, StackBytes);
  if (__tsan_switch_to_fiber)
    __tsan_switch_to_fiber(thread_.identity, 0);
}

} // namespace metalloid::runtime
