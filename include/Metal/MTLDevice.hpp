// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "MTLLibrary.hpp"
#include "MTLResource.hpp"
#include "MTLTypes.hpp"
#include <Foundation/NSArray.hpp>
#include <Foundation/NSCallback.hpp>
#include <Foundation/NSError.hpp>
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace NS {
class Bundle;
class URL;
} // namespace NS

namespace MTL {

class Buffer;
class CommandQueue;
class CommandQueueDescriptor;
class ComputePipelineDescriptor;
class ComputePipelineReflection;
class ComputePipelineState;
class Device;
class Event;
class Fence;
class Heap;
class HeapDescriptor;
class SharedEvent;
class SharedEventHandle;

enum GPUFamily : NS::Integer {
  GPUFamilyApple1 = 1001,
  GPUFamilyApple2 = 1002,
  GPUFamilyApple3 = 1003,
  GPUFamilyApple4 = 1004,
  GPUFamilyApple5 = 1005,
  GPUFamilyApple6 = 1006,
  GPUFamilyApple7 = 1007,
  GPUFamilyApple8 = 1008,
  GPUFamilyApple9 = 1009,
  GPUFamilyApple10 = 1010,
  GPUFamilyMac1 = 2001,
  GPUFamilyMac2 = 2002,
  GPUFamilyCommon1 = 3001,
  GPUFamilyCommon2 = 3002,
  GPUFamilyCommon3 = 3003,
  GPUFamilyMacCatalyst1 = 4001,
  GPUFamilyMacCatalyst2 = 4002,
  GPUFamilyMetal3 = 5001,
  GPUFamilyMetal4 = 5002,
};

enum DeviceLocation : NS::UInteger {
  DeviceLocationBuiltIn = 0,
  DeviceLocationSlot = 1,
  DeviceLocationExternal = 2,
  DeviceLocationUnspecified = NS::UIntegerMax,
};

using PipelineOption = NS::UInteger;
enum : NS::UInteger {
  PipelineOptionNone = 0,
  PipelineOptionArgumentInfo = 1,
  PipelineOptionBindingInfo = 1,
  PipelineOptionBufferTypeInfo = 1 << 1,
  PipelineOptionFailOnBinaryArchiveMiss = 1 << 2,
};

using AutoreleasedComputePipelineReflection = MTL::ComputePipelineReflection*;
using NewLibraryCompletionHandlerFunction =
    std::function<void(MTL::Library* library, NS::Error* error)>;
using NewComputePipelineStateCompletionHandlerFunction =
    std::function<void(MTL::ComputePipelineState* pipelineState, NS::Error* error)>;
using NewComputePipelineStateWithReflectionCompletionHandlerFunction =
    std::function<void(MTL::ComputePipelineState* pipelineState,
                       MTL::ComputePipelineReflection* reflection, NS::Error* error)>;

#ifdef __BLOCKS__
using NewLibraryCompletionHandler = void (^)(MTL::Library*, NS::Error*);
using NewComputePipelineStateCompletionHandler = void (^)(MTL::ComputePipelineState*, NS::Error*);
using NewComputePipelineStateWithReflectionCompletionHandler =
    void (^)(MTL::ComputePipelineState*, MTL::ComputePipelineReflection*, NS::Error*);
#endif

using Timestamp = std::uint64_t;

/// The first of CopyAllDevices: the CPU, unless METALLOID_DEVICE names another. The caller owns a
/// reference.
METALLOID_API Device* CreateSystemDefaultDevice();
/// All MTL::Device objects of this machine; the caller owns the array.
METALLOID_API NS::Array* CopyAllDevices();

struct SizeAndAlign {
  NS::UInteger size;
  NS::UInteger align;
} __attribute__((packed));

class METALLOID_API Architecture : public NS::Copying<Architecture> {
public:
  NS::String* name() const;
};

/// A processor that runs kernels. There is one object a device, which lives for ever. All functions
/// may be called from any thread.
class METALLOID_API Device : public NS::Referencing<Device> {
public:
  Architecture* architecture() const;
  /// Bytes of the buffers and heaps that live.
  NS::UInteger currentAllocatedSize() const;
  bool hasUnifiedMemory() const;
  SizeAndAlign heapBufferSizeAndAlign(NS::UInteger length, MTL::ResourceOptions options);
  bool isHeadless() const;
  bool isLowPower() const;
  bool isRemovable() const;
  DeviceLocation location() const;
  NS::UInteger locationNumber() const;
  NS::UInteger maxBufferLength() const;            ///< Bytes.
  NS::UInteger maxThreadgroupMemoryLength() const; ///< Bytes.
  Size maxThreadsPerThreadgroup() const;
  NS::UInteger maximumConcurrentCompilationTaskCount() const;
  NS::String* name() const;

  /// Zeroed memory of `length` bytes. Null where memory is exhausted or the options name
  /// memoryless storage.
  Buffer* newBuffer(NS::UInteger length, MTL::ResourceOptions options);
  /// A copy of `length` bytes.
  Buffer* newBuffer(const void* pointer, NS::UInteger length, MTL::ResourceOptions options);
  /// The caller's own memory, not copied, of any alignment. `deallocator` (may be empty) is called
  /// when the last user of the memory is gone. Null for private storage.
  Buffer* newBuffer(const void* pointer, NS::UInteger length, MTL::ResourceOptions options,
                    const std::function<void(void* pointer, NS::UInteger length)>& deallocator) {
    return newBufferNoCopy(pointer, length, options, NS::Private::callback(deallocator));
  }
#ifdef __BLOCKS__
  Buffer* newBuffer(const void* pointer, NS::UInteger length, MTL::ResourceOptions options,
                    void (^deallocator)(void* pointer, NS::UInteger length)) {
    return newBufferNoCopy(pointer, length, options, NS::Private::callback(deallocator));
  }
#endif

