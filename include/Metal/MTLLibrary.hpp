// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "MTLDataType.hpp"
#include "MTLFunctionDescriptor.hpp"
#include "MTLTypes.hpp"
#include <Foundation/NSArray.hpp>
#include <Foundation/NSCallback.hpp>
#include <Foundation/NSDictionary.hpp>
#include <Foundation/NSError.hpp>
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class Device;
class Function;
class FunctionConstantValues;

enum PatchType : NS::UInteger {
  PatchTypeNone = 0,
  PatchTypeTriangle = 1,
  PatchTypeQuad = 2,
};

enum FunctionType : NS::UInteger {
  FunctionTypeVertex = 1,
  FunctionTypeFragment = 2,
  FunctionTypeKernel = 3,
  FunctionTypeVisible = 5,
  FunctionTypeIntersection = 6,
  FunctionTypeMesh = 7,
  FunctionTypeObject = 8,
};

enum LanguageVersion : NS::UInteger {
  LanguageVersion1_0 = 65536,
  LanguageVersion1_1 = 65537,
  LanguageVersion1_2 = 65538,
  LanguageVersion2_0 = 131072,
  LanguageVersion2_1 = 131073,
  LanguageVersion2_2 = 131074,
  LanguageVersion2_3 = 131075,
  LanguageVersion2_4 = 131076,
  LanguageVersion3_0 = 196608,
  LanguageVersion3_1 = 196609,
  LanguageVersion3_2 = 196610,
  LanguageVersion4_0 = 262144,
};

enum LibraryType : NS::Integer {
  LibraryTypeExecutable = 0,
  LibraryTypeDynamic = 1,
};

enum LibraryOptimizationLevel : NS::Integer {
  LibraryOptimizationLevelDefault = 0,
  LibraryOptimizationLevelSize = 1,
};

enum CompileSymbolVisibility : NS::Integer {
  CompileSymbolVisibilityDefault = 0,
  CompileSymbolVisibilityHidden = 1,
};

enum MathMode : NS::Integer {
  MathModeSafe = 0,
  MathModeRelaxed = 1,
  MathModeFast = 2,
};

enum MathFloatingPointFunctions : NS::Integer {
  MathFloatingPointFunctionsFast = 0,
  MathFloatingPointFunctionsPrecise = 1,
};

/// Codes of errors in the domain "MTLLibraryErrorDomain".
enum LibraryError : NS::UInteger {
  LibraryErrorUnsupported = 1,
  LibraryErrorInternal = 2,
  LibraryErrorCompileFailure = 3,
  LibraryErrorCompileWarning = 4,
  LibraryErrorFunctionNotFound = 5,
  LibraryErrorFileNotFound = 6,
};

using FunctionCompletionHandlerFunction =
    std::function<void(MTL::Function* pFunction, NS::Error* pError)>;

/// A [[function_constant(n)]] that a function uses.
class METALLOID_API FunctionConstant : public NS::Referencing<FunctionConstant> {
public:
  NS::UInteger index() const;
  NS::String* name() const;
  /// Whether the function cannot be compiled without a value.
  bool required() const;
  DataType type() const;
};

class METALLOID_API Function : public NS::Referencing<Function> {
public:
  Device* device() const;
  /// NS::String names to MTL::FunctionConstant objects. Empty where the function cannot be read;
  /// the error then comes from MTL::Device::newComputePipelineState.
  NS::Dictionary* functionConstantsDictionary() const;
  FunctionType functionType() const;
  NS::String* label() const;
  NS::String* name() const;
  FunctionOptions options() const;
  void setLabel(const NS::String* label);
};

/// How source is compiled. Left alone: MSL 3.2, fast math, no macros.
class METALLOID_API CompileOptions : public NS::Copying<CompileOptions> {
public:
  static CompileOptions* alloc();
  CompileOptions* init();

  bool fastMathEnabled() const;
  LanguageVersion languageVersion() const;
  LibraryType libraryType() const;
  MathFloatingPointFunctions mathFloatingPointFunctions() const;
  MathMode mathMode() const;
  /// The limit for kernels that state none; 0: the device's.
  NS::UInteger maxTotalThreadsPerThreadgroup() const;
  LibraryOptimizationLevel optimizationLevel() const;
  NS::Dictionary* preprocessorMacros() const;
  bool preserveInvariance() const;
  bool enableLogging() const;

  void setEnableLogging(bool enableLogging);
  /// True selects MathModeFast, false MathModeSafe.
  void setFastMathEnabled(bool fastMathEnabled);
  void setLanguageVersion(MTL::LanguageVersion languageVersion);
  /// newLibrary refuses LibraryTypeDynamic with an error.
  void setLibraryType(MTL::LibraryType libraryType);
  void setMathFloatingPointFunctions(MTL::MathFloatingPointFunctions mathFloatingPointFunctions);
  void setMathMode(MTL::MathMode mathMode);
  void setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup);
  void setOptimizationLevel(MTL::LibraryOptimizationLevel optimizationLevel);
  /// NS::String names to NS::String or NS::Number values.
  void setPreprocessorMacros(const NS::Dictionary* preprocessorMacros);
  void setPreserveInvariance(bool preserveInvariance);
};

/// Functions compiled from source or read from a .metallib.
class METALLOID_API Library : public NS::Referencing<Library> {
public:
  Device* device() const;
  NS::Array* functionNames() const;
  NS::String* label() const;

  /// Null, without an error, where there is no function of this name.
  Function* newFunction(const NS::String* functionName);
  /// Specialised with the values. Null and an error where there is no such function, or a required
  /// constant has no value, or a value has another type than the constant.
  Function* newFunction(const NS::String* name, const MTL::FunctionConstantValues* constantValues,
                        NS::Error** error);
  Function* newFunction(const MTL::FunctionDescriptor* descriptor, NS::Error** error);
  /// These return at once. The handler is called on another thread, with an autorelease pool; it
  /// retains what it keeps.
  void newFunction(const NS::String* pFunctionName,
                   const MTL::FunctionConstantValues* pConstantValues,
                   const MTL::FunctionCompletionHandlerFunction& completionHandler) {
    makeFunction(pFunctionName, pConstantValues, NS::Private::callback(completionHandler));
  }
  void newFunction(const MTL::FunctionDescriptor* pDescriptor,
                   const MTL::FunctionCompletionHandlerFunction& completionHandler) {
    makeFunction(pDescriptor, NS::Private::callback(completionHandler));
  }
#ifdef __BLOCKS__
  void newFunction(const NS::String* name, const MTL::FunctionConstantValues* constantValues,
                   void (^completionHandler)(MTL::Function*, NS::Error*)) {
    makeFunction(name, constantValues, NS::Private::callback(completionHandler));
  }
  void newFunction(const MTL::FunctionDescriptor* descriptor,
                   void (^completionHandler)(MTL::Function*, NS::Error*)) {
    makeFunction(descriptor, NS::Private::callback(completionHandler));
  }
#endif

  void setLabel(const NS::String* label);
  LibraryType type() const;

private:
  void makeFunction(const NS::String* name, const MTL::FunctionConstantValues* constantValues,
                    NS::Private::Callback<MTL::Function*, NS::Error*> handler);
  void makeFunction(const MTL::FunctionDescriptor* descriptor,
                    NS::Private::Callback<MTL::Function*, NS::Error*> handler);
};

} // namespace MTL
