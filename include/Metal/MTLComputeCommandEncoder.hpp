// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "MTLCommandBuffer.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLTypes.hpp"
#include <Foundation/NSRange.hpp>

namespace MTL {

class Buffer;
class ComputePipelineState;
class Fence;
class Heap;
class Resource;

/// What the indirect buffer of dispatchThreadgroups holds.
struct DispatchThreadgroupsIndirectArguments {
  uint32_t threadgroupsPerGrid[3];
} __attribute__((packed));

/// Encodes dispatches. Arguments stay bound from one dispatch to the next.
///
/// Every dispatch is checked when it is encoded: all buffers that the kernel uses are bound and as
/// long as its references need, the threadgroup is within the pipeline's limit and its memory
/// within 32 KiB. What fails the check fails the command buffer (see CommandBuffer).
class METALLOID_API ComputeCommandEncoder
    : public NS::Referencing<ComputeCommandEncoder, CommandEncoder> {
public:
  /// A grid with an extent of 0 does nothing.
  void dispatchThreadgroups(MTL::Size threadgroupsPerGrid, MTL::Size threadsPerThreadgroup);
  /// The grid is read from the buffer when the dispatch runs: DispatchThreadgroupsIndirectArguments
  /// at the offset, which is a multiple of 4.
  void dispatchThreadgroups(const MTL::Buffer* indirectBuffer, NS::UInteger indirectBufferOffset,
                            MTL::Size threadsPerThreadgroup);
  /// Any number of threads; threadgroups at the grid's edge are smaller.
  void dispatchThreads(MTL::Size threadsPerGrid, MTL::Size threadsPerThreadgroup);
  DispatchType dispatchType() const;
  void memoryBarrier(MTL::BarrierScope scope);
  void memoryBarrier(const MTL::Resource* const resources[], NS::UInteger count);
  /// `index` is below 31. Null unbinds.
  void setBuffer(const MTL::Buffer* buffer, NS::UInteger offset, NS::UInteger index);
  /// Another offset into the buffer that is bound.
  void setBufferOffset(NS::UInteger offset, NS::UInteger index);
  void setBuffers(const MTL::Buffer* const buffers[], const NS::UInteger offsets[],
                  NS::Range range);
  /// Copies the bytes now. At most 4096 on Apple's devices; more is accepted here.
  void setBytes(const void* bytes, NS::UInteger length, NS::UInteger index);
  void setComputePipelineState(const MTL::ComputePipelineState* state);
  /// Bytes for the [[threadgroup(index)]] argument; a multiple of 16.
  void setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index);
  void updateFence(const MTL::Fence* fence);
  void useHeap(const MTL::Heap* heap);
  void useHeaps(const MTL::Heap* const heaps[], NS::UInteger count);
  /// Keeps a resource that kernels reach through addresses alive until the command buffer
  /// completed.
  void useResource(const MTL::Resource* resource, MTL::ResourceUsage usage);
  void useResources(const MTL::Resource* const resources[], NS::UInteger count,
                    MTL::ResourceUsage usage);
  void waitForFence(const MTL::Fence* fence);
};

} // namespace MTL
