// SPDX-License-Identifier: Apache-2.0
#include "msl/function_constants.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "msl/declared_kernels.h"
#include "msl/type_names.h"

using namespace clang;

namespace metalloid::msl {
namespace {

constexpr unsigned kConstantSpace = 2;

void report(const VarDecl& variable, StringRef message) {
  DiagnosticsEngine& diagnostics = variable.getASTContext().getDiagnostics();
  diagnostics.Report(variable.getLocation(),
                     diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
      << message;
}

// `_Z7align_M` or `_ZN2ns7align_ME`, and the type's mangled name: what Apple's names are made of.
std::string initialiserName(const VarDecl& variable, uint64_t index) {
  ASTContext& context = variable.getASTContext();
  std::unique_ptr<MangleContext> mangler(
      ItaniumMangleContext::create(context, context.getDiagnostics()));
  std::string type;
  llvm::raw_string_ostream typeStream(type);
  mangler->mangleCanonicalTypeName(
      context.getCanonicalType(variable.getType()).getUnqualifiedType(), typeStream);
  StringRef typeCode = type;
  typeCode.consume_front("_ZTS");

  std::string name = variable.getName().str();
  name = "_Z" + std::to_string(name.size()) + name;
  return name + ".MTL_FC_INIT_" + std::to_string(index) + "_" + typeCode.str();
}

} // namespace

void FunctionConstants::requireConditions(const FunctionDecl& kernel) {
  for (const ParmVarDecl* parameter : kernel.parameters())
    if (const AnnotateAttr* annotation = findAnnotation(*parameter, "function_constant"))
      if (const VarDecl* constant =
              findProgramScopeVariable(kernel, annotationText(*annotation).value_or("")))
        codeGenerator.GetAddrOfGlobal(GlobalDecl(constant), /*isForDefinition=*/false);
}

// The block at the end of which statements of the static initialiser are added.
llvm::BasicBlock& FunctionConstants::initialiser() {
  llvm::Module& module = *codeGenerator.GetModule();
  for (llvm::Function& function : module)
    if (function.getName().starts_with("_GLOBAL__sub_I_"))
      return function.back();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                          "_GLOBAL__sub_I_" + module.getSourceFileName(), module);
  function->setDoesNotThrow();
  function->setSection("air.static_init");
  llvm::appendToGlobalCtors(module, function, 65535);
  llvm::ReturnInst::Create(module.getContext(),
                           llvm::BasicBlock::Create(module.getContext(), "", function));
  return function->back();
}

void FunctionConstants::define(ArrayRef<const VarDecl*> declared) {
  llvm::Module& module = *codeGenerator.GetModule();
  llvm::LLVMContext& context = module.getContext();
  std::map<uint64_t, const VarDecl*> byIndex;
  llvm::Instruction* first = nullptr; // copies go in front of what reads them
  for (const VarDecl* variable : declared) {
    const ASTContext& ast = variable->getASTContext();
    const auto index = annotationNumber(*findAnnotation(*variable, "function_constant"), ast);
    if (!index || *index > 65535) {
      report(*variable, "'function_constant' needs an index from 0 to 65535");
      continue;
    }
    if (!byIndex.emplace(*index, variable).second) {
      report(*variable, "function constant index " + std::to_string(*index) + " is already used");
      continue;
    }
    llvm::GlobalVariable* value =
        module.getNamedGlobal(codeGenerator.GetMangledName(GlobalDecl(variable)));
    if (!value)
      continue; // nothing reads it
    llvm::Type* type = value->getValueType();
    value->setInitializer(llvm::UndefValue::get(type));
    value->setLinkage(llvm::GlobalValue::InternalLinkage);
    value->setConstant(false);
    auto* given = new llvm::GlobalVariable(
        module, type, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
        llvm::UndefValue::get(type), initialiserName(*variable, *index), value,
        llvm::GlobalValue::NotThreadLocal, kConstantSpace, /*isExternallyInitialized=*/true);
    given->setSection("air.fc_initializer");
    given->setAlignment(value->getAlign());

    if (!first)
      first = &*initialiser().getParent()->getEntryBlock().getFirstNonPHIIt();
    llvm::IRBuilder<> builder(first);
    builder.CreateAlignedStore(builder.CreateAlignedLoad(type, given, value->getAlign()), value,
                               value->getAlign());
    auto string = [&](StringRef text) { return llvm::MDString::get(context, text); };
    module.getOrInsertNamedMetadata("air.function_constants")
        ->addOperand(llvm::MDNode::get(
            context,
            {llvm::ConstantAsMetadata::get(given), string(airTypeName(variable->getType(), ast)),
             string(variable->getName()), llvm::ConstantAsMetadata::get(builder.getInt32(*index)),
             llvm::ConstantAsMetadata::get(builder.getTrue())}));
  }
}

llvm::MDNode* FunctionConstants::condition(const VarDecl& constant) {
  llvm::MDNode*& known = conditions[&constant];
  if (known)
    return known;
  llvm::Module& module = *codeGenerator.GetModule();
  llvm::LLVMContext& context = module.getContext();
  auto* value = cast<llvm::GlobalVariable>(
      codeGenerator.GetAddrOfGlobal(GlobalDecl(&constant), /*isForDefinition=*/false)
          ->stripPointerCasts());
  llvm::IRBuilder<> builder(initialiser().getTerminator());
  auto* predicate = new llvm::GlobalVariable(
      module, builder.getInt8Ty(), /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      builder.getInt8(0), "__metal_implicit_fc_pred_" + llvm::Twine(conditions.size() - 1), nullptr,
      llvm::GlobalValue::NotThreadLocal, kConstantSpace);
  predicate->setAlignment(llvm::Align(1));
  llvm::appendToCompilerUsed(module, predicate);

  llvm::FunctionCallee normalise = module.getOrInsertFunction(
      "air.normalize_function_constant_predicate.i8", builder.getInt8Ty(), builder.getInt8Ty());
  llvm::Value* read = builder.CreateLoad(value->getValueType(), value);
  builder.CreateStore(
      builder.CreateCall(normalise, builder.CreateZExtOrTrunc(read, builder.getInt8Ty())),
      predicate);
  known = llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(predicate),
                                      llvm::MDString::get(context, "bool"),
                                      llvm::MDString::get(context, constant.getName())});
  return known;
}

} // namespace metalloid::msl