  CommandQueue* newCommandQueue();
  CommandQueue* newCommandQueue(NS::UInteger maxCommandBufferCount);
  CommandQueue* newCommandQueue(const MTL::CommandQueueDescriptor* descriptor);

  /// Compiles a function. `reflection` is written through: to an autoreleased object where
  /// `options` ask for PipelineOptionBindingInfo or PipelineOptionBufferTypeInfo, else to null.
  ComputePipelineState* newComputePipelineState(const MTL::Function* computeFunction,
                                                NS::Error** error);
  ComputePipelineState*
  newComputePipelineState(const MTL::Function* computeFunction, MTL::PipelineOption options,
                          const MTL::AutoreleasedComputePipelineReflection* reflection,
                          NS::Error** error);
  ComputePipelineState* newComputePipelineState(
      const MTL::ComputePipelineDescriptor* descriptor, MTL::PipelineOption options,
      const MTL::AutoreleasedComputePipelineReflection* reflection, NS::Error** error);
  /// These return at once. The handler is called on another thread, with an autorelease pool; it
  /// retains what it keeps.
  void newComputePipelineState(
      const MTL::Function* pFunction,
      const MTL::NewComputePipelineStateCompletionHandlerFunction& completionHandler) {
    makePipeline(pFunction, NS::Private::callback(completionHandler));
  }
  void
  newComputePipelineState(const MTL::Function* pFunction, MTL::PipelineOption options,
                          const MTL::NewComputePipelineStateWithReflectionCompletionHandlerFunction&
                              completionHandler) {
    makePipeline(pFunction, options, NS::Private::callback(completionHandler));
  }
  void
  newComputePipelineState(const MTL::ComputePipelineDescriptor* pDescriptor,
                          MTL::PipelineOption options,
                          const MTL::NewComputePipelineStateWithReflectionCompletionHandlerFunction&
                              completionHandler) {
    makePipeline(pDescriptor, options, NS::Private::callback(completionHandler));
  }
#ifdef __BLOCKS__
  void
  newComputePipelineState(const MTL::Function* computeFunction,
                          const MTL::NewComputePipelineStateCompletionHandler completionHandler) {
    makePipeline(computeFunction, NS::Private::callback(completionHandler));
  }
  void newComputePipelineState(
      const MTL::Function* computeFunction, MTL::PipelineOption options,
      const MTL::NewComputePipelineStateWithReflectionCompletionHandler completionHandler) {
    makePipeline(computeFunction, options, NS::Private::callback(completionHandler));
  }
  void newComputePipelineState(
      const MTL::ComputePipelineDescriptor* descriptor, MTL::PipelineOption options,
      const MTL::NewComputePipelineStateWithReflectionCompletionHandler completionHandler) {
    makePipeline(descriptor, options, NS::Private::callback(completionHandler));
  }
#endif

  /// default.metallib beside the executable, or null.
  Library* newDefaultLibrary();
  /// default.metallib in the bundle's folder.
  Library* newDefaultLibrary(const NS::Bundle* bundle, NS::Error** error);
  Event* newEvent();
  Fence* newFence();
  Heap* newHeap(const MTL::HeapDescriptor* descriptor);

  /// A .metallib file.
  Library* newLibrary(const NS::String* filepath, NS::Error** error);
  Library* newLibrary(const NS::URL* url, NS::Error** error);
  /// MSL source text. `options` may be null. A refused source gives LibraryErrorCompileFailure with
  /// the diagnostics as description.
  Library* newLibrary(const NS::String* source, const MTL::CompileOptions* options,
                      NS::Error** error);
  void newLibrary(const NS::String* pSource, const MTL::CompileOptions* pOptions,
                  const MTL::NewLibraryCompletionHandlerFunction& completionHandler) {
    makeLibrary(pSource, pOptions, NS::Private::callback(completionHandler));
  }
#ifdef __BLOCKS__
  void newLibrary(const NS::String* source, const MTL::CompileOptions* options,
                  const MTL::NewLibraryCompletionHandler completionHandler) {
    makeLibrary(source, options, NS::Private::callback(completionHandler));
  }
#endif

  SharedEvent* newSharedEvent();
  SharedEvent* newSharedEvent(const MTL::SharedEventHandle* sharedEventHandle);

  uint64_t recommendedMaxWorkingSetSize() const; ///< Bytes.
  /// The same number in every process of this machine.
  uint64_t registryID() const;
  /// Both in nanoseconds, on one clock.
  void sampleTimestamps(MTL::Timestamp* cpuTimestamp, MTL::Timestamp* gpuTimestamp);
  /// A family counts as supported when its compute features are.
  bool supportsFamily(MTL::GPUFamily gpuFamily);

private:
  using LibraryHandler = NS::Private::Callback<MTL::Library*, NS::Error*>;
  using PipelineHandler = NS::Private::Callback<MTL::ComputePipelineState*, NS::Error*>;
  using ReflectionHandler = NS::Private::Callback<MTL::ComputePipelineState*,
                                                  MTL::ComputePipelineReflection*, NS::Error*>;

  void makeLibrary(const NS::String* source, const MTL::CompileOptions* options,
                   LibraryHandler handler);
  void makePipeline(const MTL::Function* function, PipelineHandler handler);
  void makePipeline(const MTL::Function* function, MTL::PipelineOption options,
                    ReflectionHandler handler);
  void makePipeline(const MTL::ComputePipelineDescriptor* descriptor, MTL::PipelineOption options,
                    ReflectionHandler handler);
  Buffer* newBufferNoCopy(const void* pointer, NS::UInteger length, MTL::ResourceOptions options,
                          NS::Private::Callback<void*, NS::UInteger> deallocator);
};

} // namespace MTL
