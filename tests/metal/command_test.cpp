// SPDX-License-Identifier: Apache-2.0
// Command buffers, encoders, handlers, events: what runs when, and what fails how.
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "metal_fixture.h"

namespace metalloid::fake {
namespace {

using namespace std::chrono_literals;

using Commands = MetalTest;
using Validation = MetalTest;
using Handlers = MetalTest;
using Events = MetalTest;
using Lifetime = MetalTest;
using Misuse = MetalTest;

float* floatsOf(const NS::SharedPtr<MTL::Buffer>& buffer) {
  return static_cast<float*>(buffer->contents());
}

TEST_F(Commands, RunADispatch) {
  auto a = floats({1, 2, 3}), b = floats({10, 20, 30}), c = floats({0, 0, 0});
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  EXPECT_EQ(buffer->status(), MTL::CommandBufferStatusNotEnqueued);
  encodeAdd(buffer, a.get(), b.get(), c.get(), 3);
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(buffer->status(), MTL::CommandBufferStatusCompleted);
  EXPECT_EQ(buffer->error(), nullptr);
  EXPECT_EQ(floatsOf(c)[2], 33);
  EXPECT_GT(buffer->GPUStartTime(), 0);
  EXPECT_GE(buffer->GPUEndTime(), buffer->GPUStartTime());
}

TEST_F(Commands, OffsetsBytesAndGapsInIndices) {
  auto a = floats({1, 2, 3, 4}), c = floats({0, 0, 0});
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
  encoder->setComputePipelineState(add.get());
  encoder->setBuffer(a.get(), 0, 20); // Of no concern to the kernel.
  encoder->setBuffer(a.get(), 0, 0);
  encoder->setBufferOffset(8, 0);
  float bytes[] = {100, 200};
  encoder->setBytes(bytes, sizeof bytes, 1);
  bytes[0] = 0; // Copied already.
  const MTL::Buffer* buffers[] = {c.get()};
  const NS::UInteger offsets[] = {4};
  encoder->setBuffers(buffers, offsets, NS::Range(2, 1));
  encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(2, 1, 1));
  encoder->endEncoding();
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(message(buffer->error()), "");
  EXPECT_EQ(floatsOf(c)[0], 0);
  EXPECT_EQ(floatsOf(c)[1], 103);
  EXPECT_EQ(floatsOf(c)[2], 204);
}

TEST_F(Commands, AGridFromABufferIsReadWhenTheDispatchRuns) {
  auto a = floats({1, 1, 1, 1}), c = floats({0, 0, 0, 0});
  const uint32_t groups[] = {0, 0, 0, 2, 1, 1};
  auto counts = NS::TransferPtr(device->newBuffer(sizeof groups, 0));
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
  encoder->setComputePipelineState(add.get());
  encoder->setBuffer(a.get(), 0, 0);
  encoder->setBuffer(a.get(), 0, 1);
  encoder->setBuffer(c.get(), 0, 2);
  encoder->dispatchThreadgroups(counts.get(), 12, MTL::Size(2, 1, 1));
  encoder->endEncoding();
  std::memcpy(counts->contents(), groups, sizeof groups);
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(floatsOf(c)[3], 2);
}

TEST_F(Commands, AGridOfNothingDoesNothing) {
  auto a = floats({1}), c = floats({5});
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  encodeAdd(buffer, a.get(), a.get(), c.get(), 0);
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(buffer->status(), MTL::CommandBufferStatusCompleted);
  EXPECT_EQ(floatsOf(c)[0], 5);
}

TEST_F(Commands, CopiesAndFills) {
  auto a = floats({1, 2, 3, 4}), b = floats({0, 0, 0, 0});
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  MTL::BlitCommandEncoder* blit = buffer->blitCommandEncoder();
  blit->copyFromBuffer(a.get(), 4, b.get(), 0, 12);
  blit->copyFromBuffer(b.get(), 0, b.get(), 4, 8); // Overlapping.
  blit->fillBuffer(b.get(), NS::Range(12, 4), 0);
  blit->synchronizeResource(b.get());
  blit->endEncoding();
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(message(buffer->error()), "");
  const float expected[] = {2, 2, 3, 0};
  EXPECT_EQ(std::memcmp(b->contents(), expected, sizeof expected), 0);
}

TEST_F(Commands, EnqueueHoldsAPlaceInTheOrder) {
  std::vector<int> order;
  std::mutex mutex;
  auto note = [&](int number) {
    return [&, number](MTL::CommandBuffer*) {
      std::lock_guard lock(mutex);
      order.push_back(number);
    };
  };
  MTL::CommandBuffer* first = queue->commandBuffer();
  MTL::CommandBuffer* second = queue->commandBuffer();
  first->addCompletedHandler(note(1));
  second->addCompletedHandler(note(2));
  first->enqueue();
  EXPECT_EQ(first->status(), MTL::CommandBufferStatusEnqueued);
  second->commit();
  std::this_thread::sleep_for(10ms);
  EXPECT_LT(second->status(), MTL::CommandBufferStatusCompleted);
  first->commit();
  second->waitUntilCompleted();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(Commands, ADroppedPlaceHoldsUpNobody) {
  MTL::CommandBuffer* second = queue->commandBuffer();
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    queue->commandBuffer()->enqueue();
    second->commit();
  }
  second->waitUntilCompleted();
  EXPECT_EQ(second->status(), MTL::CommandBufferStatusCompleted);
}

TEST_F(Validation, AnUnboundBufferFailsTheCommandBuffer) {
  auto a = floats({1}), c = floats({5});
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  encodeAdd(buffer, a.get(), a.get(), c.get(), 1);
  encodeAdd(buffer, a.get(), nullptr, c.get(), 1);
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(buffer->status(), MTL::CommandBufferStatusError);
  EXPECT_EQ(message(buffer->error()),
            "dispatchThreads: kernel \"add\" reads buffer 1, which is not bound");
  EXPECT_STREQ(buffer->error()->domain()->utf8String(), "MTLCommandBufferErrorDomain");
  EXPECT_EQ(buffer->error()->code(), NS::Integer(MTL::CommandBufferErrorInvalidResource));
  EXPECT_EQ(floatsOf(c)[0], 5) << "all or nothing";
}

/// The message of a command buffer with one encoder that `encode` fills.
#define EXPECT_FAILS(message_, ...)                                                                \
  {                                                                                                \
    MTL::CommandBuffer* buffer = queue->commandBuffer();                                           \
    MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();                         \
    __VA_ARGS__;                                                                                   \
    encoder->endEncoding();                                                                        \
    buffer->commit();                                                                              \
    buffer->waitUntilCompleted();                                                                  \
    EXPECT_EQ(message(buffer->error()), message_);                                                 \
  }

TEST_F(Validation, NamesTheCallTheNumbersAndWhatToDo) {
  auto a = floats({1, 2});
  EXPECT_FAILS("dispatchThreads: no pipeline is set; call setComputePipelineState first",
               encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1)));
  EXPECT_FAILS("dispatchThreads: threadgroup (1024, 2, 1) has more threads than the 1024 that "
               "kernel \"add\" allows; use maxTotalThreadsPerThreadgroup",
               encoder->setComputePipelineState(add.get());
               encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1024, 2, 1)));
  EXPECT_FAILS("dispatchThreads: threads per threadgroup are (0, 1, 1); every extent is at least 1",
               encoder->setComputePipelineState(add.get());
               encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(0, 1, 1)));
  EXPECT_FAILS("dispatchThreadgroups: 134217728 threadgroups of 32 threads are more than the "
               "4294967295 threads that fit an axis; split the grid",
               encoder->setComputePipelineState(add.get());
               encoder->dispatchThreadgroups(MTL::Size(134217728, 1, 1), MTL::Size(32, 1, 1)));
  EXPECT_FAILS("setBuffer: offset 9 is beyond the 8 bytes of the buffer at index 3",
               encoder->setBuffer(a.get(), 9, 3));
  EXPECT_FAILS("setBuffer: index 31 is beyond the last one, 30",
               encoder->setBuffer(a.get(), 0, 31));
  EXPECT_FAILS("setBufferOffset: no buffer is bound at index 4", encoder->setBufferOffset(0, 4));
  EXPECT_FAILS("setBytes: 0 bytes at 0x0 for index 2; give at least one byte",
               encoder->setBytes(nullptr, 0, 2));
  EXPECT_FAILS("dispatchThreadgroups: the indirect buffer has 8 bytes; 12 are read at offset 0, "
               "which must be a multiple of 4 (encoder \"sum\")",
               encoder->setLabel(text("sum"));
               encoder->dispatchThreadgroups(a.get(), 0, MTL::Size(1, 1, 1)));
}

