// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "MTLDefines.hpp"
#include <Foundation/NSCallback.hpp>
#include <Foundation/NSError.hpp>
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class BlitCommandEncoder;
class CommandBuffer;
class CommandQueue;
class ComputeCommandEncoder;
class ComputePassDescriptor;
class Device;
class Event;

enum CommandBufferStatus : NS::UInteger {
  CommandBufferStatusNotEnqueued = 0,
  CommandBufferStatusEnqueued = 1,
  CommandBufferStatusCommitted = 2,
  CommandBufferStatusScheduled = 3,
  CommandBufferStatusCompleted = 4,
  CommandBufferStatusError = 5,
};

/// Codes of errors in the domain "MTLCommandBufferErrorDomain".
enum CommandBufferError : NS::UInteger {
  CommandBufferErrorNone = 0,
  CommandBufferErrorInternal = 1,
  CommandBufferErrorTimeout = 2,
  CommandBufferErrorPageFault = 3,
  CommandBufferErrorBlacklisted = 4,
  CommandBufferErrorAccessRevoked = 4,
  CommandBufferErrorNotPermitted = 7,
  CommandBufferErrorOutOfMemory = 8,
  CommandBufferErrorInvalidResource = 9,
  CommandBufferErrorMemoryless = 10,
  CommandBufferErrorDeviceRemoved = 11,
  CommandBufferErrorStackOverflow = 12,
};

enum DispatchType : NS::UInteger {
  DispatchTypeSerial = 0,
  DispatchTypeConcurrent = 1,
};

using CommandBufferErrorOption = NS::UInteger;
enum : NS::UInteger {
  CommandBufferErrorOptionNone = 0,
  CommandBufferErrorOptionEncoderExecutionStatus = 1,
};

#ifdef __BLOCKS__
using CommandBufferHandler = void (^)(CommandBuffer*);
#endif

using HandlerFunction = std::function<void(CommandBuffer*)>;

class METALLOID_API CommandBufferDescriptor : public NS::Copying<CommandBufferDescriptor> {
public:
  static CommandBufferDescriptor* alloc();
  CommandBufferErrorOption errorOptions() const;
  CommandBufferDescriptor* init();
  bool retainedReferences() const;
  /// Errors always name the encoder and the call; the option is only kept.
  void setErrorOptions(MTL::CommandBufferErrorOption errorOptions);
  void setRetainedReferences(bool retainedReferences);
};

/// Work that is encoded once, committed once and then runs as a whole.
///
/// A call that encodes something impossible (an unbound buffer, a threadgroup over the limit, …)
/// makes the whole command buffer fail: once committed nothing of it runs, encoded signals are not
/// given, status() becomes CommandBufferStatusError and error() names the first such call.
///
/// Memory, pipelines and events that were encoded live until the command buffer completed, with
/// retained references or without. A command buffer that is released without a commit is dropped.
/// Misuse for which Metal has no error (a second commit, a second open encoder, encoding after
/// commit) throws std::logic_error.
class METALLOID_API CommandBuffer : public NS::Referencing<CommandBuffer> {
public:
  /// When work began and ended on the device, seconds; 0 before completion.
  CFTimeInterval GPUEndTime() const;
  CFTimeInterval GPUStartTime() const;

  /// Handlers are called in the order of the queue and of adding, on a thread of the library with
  /// an autorelease pool, while no lock is held: they may commit and wait. Each is destroyed after
  /// its call, or with a command buffer that was never committed.
  void addCompletedHandler(const MTL::HandlerFunction& function) {
    addHandler(true, NS::Private::callback(function));
  }
  void addScheduledHandler(const MTL::HandlerFunction& function) {
    addHandler(false, NS::Private::callback(function));
  }
#ifdef __BLOCKS__
  void addCompletedHandler(const MTL::CommandBufferHandler block) {
    addHandler(true, NS::Private::callback(block));
  }
  void addScheduledHandler(const MTL::CommandBufferHandler block) {
    addHandler(false, NS::Private::callback(block));
  }
#endif

  BlitCommandEncoder* blitCommandEncoder();
  CommandQueue* commandQueue() const;
  /// Ends encoding and hands the work to the queue; returns at once.
  void commit();
  ComputeCommandEncoder*
  computeCommandEncoder(const MTL::ComputePassDescriptor* computePassDescriptor);
  ComputeCommandEncoder* computeCommandEncoder();
  /// With DispatchTypeConcurrent, dispatches are ordered by barriers, fences and events alone.
  ComputeCommandEncoder* computeCommandEncoder(MTL::DispatchType dispatchType);
  Device* device() const;
  /// Between encoders: sets the event once everything encoded before is done.
  void encodeSignalEvent(const MTL::Event* event, uint64_t value);
  /// Between encoders: what is encoded after starts once the event reached the value.
  void encodeWait(const MTL::Event* event, uint64_t value);
  /// Takes the command buffer's place in the queue before it is committed.
  void enqueue();
  /// Null unless status() is CommandBufferStatusError.
  NS::Error* error() const;
  CommandBufferErrorOption errorOptions() const;
  /// When the host prepared the work, seconds; here the same as the GPU's times.
  CFTimeInterval kernelEndTime() const;
  CFTimeInterval kernelStartTime() const;
  NS::String* label() const;
  void popDebugGroup();
  void pushDebugGroup(const NS::String* string);
  bool retainedReferences() const;
  void setLabel(const NS::String* label);
  CommandBufferStatus status() const;
  /// Returns after the work is done and all its handlers were called.
  void waitUntilCompleted();
  void waitUntilScheduled();

private:
  void addHandler(bool completed, NS::Private::Callback<CommandBuffer*> handler);
};

} // namespace MTL
