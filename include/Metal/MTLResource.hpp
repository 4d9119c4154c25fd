// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLAllocation.hpp"
#include <Foundation/NSString.hpp>

namespace MTL {

class Device;
class Heap;

enum PurgeableState : NS::UInteger {
  PurgeableStateKeepCurrent = 1,
  PurgeableStateNonVolatile = 2,
  PurgeableStateVolatile = 3,
  PurgeableStateEmpty = 4,
};

enum CPUCacheMode : NS::UInteger {
  CPUCacheModeDefaultCache = 0,
  CPUCacheModeWriteCombined = 1,
};

enum StorageMode : NS::UInteger {
  StorageModeShared = 0,
  StorageModeManaged = 1,
  StorageModePrivate = 2,
  StorageModeMemoryless = 3,
};

enum HazardTrackingMode : NS::UInteger {
  HazardTrackingModeDefault = 0,
  HazardTrackingModeUntracked = 1,
  HazardTrackingModeTracked = 2,
};

/// A StorageMode shifted left by 4, a CPUCacheMode and a HazardTrackingMode shifted left by 8.
using ResourceOptions = NS::UInteger;
enum : NS::UInteger {
  ResourceCPUCacheModeDefaultCache = 0,
  ResourceCPUCacheModeWriteCombined = 1,
  ResourceStorageModeShared = 0,
  ResourceStorageModeManaged = 1 << 4,
  ResourceStorageModePrivate = 1 << 5,
  ResourceStorageModeMemoryless = 1 << 5,
  ResourceHazardTrackingModeDefault = 0,
  ResourceHazardTrackingModeUntracked = 1 << 8,
  ResourceHazardTrackingModeTracked = 1 << 9,
  ResourceOptionCPUCacheModeDefault = 0,
  ResourceOptionCPUCacheModeWriteCombined = 1,
};

class METALLOID_API Resource : public NS::Referencing<Resource, Allocation> {
public:
  NS::UInteger allocatedSize() const;
  CPUCacheMode cpuCacheMode() const;
  Device* device() const;
  HazardTrackingMode hazardTrackingMode() const;
  /// Null for a resource made by the device itself.
  Heap* heap() const;
  NS::String* label() const;
  ResourceOptions resourceOptions() const;
  void setLabel(const NS::String* label);
  /// Memory is never purged: only KeepCurrent and NonVolatile have an effect like Apple's, the
  /// others keep the contents too. Returns PurgeableStateNonVolatile.
  PurgeableState setPurgeableState(MTL::PurgeableState state);
  StorageMode storageMode() const;
};

} // namespace MTL
