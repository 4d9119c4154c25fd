// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "NSObject.hpp"

namespace NS {

/// Owns one reference to an object, or none.
template <class _Class> class SharedPtr {
  template <class _Other>
  using IfConvertible = std::enable_if_t<std::is_convertible_v<_Other*, _Class*>>;

public:
  SharedPtr() = default;
  SharedPtr(std::nullptr_t) noexcept {}
  ~SharedPtr() { metalloid_release(m_pObject); }

  SharedPtr(const SharedPtr& other) noexcept : m_pObject(other.m_pObject) {
    metalloid_retain(m_pObject);
  }
  SharedPtr(SharedPtr&& other) noexcept : m_pObject(std::exchange(other.m_pObject, nullptr)) {}
  template <class _Other, class = IfConvertible<_Other>>
  SharedPtr(const SharedPtr<_Other>& other) noexcept : m_pObject(other.get()) {
    metalloid_retain(m_pObject);
  }
  template <class _Other, class = IfConvertible<_Other>>
  SharedPtr(SharedPtr<_Other>&& other) noexcept : m_pObject(other.get()) {
    other.detach();
  }

  SharedPtr& operator=(const SharedPtr& other) {
    SharedPtr(other).swap(*this);
    return *this;
  }
  SharedPtr& operator=(SharedPtr&& other) {
    SharedPtr(std::move(other)).swap(*this);
    return *this;
  }
  template <class _Other, class = IfConvertible<_Other>>
  SharedPtr& operator=(const SharedPtr<_Other>& other) {
    SharedPtr(other).swap(*this);
    return *this;
  }
  template <class _Other, class = IfConvertible<_Other>>
  SharedPtr& operator=(SharedPtr<_Other>&& other) {
    SharedPtr(std::move(other)).swap(*this);
    return *this;
  }

  _Class* get() const { return m_pObject; }
  _Class* operator->() const { return m_pObject; }
  explicit operator bool() const { return m_pObject != nullptr; }

  /// Ends the reference and points to nothing.
  void reset() { SharedPtr().swap(*this); }
  /// Points to nothing without ending the reference.
  void detach() { m_pObject = nullptr; }

  template <class _Other> friend SharedPtr<_Other> RetainPtr(_Other* pObject);
  template <class _Other> friend SharedPtr<_Other> TransferPtr(_Other* pObject);

private:
  void swap(SharedPtr& other) noexcept { std::swap(m_pObject, other.m_pObject); }

  _Class* m_pObject = nullptr;
};

/// Takes over the caller's reference.
template <class _Class> SharedPtr<_Class> TransferPtr(_Class* pObject) {
  SharedPtr<_Class> pointer;
  pointer.m_pObject = pObject;
  return pointer;
}

/// Adds a reference of its own.
template <class _Class> SharedPtr<_Class> RetainPtr(_Class* pObject) {
  metalloid_retain(pObject);
  return TransferPtr(pObject);
}

template <class _Left, class _Right>
bool operator==(const SharedPtr<_Left>& left, const SharedPtr<_Right>& right) {
  return left.get() == right.get();
}

template <class _Left, class _Right>
bool operator!=(const SharedPtr<_Left>& left, const SharedPtr<_Right>& right) {
  return left.get() != right.get();
}

} // namespace NS

// Constrained, so that a program may still bring the plain specialisation that older versions of
// metal-cpp left to it.
#if defined(__cpp_concepts) && __cpp_concepts >= 201907L
template <class _Class>
  requires true
struct std::hash<NS::SharedPtr<_Class>> {
  std::size_t operator()(const NS::SharedPtr<_Class>& pointer) const noexcept {
    return std::hash<_Class*>()(pointer.get());
  }
};
#endif
