// SPDX-License-Identifier: Apache-2.0
// What programs take for granted, compiled (never run) with our headers and with Apple's: layouts,
// raw values, conversions, closures in both forms.
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <type_traits>

static_assert(sizeof(NS::Integer) == 8 && sizeof(NS::UInteger) == 8);
static_assert(sizeof(NS::Range) == 16 && alignof(NS::Range) == 1);
static_assert(sizeof(NS::OperatingSystemVersion) == 24);
static_assert(sizeof(MTL::Size) == 24 && alignof(MTL::Size) == 1);
static_assert(sizeof(MTL::Origin) == 24 && alignof(MTL::Origin) == 1);
static_assert(sizeof(MTL::Region) == 48 && sizeof(MTL::SizeAndAlign) == 16);
static_assert(sizeof(MTL::DispatchThreadgroupsIndirectArguments) == 12);
static_assert(sizeof(NS::SharedPtr<MTL::Buffer>) == sizeof(void*));
static_assert(std::is_trivially_default_constructible_v<MTL::Size>);

static_assert(std::is_same_v<MTL::ResourceOptions, NS::UInteger>);
static_assert((MTL::StorageModePrivate << 4) == MTL::ResourceStorageModePrivate);
static_assert(MTL::LanguageVersion3_1 == (3 << 16) + 1);
static_assert(MTL::GPUFamilyMetal3 == 5001 && MTL::DataTypeBool == 53);
static_assert(sizeof(MTL::DataType) == 8 && sizeof(MTL::GPUFamily) == 8);

static_assert(!std::is_default_constructible_v<MTL::Buffer>);
static_assert(!std::is_destructible_v<MTL::Buffer>);
static_assert(std::is_convertible_v<MTL::Buffer*, MTL::Allocation*>);
static_assert(std::is_convertible_v<MTL::SharedEvent*, MTL::Event*>);
static_assert(std::is_convertible_v<MTL::ComputePipelineState*, NS::Object*>);
static_assert(std::is_convertible_v<NS::SharedPtr<MTL::Buffer>, NS::SharedPtr<MTL::Resource>>);
static_assert(!std::is_convertible_v<NS::SharedPtr<MTL::Resource>, NS::SharedPtr<MTL::Buffer>>);

// A program's own hash, from before metal-cpp had one.
#ifdef OWN_HASH
template <class T> struct std::hash<NS::SharedPtr<T>> {
  std::size_t operator()(const NS::SharedPtr<T>& pointer) const {
    return std::hash<T*>()(pointer.get());
  }
};
std::size_t hashOf(const NS::SharedPtr<MTL::Fence>& fence) {
  return std::hash<NS::SharedPtr<MTL::Fence>>()(fence);
}
#endif

void closures(MTL::Device* device, MTL::CommandBuffer* buffer, NS::String* source, void* memory) {
  int count = 0;
  buffer->addCompletedHandler([count](MTL::CommandBuffer*) mutable { ++count; });
  device->newLibrary(source, nullptr, [](MTL::Library*, NS::Error*) {});
  device->newBuffer(memory, 16, MTL::ResourceStorageModeShared, nullptr);
#ifdef __BLOCKS__
  buffer->addCompletedHandler(^(MTL::CommandBuffer*){
  });
  device->newBuffer(memory, 16, MTL::ResourceStorageModeShared,
                    ^(void*, NS::UInteger){
                    });
  device->newLibrary(source, nullptr,
                     ^(MTL::Library*, NS::Error*){
                     });
#endif
}

MTL::ComputePipelineReflection* reflection(MTL::Device* device, MTL::Function* function) {
  MTL::ComputePipelineReflection* reflection = nullptr;
  NS::Error* error = nullptr;
  device->newComputePipelineState(function, MTL::PipelineOptionArgumentInfo, &reflection, &error);
  return reflection;
}

bool newEnough() {
  if (__builtin_available(macOS 15.0, iOS 18.0, *))
    return true;
  return false;
}
