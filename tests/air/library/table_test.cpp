// SPDX-License-Identifier: Apache-2.0
// The table, the library and Apple's own modules agree with each other.
#include "air/functions.h"
#include "air/library/library.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace metalloid::air;

namespace {

std::unique_ptr<llvm::Module> readFile(llvm::LLVMContext& context, const char* path) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIRFile(path, diagnostic, context);
  EXPECT_TRUE(module) << path << ": " << diagnostic.getMessage().str();
  return module;
}

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext& context, const char* text) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

void expectLinked(llvm::Module& module) {
  llvm::Error error = linkLibrary(module);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
}

TEST(AirTable, LibraryDefinesEveryLibraryRowWithItsType) {
  llvm::LLVMContext context;
  auto library = readFile(context, AIR_WHOLE_LIBRARY);
  for (const FunctionRow& row : functionRows()) {
    if (row.home != Home::Library)
      continue;
    for (const std::string& name : expandNames(row)) {
      const llvm::Function* function = library->getFunction(name);
      ASSERT_TRUE(function && !function->isDeclaration()) << name;
      EXPECT_TRUE(hasKnownType(name, function->getFunctionType())) << name;
      EXPECT_FALSE(libraryPart(name).empty()) << name;
    }
  }
}

TEST(AirTable, EveryFunctionOfTheLibraryHasARow) {
  llvm::LLVMContext context;
  auto library = readFile(context, AIR_WHOLE_LIBRARY);
  for (const llvm::Function& function : *library) {
    if (function.isIntrinsic())
      continue;
    const FunctionRow* row = findFunction(function.getName());
    ASSERT_TRUE(row) << function.getName().str();
    EXPECT_EQ(row->home, Home::Library) << function.getName().str();
  }
}

TEST(AirTable, EachNameBelongsToOneRow) {
  for (const FunctionRow& row : functionRows())
    for (const std::string& name : expandNames(row))
      EXPECT_EQ(findFunction(name), &row) << name;
}

TEST(AirTable, KnowsEveryFunctionOfMlxWithApplesType) {
  llvm::LLVMContext context;
  auto module = readFile(context, MLX_FUNCTIONS);
  unsigned count = 0;
  for (const llvm::Function& function : *module) {
    EXPECT_TRUE(hasKnownType(function.getName(), function.getFunctionType()))
        << function.getName().str();
    ++count;
  }
  EXPECT_EQ(count, 224u);
}

TEST(AirTable, RefusesWhatIsNotThere) {
  for (const char* name : {"air.exq.f32", "air.exp", "air.exp.f64", "air.exp.v5f32", "exp.f32",
                           "air.fast_abs.s.i32", "air.abs.i32", "air.exp.f32.f32", "air.",
                           "air.convert.f.v2f32.f.v3f16", "air.min.s.i128", ""})
    EXPECT_FALSE(isKnownFunction(name)) << name;
  llvm::LLVMContext context;
  llvm::Type* half = llvm::Type::getHalfTy(context);
  EXPECT_FALSE(hasKnownType("air.exp.f32", llvm::FunctionType::get(half, {half}, false)));
}

TEST(AirLibrary, LinksOnlyWhatIsCalledAndKeepsItInternal) {
  llvm::LLVMContext context;
  auto module = parse(context, R"(
    declare <4 x float> @air.pow.v4f32(<4 x float>, <4 x float>)
    declare float @air.sincos.f32(float, ptr)
    declare float @air.simd_sum.f32(float)
    declare float @air.exp.f32(float)
    define float @kernel(float %x, <4 x float> %v, ptr %p) {
      %a = call float @air.sincos.f32(float %x, ptr %p)
      %b = call <4 x float> @air.pow.v4f32(<4 x float> %v, <4 x float> %v)
      %c = call float @air.simd_sum.f32(float %a)
      ret float %c
    })");
  expectLinked(*module);
  std::vector<std::string> defined;
  for (const llvm::Function& function : *module)
    if (!function.isDeclaration() && function.hasInternalLinkage())
      defined.push_back(function.getName().str());
  llvm::sort(defined);
  EXPECT_EQ(defined, (std::vector<std::string>{"air.pow.f32", "air.pow.v4f32", "air.sincos.f32"}));
  EXPECT_TRUE(module->getFunction("air.simd_sum.f32")->isDeclaration());
  EXPECT_TRUE(module->getFunction("air.pow.f32")->hasFnAttribute(llvm::Attribute::AlwaysInline));
}

TEST(AirLibrary, DefinesEveryLibraryFunctionThatMlxCalls) {
  llvm::LLVMContext context;
  auto module = readFile(context, MLX_FUNCTIONS);
  // A use of each, as only what is used is linked.
  auto* table = llvm::ArrayType::get(llvm::PointerType::get(context, 0), module->size());
  std::vector<llvm::Constant*> all;
  for (llvm::Function& function : *module)
    all.push_back(&function);
  new llvm::GlobalVariable(*module, table, true, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(table, all), "all");
  expectLinked(*module);
  for (const llvm::Function& function : *module)
    if (const FunctionRow* row = findFunction(function.getName()))
      EXPECT_EQ(function.isDeclaration(), row->home == Home::Primitive) << function.getName().str();
}

} // namespace
