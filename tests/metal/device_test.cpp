// SPDX-License-Identifier: Apache-2.0
// Devices, memory, libraries, functions and pipelines.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>

#include "metal_fixture.h"
#include "metallib/archive.h"

#include <metalloid/Metalloid.hpp>

namespace metalloid::fake {
namespace {

using Device = MetalTest;
using Buffer = MetalTest;
using Heap = MetalTest;
using Library = MetalTest;
using Function = MetalTest;
using Pipeline = MetalTest;

TEST_F(Device, IsOneObjectThatLivesForEver) {
  auto again = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  EXPECT_EQ(again, device);
  auto all = NS::TransferPtr(MTL::CopyAllDevices());
  EXPECT_EQ(all->count(), 1u);
  EXPECT_EQ(all->object<MTL::Device>(0), device.get());
}

TEST_F(Device, TellsItsLimits) {
  EXPECT_STREQ(device->name()->utf8String(), "Fake CPU");
  EXPECT_EQ(device->maxThreadsPerThreadgroup().width, 1024u);
  EXPECT_EQ(device->maxThreadgroupMemoryLength(), 32768u);
  EXPECT_TRUE(device->hasUnifiedMemory());
  EXPECT_TRUE(device->supportsFamily(MTL::GPUFamilyApple7));
  EXPECT_FALSE(device->supportsFamily(MTL::GPUFamilyMetal4));
  // The generation and class that programs read off the end.
  std::string architecture = device->architecture()->name()->utf8String();
  EXPECT_TRUE(std::isdigit(architecture[architecture.size() - 2]));
}

TEST_F(Device, AnUnknownNameInTheEnvironmentGivesNone) {
  setenv("METALLOID_DEVICE", "cuda:7", 1);
  EXPECT_EQ(MTL::CreateSystemDefaultDevice(), nullptr);
  setenv("METALLOID_DEVICE", "cpu", 1);
  EXPECT_EQ(NS::TransferPtr(MTL::CreateSystemDefaultDevice()), device);
  unsetenv("METALLOID_DEVICE");
}

TEST_F(Buffer, IsZeroedAndWritableAtOnce) {
  auto buffer = NS::TransferPtr(device->newBuffer(64, MTL::ResourceStorageModeShared));
  EXPECT_EQ(buffer->length(), 64u);
  EXPECT_GE(buffer->allocatedSize(), 64u);
  EXPECT_EQ(static_cast<char*>(buffer->contents())[63], 0);
  EXPECT_EQ(buffer->heap(), nullptr);
  EXPECT_EQ(buffer->device(), device.get());
  buffer->didModifyRange(NS::Range(60, 4));
  EXPECT_THROW(buffer->didModifyRange(NS::Range(60, 5)), std::out_of_range);
}

TEST_F(Buffer, KeepsItsOptions) {
  auto buffer = NS::TransferPtr(device->newBuffer(
      16, MTL::ResourceStorageModePrivate | MTL::ResourceHazardTrackingModeUntracked));
  EXPECT_EQ(buffer->storageMode(), MTL::StorageModePrivate);
  EXPECT_EQ(buffer->hazardTrackingMode(), MTL::HazardTrackingModeUntracked);
  EXPECT_EQ(buffer->contents(), nullptr);
  buffer->setLabel(text("weights"));
  EXPECT_STREQ(buffer->label()->utf8String(), "weights");
}

TEST_F(Buffer, CopiesBytesOrUsesThemInPlace) {
  float values[] = {1, 2, 3};
  auto copy = NS::TransferPtr(device->newBuffer(values, 12, MTL::ResourceStorageModeShared));
  int released = 0;
  auto inPlace = NS::TransferPtr(device->newBuffer(&values[1], 8, MTL::ResourceStorageModeShared,
                                                   [&](void* pointer, NS::UInteger length) {
                                                     EXPECT_EQ(pointer, &values[1]);
                                                     EXPECT_EQ(length, 8u);
                                                     ++released;
                                                   }));
  values[1] = 7;
  EXPECT_EQ(static_cast<float*>(copy->contents())[1], 2);
  EXPECT_EQ(static_cast<float*>(inPlace->contents())[0], 7);
  inPlace.reset();
  EXPECT_EQ(released, 1);
  EXPECT_TRUE(
      NS::TransferPtr(device->newBuffer(values, 12, MTL::ResourceStorageModeShared, nullptr)));
}

TEST_F(Buffer, IsNullWhereItCannotBeHad) {
  EXPECT_EQ(device->newBuffer(device->maxBufferLength() + 1, 0), nullptr);
  EXPECT_EQ(device->newBuffer(16, MTL::StorageModeMemoryless << 4), nullptr);
  EXPECT_EQ(device->newBuffer(nullptr, 16, MTL::ResourceStorageModeShared), nullptr);
}

TEST_F(Buffer, IsCountedWhileItLives) {
  const NS::UInteger before = device->currentAllocatedSize();
  auto buffer = NS::TransferPtr(device->newBuffer(4096, 0));
  EXPECT_EQ(device->currentAllocatedSize(), before + 4096);
  buffer.reset();
  EXPECT_EQ(device->currentAllocatedSize(), before);
}

TEST_F(Heap, IsABudget) {
  auto descriptor = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
  descriptor->setSize(1024);
  descriptor->setStorageMode(MTL::StorageModeShared);
  auto heap = NS::TransferPtr(device->newHeap(descriptor.get()));
  auto first = NS::TransferPtr(heap->newBuffer(700, MTL::ResourceStorageModeShared));
  EXPECT_EQ(first->heap(), heap.get());
  EXPECT_GE(heap->usedSize(), 700u);
  EXPECT_EQ(heap->newBuffer(300, MTL::ResourceStorageModeShared), nullptr);
  EXPECT_EQ(heap->newBuffer(16, MTL::ResourceStorageModePrivate), nullptr);
  first.reset();
  EXPECT_EQ(heap->usedSize(), 0u);
  EXPECT_TRUE(NS::TransferPtr(heap->newBuffer(1000, MTL::ResourceStorageModeShared)));
  descriptor->setType(MTL::HeapTypePlacement);
  EXPECT_EQ(device->newHeap(descriptor.get()), nullptr);
}

TEST_F(Library, OfSourceListsItsKernels) {
  auto made = library("kernel add, kernel nothing");
  EXPECT_EQ(made->functionNames()->count(), 2u);
  EXPECT_EQ(made->newFunction(text("missing")), nullptr);
  auto function = NS::TransferPtr(made->newFunction(text("add")));
  EXPECT_STREQ(function->name()->utf8String(), "add");
  EXPECT_EQ(function->functionType(), MTL::FunctionTypeKernel);
}

TEST_F(Library, ARefusedSourceGivesItsDiagnostics) {
  NS::Error* error = reinterpret_cast<NS::Error*>(16); // Programs pass uninitialised pointers.
  EXPECT_EQ(device->newLibrary(text("#error"), nullptr, &error), nullptr);
  EXPECT_EQ(message(error), "program_source:1:2: error: refused");
  EXPECT_STREQ(error->domain()->utf8String(), "MTLLibraryErrorDomain");
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorCompileFailure));
  EXPECT_EQ(device->newLibrary(text("#error"), nullptr, nullptr), nullptr);
}