TEST_F(Validation, CopiesStayInsideTheirBuffers) {
  auto a = floats({1, 2});
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  MTL::BlitCommandEncoder* blit = buffer->blitCommandEncoder();
  blit->copyFromBuffer(a.get(), 4, a.get(), 0, 8);
  blit->endEncoding();
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(message(buffer->error()),
            "copyFromBuffer: source: 8 bytes at offset 4 are beyond the buffer's 8");
}

TEST_F(Validation, LimitsOfTheDescriptorCount) {
  auto function = NS::TransferPtr(library("nothing")->newFunction(text("nothing")));
  auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunction(function.get());
  descriptor->setMaxTotalThreadsPerThreadgroup(64);
  descriptor->setThreadGroupSizeIsMultipleOfThreadExecutionWidth(true);
  auto limited =
      NS::TransferPtr(device->newComputePipelineState(descriptor.get(), 0, nullptr, nullptr));
  EXPECT_EQ(limited->maxTotalThreadsPerThreadgroup(), 64u);
  EXPECT_FAILS("dispatchThreads: threadgroup (65, 1, 1) has more threads than the 64 that kernel "
               "\"nothing\" allows; use maxTotalThreadsPerThreadgroup",
               encoder->setComputePipelineState(limited.get());
               encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(65, 1, 1)));
  EXPECT_FAILS("dispatchThreads: threadgroup (33, 1, 1) is not a multiple of the thread execution "
               "width 32, which the pipeline of kernel \"nothing\" was promised",
               encoder->setComputePipelineState(limited.get());
               encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(33, 1, 1)));
}

