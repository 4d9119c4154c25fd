// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "MTLDefines.hpp"
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class Device;

/// A 64-bit counter that command buffers wait for and set. It never goes back.
class METALLOID_API Event : public NS::Referencing<Event> {
public:
  Device* device() const;
  NS::String* label() const;
  void setLabel(const NS::String* label);
};

/// An event of this process: another SharedEvent made from the handle is the same counter.
class METALLOID_API SharedEventHandle : public NS::SecureCoding<SharedEventHandle> {
public:
  NS::String* label() const;
};

/// An event that the program too reads, sets and waits for.
class METALLOID_API SharedEvent : public NS::Referencing<SharedEvent, Event> {
public:
  SharedEventHandle* newSharedEventHandle();
  /// A value below the present one is ignored.
  void setSignaledValue(uint64_t signaledValue);
  uint64_t signaledValue() const;
  /// Blocks until signaledValue() is at least `value`. False when `milliseconds` passed before
  /// (UINT64_MAX: wait for ever).
  bool waitUntilSignaledValue(uint64_t value, uint64_t milliseconds);
};

} // namespace MTL