TEST_F(Library, ErrorsOutliveTheCall) {
  NS::Error* error = nullptr;
  {
    auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    device->newLibrary(text("#error"), nullptr, &error);
    error->retain();
  }
  EXPECT_EQ(message(error), "program_source:1:2: error: refused");
  error->release();
}

TEST_F(Library, NamesAnOptionThatIsNotBuilt) {
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setLibraryType(MTL::LibraryTypeDynamic);
  NS::Error* error = nullptr;
  EXPECT_EQ(device->newLibrary(text("add"), options.get(), &error), nullptr);
  EXPECT_NE(message(error).find("LibraryTypeDynamic"), std::string::npos);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorUnsupported));
}

TEST_F(Library, OptionsHaveMetalsDefaultsAndAreCopied) {
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  EXPECT_TRUE(options->fastMathEnabled());
  EXPECT_EQ(options->languageVersion(), MTL::LanguageVersion3_2);
  options->setFastMathEnabled(false);
  EXPECT_EQ(options->mathMode(), MTL::MathModeSafe);
  auto copy = NS::TransferPtr(options->copy());
  options->setMathMode(MTL::MathModeRelaxed);
  EXPECT_EQ(copy->mathMode(), MTL::MathModeSafe);
  EXPECT_EQ(copy->retainCount(), 1u);
}