TEST_F(Validation, AFaultOfAKernelIsTheErrorAndSignalsAreNotGiven) {
  auto event = NS::TransferPtr(device->newSharedEvent());
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  encode(buffer, "broken");
  buffer->encodeSignalEvent(event.get(), 1);
  std::promise<MTL::CommandBufferStatus> seen;
  buffer->addCompletedHandler([&](MTL::CommandBuffer* done) {
    EXPECT_NE(done->error(), nullptr);
    seen.set_value(done->status());
  });
  MTL::CommandBuffer* next = queue->commandBuffer();
  buffer->commit();
  next->commit();
  next->waitUntilCompleted();
  EXPECT_EQ(seen.get_future().get(), MTL::CommandBufferStatusError);
  EXPECT_EQ(message(buffer->error()), "kernel \"broken\": read of address 0x10");
  EXPECT_EQ(event->signaledValue(), 0u);
  EXPECT_EQ(next->status(), MTL::CommandBufferStatusCompleted);
}

TEST_F(Handlers, RunInOrderOnAnotherThreadWithAPool) {
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  buffer->addScheduledHandler([&](MTL::CommandBuffer*) { order.push_back(0); });
  for (int i = 1; i <= 3; ++i)
    buffer->addCompletedHandler([&, i](MTL::CommandBuffer* done) mutable {
      EXPECT_NE(std::this_thread::get_id(), caller);
      EXPECT_EQ(done->status(), MTL::CommandBufferStatusCompleted);
      text("autoreleased");
      order.push_back(i);
    });
  buffer->commit();
  buffer->waitUntilScheduled();
  buffer->waitUntilCompleted();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(Handlers, AreDestroyedAfterTheirCall) {
  auto token = std::make_shared<int>(0);
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  buffer->addCompletedHandler([token](MTL::CommandBuffer*) {});
  EXPECT_EQ(token.use_count(), 2);
  buffer->commit();
  buffer->waitUntilCompleted();
  EXPECT_EQ(token.use_count(), 1);
}

TEST_F(Handlers, MayCommitAndWait) {
  auto a = floats({1}), c = floats({0}), d = floats({0});
  MTL::CommandBuffer* outer = queue->commandBuffer();
  encodeAdd(outer, a.get(), a.get(), c.get(), 1);
  bool innerHandler = false;
  outer->addCompletedHandler([&](MTL::CommandBuffer*) {
    MTL::CommandBuffer* inner = queue->commandBuffer();
    encodeAdd(inner, c.get(), c.get(), d.get(), 1);
    inner->addCompletedHandler([&](MTL::CommandBuffer*) { innerHandler = true; });
    inner->commit();
    inner->waitUntilCompleted();
    EXPECT_TRUE(innerHandler);
  });
  outer->commit();
  outer->waitUntilCompleted();
  EXPECT_EQ(floatsOf(d)[0], 4);
}

TEST_F(Handlers, HoldUpNoWorkBehindThem) {
  auto a = floats({1}), c = floats({0});
  auto event = NS::TransferPtr(device->newSharedEvent());
  MTL::CommandBuffer* first = queue->commandBuffer();
  first->addCompletedHandler([&](MTL::CommandBuffer*) {
    EXPECT_TRUE(event->waitUntilSignaledValue(1, 10000)) << "given by a later command buffer";
  });
  MTL::CommandBuffer* second = queue->commandBuffer();
  second->encodeSignalEvent(event.get(), 1);
  first->commit();
  second->commit();
  first->waitUntilCompleted();
}

TEST_F(Events, OrderQueuesAndTheProgram) {
  auto other = NS::TransferPtr(device->newCommandQueue());
  auto event = NS::TransferPtr(device->newSharedEvent());
  auto a = floats({1}), c = floats({0}), d = floats({0});
  MTL::CommandBuffer* consumer = other->commandBuffer();
  consumer->encodeWait(event.get(), 2);
  encodeAdd(consumer, c.get(), c.get(), d.get(), 1);
  consumer->encodeSignalEvent(event.get(), 3);
  consumer->commit();
  MTL::CommandBuffer* producer = queue->commandBuffer();
  producer->encodeWait(event.get(), 1);
  encodeAdd(producer, a.get(), a.get(), c.get(), 1);
  producer->encodeSignalEvent(event.get(), 2);
  producer->commit();
  EXPECT_FALSE(event->waitUntilSignaledValue(2, 20));
  event->setSignaledValue(1);
  EXPECT_TRUE(event->waitUntilSignaledValue(3, UINT64_MAX));
  EXPECT_EQ(floatsOf(d)[0], 4);
}

TEST_F(Events, AWaiterOnALaterBufferBlocksUntilAnotherThreadSignals) {
  auto event = NS::TransferPtr(device->newSharedEvent());
  MTL::CommandBuffer* blocked = queue->commandBuffer();
  blocked->encodeWait(event.get(), 1);
  blocked->commit();
  MTL::CommandBuffer* later = queue->commandBuffer();
  later->commit();
  std::thread signaller([&] {
    std::this_thread::sleep_for(20ms);
    event->setSignaledValue(1);
  });
  later->waitUntilCompleted();
  EXPECT_EQ(event->signaledValue(), 1u);
  signaller.join();
}

TEST_F(Events, AHandleIsTheSameEvent) {
  auto event = NS::TransferPtr(device->newSharedEvent());
  auto handle = NS::TransferPtr(event->newSharedEventHandle());
  auto imported = NS::TransferPtr(device->newSharedEvent(handle.get()));
  imported->setSignaledValue(7);
  EXPECT_EQ(event->signaledValue(), 7u);
}

TEST_F(Lifetime, WhatIsInFlightStaysAlive) {
  const int before = liveMemories();
  auto event = NS::TransferPtr(device->newSharedEvent());
  auto c = floats({0});
  std::promise<void> done;
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    auto a = floats({3});
    auto ownQueue = NS::TransferPtr(device->newCommandQueue());
    MTL::CommandBuffer* buffer = ownQueue->commandBufferWithUnretainedReferences();
    buffer->encodeWait(event.get(), 1);
    encodeAdd(buffer, a.get(), a.get(), c.get(), 1);
    buffer->addCompletedHandler([&](MTL::CommandBuffer*) { done.set_value(); });
    buffer->commit();
  } // Buffer, queue and command buffer are gone for the program.
  EXPECT_EQ(liveMemories(), before + 2);
  event->setSignaledValue(1);
  done.get_future().get();
  EXPECT_EQ(floatsOf(c)[0], 6);
  for (int i = 0; i < 1000 && liveMemories() > before + 1; ++i)
    std::this_thread::sleep_for(1ms);
  EXPECT_EQ(liveMemories(), before + 1);
}

