// SPDX-License-Identifier: Apache-2.0
// The stack of references that autorelease() handed over on this thread. It hangs on a plain
// thread_local pointer and ends with a pthread key, because C++ destroys thread_local objects
// before their destructors stop using pools.
#include <cstdio>
#include <vector>

#include <pthread.h>

#include <Foundation/NSAutoreleasePool.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {
namespace {

class PoolObject;

struct Entry {
  const Object* object; ///< Null where a pool begins.
  PoolObject* pool;
};

using PoolStack = std::vector<Entry>;

thread_local PoolStack* current = nullptr;

class PoolObject final : public Object {
public:
  using Handle = NS::AutoreleasePool;
  ~PoolObject() override { drain(); }
  std::string description() const override { return "NSAutoreleasePool"; }

  void open();
  void drain();
  void forget() { stack_ = nullptr; }

private:
  PoolStack* stack_ = nullptr; ///< The stack on which the pool is open.
};

/// Ends references down to `size` entries. What that destroys may autorelease again.
void unwind(PoolStack& stack, size_t size) {
  while (stack.size() > size) {
    const Entry top = stack.back();
    stack.pop_back();
    if (top.object)
      top.object->release();
    else
      top.pool->forget();
  }
}

/// At the end of a thread. Destructors that run later may start another stack, which ends here too.
void endStack(void* stack) {
  auto* entries = static_cast<PoolStack*>(stack);
  current = entries;
  unwind(*entries, 0);
  current = nullptr;
  delete entries;
}

PoolStack& stackOfThread() {
  static const pthread_key_t key = [] {
    pthread_key_t created;
    pthread_key_create(&created, endStack);
    return created;
  }();
  if (!current) {
    current = new PoolStack;
    pthread_setspecific(key, current);
  }
  return *current;
}

void PoolObject::open() {
  stack_ = &stackOfThread();
  stack_->push_back({nullptr, this});
}

void PoolObject::drain() {
  if (!stack_ || stack_ != current)
    return; // Not open, or on another thread, which empties it when it ends.
  size_t begin = stack_->size();
  while (begin > 0 && stack_->at(begin - 1).pool != this)
    --begin;
  if (begin > 0)
    unwind(*stack_, begin - 1);
  stack_ = nullptr;
}

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;

void metalloid_autorelease(const void* object) {
  if (object)
    stackOfThread().push_back({objectOf(object), nullptr});
}

namespace NS {

AutoreleasePool* AutoreleasePool::alloc() {
  return make<PoolObject>();
}

AutoreleasePool* AutoreleasePool::init() {
  as<PoolObject>(this)->open();
  return this;
}

void AutoreleasePool::drain() {
  metalloid_release(this);
}

void AutoreleasePool::addObject(Object* pObject) {
  metalloid_autorelease(pObject);
}

void AutoreleasePool::showPools() {
  for (const Entry& entry : stackOfThread()) {
    if (entry.object)
      std::fprintf(stderr, "  %p %s\n", static_cast<const void*>(entry.object),
                   entry.object->description().c_str());
    else
      std::fprintf(stderr, "pool %p\n", static_cast<void*>(entry.pool));
  }
}

} // namespace NS