TEST_F(Library, IsMadeInTheBackgroundToo) {
  std::promise<std::string> promise;
  device->newLibrary(text("add"), nullptr, [&](MTL::Library* made, NS::Error* error) {
    promise.set_value(made ? made->functionNames()->description()->utf8String() : message(error));
  });
  EXPECT_EQ(promise.get_future().get(), "(add)");
}

/// An archive with one kernel.
Bytes archive() {
  static const char bitcode[] = "BC\xc0\xde";
  metallib::Function function;
  function.name = "add";
  function.bitcode = asBytes({bitcode, 4});
  return *metallib::write({function});
}

TEST_F(Library, OfAnArchiveComesFromBytesPathAndAddress) {
  const Bytes bytes = archive();
  const std::string path = testing::TempDir() + "metalloid_device_test.metallib";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  NS::Error* error = nullptr;
  auto fromBytes = NS::TransferPtr(
      metalloid::newLibrary(device.get(), metalloid::data(bytes.data(), bytes.size()), &error));
  auto fromPath = NS::TransferPtr(device->newLibrary(text(path), &error));
  auto fromUrl = NS::TransferPtr(device->newLibrary(NS::URL::fileURLWithPath(text(path)), &error));
  for (const auto& made : {fromBytes, fromPath, fromUrl}) {
    ASSERT_TRUE(made) << message(error);
    EXPECT_STREQ(made->functionNames()->description()->utf8String(), "(add)");
    EXPECT_TRUE(NS::TransferPtr(made->newFunction(text("add"))));
  }
  std::remove(path.c_str());
}

TEST_F(Library, AMissingOrDamagedFileIsAnErrorThatNamesIt) {
  NS::Error* error = nullptr;
  EXPECT_EQ(device->newLibrary(text("/nowhere.metallib"), &error), nullptr);
  EXPECT_EQ(message(error), "newLibrary: cannot open /nowhere.metallib: No such file or directory");
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorFileNotFound));
  EXPECT_EQ(device->newLibrary(text("/tmp"), &error), nullptr);
  EXPECT_EQ(message(error), "newLibrary: /tmp is not a file");
  EXPECT_EQ(device->newLibrary(text("/proc/self/exe"), &error), nullptr);
  EXPECT_EQ(message(error).find("newLibrary: /proc/self/exe: "), 0u);
  EXPECT_EQ(device->newDefaultLibrary(), nullptr);
}

TEST_F(Function, TellsItsConstants) {
  kernels()["constants"] = kernel("constants", 0, nullptr);
  kernels()["constants"].reflection.constants = {{"use_bias", "bool", 3, true}};
  auto function = NS::TransferPtr(library("constants")->newFunction(text("constants")));
  NS::Dictionary* dictionary = function->functionConstantsDictionary();
  ASSERT_EQ(dictionary->count(), 1u);
  auto* constant = dictionary->object<MTL::FunctionConstant>(text("use_bias"));
  EXPECT_EQ(constant->index(), 3u);
  EXPECT_EQ(constant->type(), MTL::DataTypeBool);
  EXPECT_TRUE(constant->required());
}

TEST_F(Function, ConstantsAreCheckedWhenTheFunctionIsMade) {
  kernels()["constants"] = kernel("constants", 0, nullptr);
  kernels()["constants"].reflection.constants = {{"size", "int", 0, true}};
  auto made = library("constants");
  auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  const float wrong = 1;
  values->setConstantValue(&wrong, MTL::DataTypeFloat, NS::UInteger(0));
  NS::Error* error = nullptr;
  EXPECT_EQ(made->newFunction(text("constants"), values.get(), &error), nullptr);
  EXPECT_EQ(message(error), "newFunction: function constant \"size\" is int, not float");

  const int right = 1;
  values->setConstantValue(&right, MTL::DataTypeInt, NS::UInteger(0));
  auto descriptor = NS::TransferPtr(MTL::FunctionDescriptor::alloc()->init());
  descriptor->setName(text("constants"));
  descriptor->setSpecializedName(text("constants_1"));
  descriptor->setConstantValues(values.get());
  auto function = NS::TransferPtr(made->newFunction(descriptor.get(), &error));
  ASSERT_TRUE(function);
  EXPECT_STREQ(function->name()->utf8String(), "constants_1");

  descriptor->setOptions(MTL::FunctionOptionPipelineIndependent);
  EXPECT_EQ(made->newFunction(descriptor.get(), &error), nullptr);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorUnsupported));
  EXPECT_THROW(values->setConstantValue(&right, MTL::DataTypeFloat4x4, NS::UInteger(0)),
               std::invalid_argument);
}

