// SPDX-License-Identifier: Apache-2.0
// The root of all classes. Objects live in the library; a program holds pointers to classes that
// have neither data nor virtual functions, so nothing of their layout is compiled into it.
#pragma once

#include "NSDefines.hpp"
#include "NSObjCRuntime.hpp"
#include "NSTypes.hpp"

extern "C" {
METALLOID_API void metalloid_retain(const void* object);
METALLOID_API void metalloid_release(const void* object);
METALLOID_API void metalloid_autorelease(const void* object);
METALLOID_API NS::UInteger metalloid_retain_count(const void* object);
METALLOID_API void* metalloid_copy(const void* object);
}

namespace NS {

namespace Private {
struct Root {};
} // namespace Private

/// Reference counting. Whoever got an object from a function named new…, alloc, copy, CopyAll… or
/// Create… owns a reference and ends it with release(); what other functions return lives at least
/// as long as the current autorelease pool or the object asked. All of these accept null.
template <class _Class, class _Base = class Object> class Referencing : public _Base {
public:
  _Class* retain() {
    metalloid_retain(this);
    return static_cast<_Class*>(this);
  }
  void release() { metalloid_release(this); }
  /// Hands the caller's reference to the innermost AutoreleasePool of this thread (to the end of
  /// the thread where there is none).
  _Class* autorelease() {
    metalloid_autorelease(this);
    return static_cast<_Class*>(this);
  }
  UInteger retainCount() const { return metalloid_retain_count(this); }
};

/// Classes whose objects can be copied; the copy belongs to the caller.
template <class _Class, class _Base = class Object>
class Copying : public Referencing<_Class, _Base> {
public:
  _Class* copy() const { return static_cast<_Class*>(metalloid_copy(this)); }
};

template <class _Class, class _Base = class Object>
class SecureCoding : public Referencing<_Class, _Base> {};

class METALLOID_API Object : public Referencing<Object, Private::Root> {
public:
  UInteger hash() const;
  bool isEqual(const Object* pObject) const;
  class String* description() const;
  class String* debugDescription() const;

private:
  // Only the library makes and destroys objects.
  Object() = delete;
  Object(const Object&) = delete;
  ~Object() = delete;
  Object& operator=(const Object&) = delete;
};

} // namespace NS