TEST_F(Lifetime, ADroppedCommandBufferDropsItsHandlersAndWork) {
  auto token = std::make_shared<int>(0);
  auto event = NS::TransferPtr(device->newSharedEvent());
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    MTL::CommandBuffer* dropped = queue->commandBuffer();
    dropped->encodeWait(event.get(), 1);
    dropped->addCompletedHandler([token](MTL::CommandBuffer*) {});
  }
  EXPECT_EQ(token.use_count(), 1);
  MTL::CommandBuffer* next = queue->commandBuffer();
  next->commit();
  next->waitUntilCompleted();
}

TEST_F(Lifetime, ManyThreadsShareAQueue) {
  auto a = floats({1}), b = floats({2});
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        auto c = floats({0});
        MTL::CommandBuffer* buffer = queue->commandBuffer();
        encodeAdd(buffer, a.get(), b.get(), c.get(), 1);
        if (i % 3 == 0)
          buffer->addCompletedHandler([](MTL::CommandBuffer*) {});
        buffer->commit();
        buffer->waitUntilCompleted();
        right += floatsOf(c)[0] == 3;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(right, 400);
}

TEST_F(Lifetime, TheChildOfAForkWorksAndDoesNotWaitForTheParent) {
  auto a = floats({1}), c = floats({0});
  auto event = NS::TransferPtr(device->newSharedEvent());
  MTL::CommandBuffer* parents = queue->commandBuffer();
  parents->encodeWait(event.get(), 1);
  parents->addCompletedHandler([](MTL::CommandBuffer*) {});
  parents->commit();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    MTL::CommandBuffer* childs = queue->commandBuffer();
    encodeAdd(childs, a.get(), a.get(), c.get(), 1);
    bool handled = false;
    childs->addCompletedHandler([&](MTL::CommandBuffer*) { handled = true; });
    childs->commit();
    childs->waitUntilCompleted();
    parents->waitUntilCompleted();
    const bool works =
        handled && floatsOf(c)[0] == 2 && parents->status() == MTL::CommandBufferStatusError;
    _exit(works ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  event->setSignaledValue(1);
  parents->waitUntilCompleted();
  EXPECT_EQ(parents->status(), MTL::CommandBufferStatusCompleted);
}

TEST_F(Misuse, ThrowsWhereMetalHasNoError) {
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  EXPECT_THROW(buffer->waitUntilCompleted(), std::logic_error);
  MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
  EXPECT_THROW(buffer->blitCommandEncoder(), std::logic_error);
  EXPECT_THROW(buffer->commit(), std::logic_error);
  encoder->endEncoding();
  EXPECT_THROW(encoder->endEncoding(), std::logic_error);
  EXPECT_THROW(encoder->setBuffer(nullptr, 0, 0), std::logic_error);
  buffer->commit();
  EXPECT_THROW(buffer->commit(), std::logic_error);
  EXPECT_THROW(buffer->computeCommandEncoder(), std::logic_error);
  EXPECT_THROW(buffer->addCompletedHandler([](MTL::CommandBuffer*) {}), std::logic_error);
  buffer->waitUntilCompleted();
}

} // namespace
} // namespace metalloid::fake