TEST_F(Pipeline, TellsLimitsAndArguments) {
  Kernel& scale = kernels()["scale"] = kernel("scale", 2, nullptr);
  scale.reflection.maxTotalThreads = 512;
  scale.reflection.staticThreadgroupBytes = 128;
  air::Argument& parameters = scale.reflection.arguments[1];
  parameters.name = "parameters";
  parameters.typeName = "Parameters";
  parameters.access = air::Access::Read;
  parameters.typeSize = 20;
  parameters.members = {{"factor", "float", 0, 4, 0, {}}, {"sizes", "uint", 4, 4, 4, {}}};
  air::Argument position;
  position.kind = air::ArgumentKind::BuiltIn;
  scale.reflection.arguments.push_back(position);

  auto function = NS::TransferPtr(library("scale")->newFunction(text("scale")));
  MTL::ComputePipelineReflection* reflection = nullptr;
  NS::Error* error = nullptr;
  auto made = NS::TransferPtr(device->newComputePipelineState(
      function.get(), MTL::PipelineOptionArgumentInfo, &reflection, &error));
  EXPECT_EQ(made->maxTotalThreadsPerThreadgroup(), 512u);
  EXPECT_EQ(made->threadExecutionWidth(), 32u);
  EXPECT_EQ(made->staticThreadgroupMemoryLength(), 128u);

  ASSERT_EQ(reflection->arguments()->count(), 2u);
  auto* data = reflection->arguments()->object<MTL::Argument>(0);
  EXPECT_EQ(data->type(), MTL::ArgumentTypeBuffer);
  EXPECT_EQ(data->bufferDataType(), MTL::DataTypeFloat);
  EXPECT_EQ(data->access(), MTL::BindingAccessReadWrite);
  EXPECT_TRUE(data->isActive());
  auto* binding = reflection->bindings()->object<MTL::BufferBinding>(1);
  EXPECT_EQ(binding->index(), 1u);
  EXPECT_STREQ(binding->name()->utf8String(), "parameters");
  EXPECT_EQ(binding->bufferDataType(), MTL::DataTypeStruct);
  EXPECT_EQ(binding->bufferDataSize(), 20u);
  MTL::StructMember* sizes = binding->bufferStructType()->memberByName(text("sizes"));
  EXPECT_EQ(sizes->dataType(), MTL::DataTypeArray);
  EXPECT_EQ(sizes->offset(), 4u);
  EXPECT_EQ(sizes->arrayType()->elementType(), MTL::DataTypeUInt);
  EXPECT_EQ(sizes->arrayType()->arrayLength(), 4u);
}

TEST_F(Pipeline, WritesNullReflectionWhereNoneIsAskedFor) {
  auto function = NS::TransferPtr(library("add")->newFunction(text("add")));
  auto* reflection = reinterpret_cast<MTL::ComputePipelineReflection*>(16);
  auto made = NS::TransferPtr(device->newComputePipelineState(
      function.get(), MTL::PipelineOptionNone, &reflection, nullptr));
  EXPECT_EQ(reflection, nullptr);
}

TEST_F(Pipeline, WithoutAFunctionIsAnError) {
  NS::Error* error = nullptr;
  EXPECT_EQ(device->newComputePipelineState(static_cast<MTL::Function*>(nullptr), &error), nullptr);
  EXPECT_EQ(message(error), "newComputePipelineState: the function is null");
}

TEST_F(Pipeline, RefusesLinkedFunctions) {
  auto function = NS::TransferPtr(library("add")->newFunction(text("add")));
  auto descriptor = NS::TransferPtr(MTL::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunction(function.get());
  MTL::LinkedFunctions* linked = MTL::LinkedFunctions::linkedFunctions();
  descriptor->setLinkedFunctions(linked);
  EXPECT_TRUE(
      NS::TransferPtr(device->newComputePipelineState(descriptor.get(), 0, nullptr, nullptr)));
  linked->setPrivateFunctions(NS::Array::array(function.get()));
  descriptor->setLinkedFunctions(linked);
  NS::Error* error = nullptr;
  EXPECT_EQ(device->newComputePipelineState(descriptor.get(), 0, nullptr, &error), nullptr);
  EXPECT_NE(message(error).find("linked functions"), std::string::npos);
}

} // namespace
} // namespace metalloid::fake
