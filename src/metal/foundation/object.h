// SPDX-License-Identifier: Apache-2.0
// What stands behind the public handles. A program's NS::Object* is the address of an Object here;
// the public classes have no members, so that only this library knows what an object looks like.
// Every object class names its public class as Handle. Single inheritance alone: the address of an
// object is the address of each of its bases.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <Foundation/NSObject.hpp>
#include <Foundation/NSSharedPtr.hpp>

namespace metalloid::metal {

class Object {
public:
  using Handle = NS::Object;

  Object() = default;
  /// A copy is an object of its own, with one reference.
  Object(const Object&) {}
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  void retain() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  uintptr_t references() const { return references_.load(std::memory_order_relaxed); }

  virtual bool isEqual(const Object& other) const { return this == &other; }
  virtual size_t hash() const { return reinterpret_cast<size_t>(this) >> 4; }
  /// The name of the class, or what the object says.
  virtual std::string description() const = 0;
  /// An object with one reference for the caller; immutable classes give themselves. Throws
  /// std::logic_error where the class has no copies.
  virtual Object* copy() const;

private:
  mutable std::atomic<uintptr_t> references_ = 1;
};

/// Immutable objects: a copy is another reference.
class ImmutableObject : public Object {
public:
  Object* copy() const override {
    retain();
    return const_cast<ImmutableObject*>(this);
  }
};

/// Descriptors: a copy is a new object with the same properties.
template <class T> class CopyableObject : public Object {
public:
  Object* copy() const override { return new T(static_cast<const T&>(*this)); }
};

inline Object* objectOf(const void* handle) {
  return static_cast<Object*>(const_cast<void*>(handle));
}

/// The object of class T behind a handle (null for null); the caller knows that it is one.
template <class T> T* as(const typename T::Handle* handle) {
  return static_cast<T*>(objectOf(handle));
}

/// The object behind a handle if it is of class T, else null.
template <class T> T* tryAs(const void* handle) {
  return handle ? dynamic_cast<T*>(objectOf(handle)) : nullptr;
}

template <class T> typename T::Handle* handleOf(const T* object) {
  return static_cast<typename T::Handle*>(
      static_cast<void*>(const_cast<Object*>(static_cast<const Object*>(object))));
}

/// A new object; the caller owns the reference.
template <class T, class... Args> typename T::Handle* make(Args&&... args) {
  return handleOf(new T(std::forward<Args>(args)...));
}

/// A new object that lives as long as the current autorelease pool.
template <class T, class... Args> typename T::Handle* makeAutoreleased(Args&&... args) {
  auto* handle = make<T>(std::forward<Args>(args)...);
  metalloid_autorelease(handle);
  return handle;
}

/// A counted reference to what a setter was given as const.
template <class H> NS::SharedPtr<H> retained(const H* handle) {
  return NS::RetainPtr(const_cast<H*>(handle));
}

/// A copy, owned: what setters of strings and dictionaries keep. Null for null.
template <class H> NS::SharedPtr<H> copied(const H* handle) {
  return handle ? NS::TransferPtr(static_cast<H*>(metalloid_copy(handle))) : nullptr;
}

} // namespace metalloid::metal
