// SPDX-License-Identifier: Apache-2.0
#include "air/specialise.h"

#include <map>

#include "air/error.h"
#include "air/metadata.h"
#include "air/module_contents.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Evaluator.h"

using namespace llvm;

namespace metalloid::air {
namespace {

std::string labelOf(const FunctionConstant& constant) {
  return "\"" + constant.name + "\" (index " + std::to_string(constant.index) + ", " +
         constant.typeName + ")";
}

const ConstantValue* valueFor(const FunctionConstant& constant,
                              std::span<const ConstantValue> values) {
  for (const ConstantValue& value : values) {
    bool matches = value.index >= 0 ? static_cast<uint32_t>(value.index) == constant.index
                                    : value.name == constant.name;
    if (matches)
      return &value;
  }
  return nullptr;
}

/// `bits` as a constant of the scalar type `type`.
Constant* scalar(Type& type, uint64_t bits, const FunctionConstant& constant) {
  if (constant.typeName == "bool" || type.isIntegerTy(1))
    bits = bits != 0;
  unsigned width = type.getPrimitiveSizeInBits();
  APInt pattern(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (type.isIntegerTy())
    return ConstantInt::get(&type, pattern);
  if (type.isHalfTy() || type.isBFloatTy() || type.isFloatTy())
    return ConstantFP::get(&type, APFloat(type.getFltSemantics(), pattern));
  return nullptr;
}

/// The caller's value as an initialiser of the constant's variable.
llvm::Expected<Constant*> initialiserFor(const ConstantGlobal& constant,
                                         const ConstantValue& value) {
  const FunctionConstant& description = constant.description;
  if (!value.typeName.empty() && value.typeName != description.typeName)
    return refuse("function constant " + Twine(labelOf(description)) +
                  " was given a value of type " + value.typeName);
  Type* type = constant.global->getValueType();
  auto* vector = dyn_cast<FixedVectorType>(type);
  size_t elements = vector ? vector->getNumElements() : 1;
  if (value.bits.size() != elements)
    return refuse("function constant " + Twine(labelOf(description)) + " was given " +
                  Twine(value.bits.size()) + " elements");
  SmallVector<Constant*, 4> scalars;
  for (uint64_t bits : value.bits) {
    scalars.push_back(scalar(*type->getScalarType(), bits, description));
    if (!scalars.back())
      return refuse("function constant " + Twine(labelOf(description)) +
                    " has a type that cannot be given a value");
  }
  return vector ? ConstantVector::get(scalars) : scalars.front();
}

/// Apple's predicates pass through this function; its meaning is "not zero".
void defineNormalisePredicate(Module& module) {
  Function* function = module.getFunction("air.normalize_function_constant_predicate.i8");
  if (!function || !function->isDeclaration())
    return;
  function->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
  Value* isSet = builder.CreateIsNotNull(function->getArg(0));
  builder.CreateRet(builder.CreateZExt(isSet, function->getReturnType()));
}

/// The functions of llvm.global_ctors in the order they run.
llvm::Expected<SmallVector<Function*>> staticInitialisers(const Module& module) {
  SmallVector<Function*> functions;
  const GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (!list || !list->hasInitializer() || isa<ConstantAggregateZero>(list->getInitializer()))
    return functions;
  std::multimap<uint64_t, Function*> entries; // equal priorities stay in order
  for (const Use& entry : list->getInitializer()->operands()) {
    auto* fields = dyn_cast<ConstantStruct>(entry);
    auto* priority = fields ? dyn_cast<ConstantInt>(fields->getOperand(0)) : nullptr;
    auto* function = fields ? dyn_cast<Function>(fields->getOperand(1)) : nullptr;
    if (!priority || !function || function->isDeclaration() || !function->arg_empty())
      return refuse("the list of static initialisers is malformed");
    entries.emplace(priority->getZExtValue(), function);
  }
  for (auto& [priority, function] : entries)
    functions.push_back(function);
  return functions;
}

using Initialisers = DenseMap<GlobalVariable*, Constant*>;

/// The values that variables have once `functions` have run, without changing the module; nothing
/// where one of them does more than arithmetic on constants.
std::optional<Initialisers> evaluate(const Module& module, ArrayRef<Function*> functions) {
  Evaluator evaluator(module.getDataLayout(), /*TLI=*/nullptr);
  for (Function* function : functions) {
    Constant* result = nullptr;
    SmallVector<Constant*> noArguments;
    if (!evaluator.EvaluateFunction(function, result, noArguments))
      return std::nullopt;
  }
  return evaluator.getMutatedInitializers();
}

bool isPoison(const Constant& constant) {
  return isa<PoisonValue>(constant) || constant.containsPoisonElement();
}

/// One kernel's constants being given their values.
class Specialiser {
public:
  Specialiser(Module& module, Reflection& reflection) : module_(module), reflection_(reflection) {}

  llvm::Error run(std::span<const ConstantValue> values) {
    auto kernelNode = findKernel(module_, reflection_.name);
    if (!kernelNode)
      return kernelNode.takeError();
    kernelNode_ = *kernelNode;
    auto constants = functionConstants(module_);
    if (!constants)
      return constants.takeError();
    constants_ = std::move(*constants);
    defineNormalisePredicate(module_);
    auto initialisers = staticInitialisers(module_);
    if (!initialisers)
      return initialisers.takeError();
    initialisers_ = std::move(*initialisers);

    if (llvm::Error error = giveValues(values))
      return error;
    if (llvm::Error error = checkMissing())
      return error;
    if (llvm::Error error = runInitialisers())
      return error;
    return applyPredicates();
  }

private:
  /// Constants without a value become zero for now and are remembered.
  llvm::Error giveValues(std::span<const ConstantValue> values) {
    for (ConstantGlobal& constant : constants_) {
      GlobalVariable& global = *constant.global;
      global.setExternallyInitialized(false);
      global.setInitializer(Constant::getNullValue(global.getValueType()));
      if (const ConstantValue* value = valueFor(constant.description, values)) {
        auto initialiser = initialiserFor(constant, *value);
        if (!initialiser)
          return initialiser.takeError();
        global.setInitializer(*initialiser);
      } else if (constant.description.required) {
        missing_.push_back(&constant);
      }
    }
    return llvm::Error::success();
  }

  /// A module may ask for constants that this kernel has no use for. Whether it has is tried out:
  /// the constant is poisoned, and what the kernel reads is looked at after the initialisers ran.
  llvm::Error checkMissing() {
    std::string needed;
    for (ConstantGlobal* constant : missing_) {
      GlobalVariable& global = *constant->global;
      Constant* zero = global.getInitializer();
      global.setInitializer(PoisonValue::get(global.getValueType()));
      if (kernelSeesPoison())
        needed += (needed.empty() ? "" : ", ") + labelOf(constant->description);
      global.setInitializer(zero);
    }
    if (needed.empty())
      return llvm::Error::success();
    return refuse("kernel \"" + Twine(reflection_.name) +
                  "\" needs a value for function constant " + needed);
  }

  bool kernelSeesPoison() const {
    SmallVector<const GlobalVariable*> read;
    for (const GlobalValue* value : reachableFrom(*valueOperand<Function>(*kernelNode_, 0)))
      if (auto* variable = dyn_cast<GlobalVariable>(value))
        read.push_back(variable);
    for (const Argument& argument : reflection_.arguments)
      if (GlobalVariable* predicate = predicateOf(argument))
        read.push_back(predicate);

    auto values = evaluate(module_, initialisers_);
    if (!values)
      return true;
    return any_of(read, [&](const GlobalVariable* variable) {
      auto changed = values->find(const_cast<GlobalVariable*>(variable));
      const Constant* value = changed != values->end()     ? changed->second
                              : variable->hasInitializer() ? variable->getInitializer()
                                                           : nullptr;
      return value && isPoison(*value);
    });
  }

  llvm::Error runInitialisers() {
    auto values = evaluate(module_, initialisers_);
    if (!values)
      return refuse("a static initialiser of the module cannot be evaluated; constants of the "
                    "program must follow from arithmetic on function constants");
    for (auto& [variable, value] : *values)
      variable->setInitializer(value);
    if (GlobalVariable* list = module_.getNamedGlobal("llvm.global_ctors"))
      list->eraseFromParent();
    return llvm::Error::success();
  }

  /// The variable that says whether `argument` exists, or null where it always does.
  GlobalVariable* predicateOf(const Argument& argument) const {
    if (argument.constantName.empty())
      return nullptr;
    const MDNode& node = *nodeOperand(*nodeOperand(*kernelNode_, 2), argument.parameter);
    for (unsigned i = 1; i < node.getNumOperands(); ++i)
      if (stringOperand(node, i) == "air.function_constant")
        if (const MDNode* predicate = nodeOperand(node, i + 1))
          return valueOperand<GlobalVariable>(*predicate, 0);
    return nullptr;
  }

  llvm::Error applyPredicates() {
    for (Argument& argument : reflection_.arguments) {
      if (argument.constantName.empty())
        continue;
      GlobalVariable* predicate = predicateOf(argument);
      auto* value = predicate && predicate->hasInitializer()
                        ? dyn_cast<ConstantInt>(predicate->getInitializer())
                        : nullptr;
      if (!value)
        return refuse("the condition \"" + Twine(argument.constantName) + "\" of argument \"" +
                      argument.name + "\" has no value");
      argument.active = !value->isZero();
    }
    return llvm::Error::success();
  }

  Module& module_;
  Reflection& reflection_;
  const MDNode* kernelNode_ = nullptr;
  std::vector<ConstantGlobal> constants_;
  std::vector<ConstantGlobal*> missing_;
  SmallVector<Function*> initialisers_;
};

} // namespace

llvm::Error specialise(Module& module, Reflection& reflection,
                       std::span<const ConstantValue> values) {
  return Specialiser(module, reflection).run(values);
}

} // namespace metalloid::air
