// SPDX-License-Identifier: Apache-2.0
// From an AIR kernel to thread form. In: a kernel whose parameters are buffers, threadgroup memory
// and built-in values, whose pointers have address spaces, which calls other functions and air
// primitives. Out: one function that holds everything, takes what a driver can give (thread_form.h)
// and finds the rest itself: buffers in Launch::arguments, threadgroup variables at offsets from
// one base, positions by calling id functions. It comes first because every later pass may then
// count on a single function over plain pointers.
#include "cpu/to_thread_form.h"

#include "air/primitives.h"
#include "cpu/alias_scopes.h"
#include "cpu/analyses.h"
#include "cpu/built_ins.h"
#include "cpu/generic_pointers.h"
#include "cpu/launch.h"
#include "cpu/llvm_error.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

constexpr unsigned ConstantSpace = 2;
constexpr unsigned ThreadgroupSpace = 3;
constexpr uint64_t ThreadgroupAlign = 64;

// Everything the kernel calls becomes part of it. Parameters lose `noalias` first: LLVM's inliner
// would turn it into facts about barriers too, which other threads' writes break.
Error inlineCalls(Module& module, Function& kernel) {
  for (Function& function : module) {
    if (function.isDeclaration())
      continue;
    for (Argument& argument : function.args())
      argument.removeAttr(Attribute::NoAlias);
    if (&function == &kernel)
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  kernel.setLinkage(GlobalValue::ExternalLinkage);
  kernel.removeFnAttr(Attribute::OptimizeNone);
  Analyses analyses;
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.run(module, analyses.modules());
  for (Instruction& instruction : instructions(kernel))
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      Function* callee = call->getCalledFunction();
      if (!callee)
        return refuse("kernel '" + kernel.getName() +
                      "': a call through a function pointer is not supported on the CPU");
      if (!callee->isDeclaration())
        return refuse("kernel '" + kernel.getName() + "': function '" + callee->getName() +
                      "' calls itself; Metal kernels cannot recurse");
    }
  return Error::success();
}

FunctionType* threadFormType(LLVMContext& context) {
  Type* pointer = PointerType::get(context, 0);
  Type* word = Type::getInt32Ty(context);
  return FunctionType::get(Type::getVoidTy(context),
                           {pointer, pointer, word, pointer, word, word, word}, false);
}

Function* createThreadFunction(Function& kernel) {
  Function* thread = Function::Create(threadFormType(kernel.getContext()),
                                      GlobalValue::ExternalLinkage, "", kernel.getParent());
  static constexpr const char* names[] = {"launch",  "worker",  "simdgroup", "memory",
                                          "group.x", "group.y", "group.z"};
  for (auto [index, name] : enumerate(names))
    thread->getArg(index)->setName(name);
  thread->getArg(LaunchParam)->addAttr(Attribute::ReadOnly);
  thread->getArg(LaunchParam)
      ->addAttr(Attribute::getWithDereferenceableBytes(kernel.getContext(), sizeof(Launch)));
  thread->setDoesNotThrow();
  thread->setSubprogram(kernel.getSubprogram());
  static constexpr StringLiteral denormals = "denormal-fp-math-f32";
  if (Attribute mode = kernel.getFnAttribute(denormals); mode.isValid())
    thread->addFnAttr(mode); // Constants fold as the kernel's do.
  return thread;
}

/// Gives the kernel's parameters and threadgroup variables their thread-form values.
class Binder {
public:
  Binder(air::Prepared& prepared, Function& thread, const ThreadgroupShape& shape)
      : kernel_(*prepared.kernel), reflection_(prepared.reflection), thread_(thread), shape_(shape),
        builder_(BasicBlock::Create(thread.getContext(), "entry", &thread)) {}

  Error bindParameters(ValueToValueMapTy& values) {
    SmallVector<const air::Argument*> described(kernel_.arg_size(), nullptr);
    for (const air::Argument& argument : reflection_.arguments)
      if (argument.parameter < described.size())
        described[argument.parameter] = &argument;
    for (Argument& parameter : kernel_.args()) {
      const air::Argument* argument = described[parameter.getArgNo()];
      if (!argument)
        return refuse(where() + "parameter " + Twine(parameter.getArgNo()) +
                      " is not described by the kernel's metadata");
      Expected<Value*> value = bind(parameter, *argument);
      if (!value)
        return value.takeError();
      values[&parameter] = *value;
    }
    return Error::success();
  }

  /// Lays the threadgroup variables out one after another; returns their total size in bytes.
  uint64_t bindThreadgroupVariables(ValueToValueMapTy& values) {
    SmallVector<GlobalVariable*> variables;
    for (GlobalVariable& global : kernel_.getParent()->globals())
      if (global.getAddressSpace() == ThreadgroupSpace)
        variables.push_back(&global);
    uint64_t offset = 0;
    for (GlobalVariable* variable : variables) {
      offset =
          alignTo(offset, std::max(ThreadgroupAlign, variable->getAlign().valueOrOne().value()));
      Value* address = threadgroupAddress(builder_.getInt64(offset), variable->getName());
      scopes_.push_back({address, true});
      values[variable] = address;
      offset += kernel_.getDataLayout().getTypeAllocSize(variable->getValueType());
    }
    return alignTo(offset, ThreadgroupAlign);
  }

  IRBuilder<>& builder() { return builder_; }
  ArrayRef<MemoryObject> memoryObjects() const { return scopes_; }

private:
  std::string where() const { return ("kernel '" + kernel_.getName() + "': ").str(); }

  std::string called(const air::Argument& argument) const {
    return argument.name.empty() ? "parameter " + std::to_string(argument.parameter)
                                 : "argument '" + argument.name + "'";
  }

  Expected<Value*> bind(Argument& parameter, const air::Argument& argument) {
    Type* type = GenericPointers().remapType(parameter.getType());
    if (!argument.active || argument.unused || parameter.use_empty())
      return Constant::getNullValue(type);
    switch (argument.kind) {
    case air::ArgumentKind::Buffer:
    case air::ArgumentKind::IndirectBuffer:
      if (argument.arrayLength > 1 || !type->isPointerTy())
        return refuse(where() + called(argument) +
                      " is an array of buffers, which the CPU back end does not support");
      return loadBuffer(parameter, argument);
    case air::ArgumentKind::ThreadgroupMemory:
      return loadThreadgroupMemory(parameter);
    case air::ArgumentKind::BuiltIn: {
      Value* value = builtInValue(builder_, thread_, shape_, argument.builtIn, type);
      if (!value)
        return refuse(where() + "built-in value [[" + argument.builtIn + "]] of " +
                      called(argument) + " is not supported on the CPU");
      return value;
    }
    case air::ArgumentKind::Texture:
      return refuse(where() + called(argument) + " is a texture; the CPU back end has none yet");
    case air::ArgumentKind::Sampler:
      return refuse(where() + called(argument) + " is a sampler; the CPU back end has none yet");
    }
    llvm_unreachable("all argument kinds handled");
  }

  LoadInst* loadArgument(Argument& parameter) {
    if (!table_)
      table_ = markInvariant(
          builder_.CreateLoad(builder_.getPtrTy(), thread_.getArg(LaunchParam), "arguments"));
    Value* slot =
        builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), table_, parameter.getArgNo());
    return markInvariant(builder_.CreateLoad(builder_.getPtrTy(), slot, parameter.getName()));
  }

  LoadInst* markInvariant(LoadInst* load) {
    MDNode* empty = MDNode::get(load->getContext(), {});
    load->setMetadata(LLVMContext::MD_invariant_load, empty);
    load->setMetadata(LLVMContext::MD_noundef, empty);
    return load;
  }

  Value* loadBuffer(Argument& parameter, const air::Argument& argument) {
    LoadInst* pointer = loadArgument(parameter);
    if (argument.bufferSize)
      pointer->setMetadata(
          LLVMContext::MD_dereferenceable,
          MDNode::get(pointer->getContext(),
                      ConstantAsMetadata::get(builder_.getInt64(argument.bufferSize))));
    scopes_.push_back({pointer, parameter.hasAttribute("air-buffer-no-alias")});
    return pointer;
  }

  // The entry is a byte offset, not an address: each worker has threadgroup memory of its own.
  Value* loadThreadgroupMemory(Argument& parameter) {
    Value* offset = builder_.CreatePtrToInt(loadArgument(parameter), builder_.getInt64Ty());
    Value* address = threadgroupAddress(offset, parameter.getName());
    scopes_.push_back({address, true});
    return address;
  }

  Value* threadgroupAddress(Value* offset, const Twine& name) {
    // An instruction even at offset 0, so that each variable is an object to tell apart.
    auto* address = GetElementPtrInst::CreateInBounds(builder_.getInt8Ty(),
                                                      thread_.getArg(MemoryParam), {offset}, name);
    return builder_.Insert(address);
  }

  Function& kernel_;
  const air::Reflection& reflection_;
  Function& thread_;
  const ThreadgroupShape& shape_;
  IRBuilder<> builder_;
  Value* table_ = nullptr;
  SmallVector<MemoryObject> scopes_;
};

// Numbers the threadgroup barriers. A threadgroup that fits in one SIMD-group needs none: its
// threads are in step, and what is left is the order of memory operations.
uint32_t lowerBarriers(Function& thread, const ThreadgroupShape& shape) {
  bool oneSimdgroup = shape.isFixed() && shape.total() <= SimdWidth;
  uint32_t count = 0;
  auto createBarrier = [&](IRBuilder<>& builder) {
    Function* barrier = threadFormFunction(*thread.getParent(), ThreadgroupBarrier);
    barrier->addFnAttr(Attribute::NoDuplicate); // Each copy would be a region of its own.
    builder.CreateCall(barrier, builder.getInt32(count++));
  };
  for (Instruction& instruction : make_early_inc_range(instructions(thread))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    auto primitive = air::parsePrimitive(call->getCalledFunction()->getName());
    if (!primitive || primitive->kind != air::Primitive::ThreadgroupBarrier)
      continue;
    IRBuilder<> builder(call);
    if (oneSimdgroup) {
      FunctionCallee simdgroup =
          thread.getParent()->getOrInsertFunction("air.simdgroup.barrier", call->getFunctionType(),
                                                  call->getCalledFunction()->getAttributes());
      builder.CreateCall(simdgroup, SmallVector<Value*>(call->args()));
    } else {
      createBarrier(builder);
    }
    call->eraseFromParent();
  }
  return count;
}

// Nobody writes constant memory while a kernel runs; that is lost with the address space.
void markConstantLoads(Function& kernel) {
  MDNode* empty = MDNode::get(kernel.getContext(), {});
  for (Instruction& instruction : instructions(kernel))
    if (auto* load = dyn_cast<LoadInst>(&instruction))
      if (load->getPointerAddressSpace() == ConstantSpace && !load->isVolatile())
        load->setMetadata(LLVMContext::MD_invariant_load, empty);
}

SmallVector<Constant*> globalsOfAddressSpaces(Module& module) {
  SmallVector<Constant*> globals;
  for (GlobalVariable& global : module.globals())
    if (global.getAddressSpace() != 0)
      globals.push_back(&global);
  return globals;
}

void eraseKernel(air::Prepared& prepared) {
  Module& module = *prepared.module;
  if (NamedMDNode* kernels = module.getNamedMetadata("air.kernel"))
    kernels->eraseFromParent();
  prepared.kernel->eraseFromParent();
  prepared.kernel = nullptr;
  Analyses analyses;
  GlobalDCEPass().run(module, analyses.modules());
}

} // namespace

Expected<ThreadForm> toThreadForm(air::Prepared& prepared, const ThreadgroupShape& shape) {
  Module& module = *prepared.module;
  Function& kernel = *prepared.kernel;
  if (Error error = inlineCalls(module, kernel))
    return std::move(error);
  convertUsersOfConstantsToInstructions(globalsOfAddressSpaces(module));
  markConstantLoads(kernel);

  Function* thread = createThreadFunction(kernel);
  Binder binder(prepared, *thread, shape);
  ValueToValueMapTy values;
  if (Error error = binder.bindParameters(values))
    return std::move(error);
  uint64_t memory = binder.bindThreadgroupVariables(values);
  cloneWithGenericPointers(kernel, *thread, values);
  binder.builder().CreateBr(cast<BasicBlock>(values[&kernel.getEntryBlock()]));

  std::string name = kernel.getName().str();
  values.clear();
  eraseKernel(prepared);
  thread->setName(name + ".thread"); // The name "kernel" belongs to the entry.

  ThreadForm form{thread, uint32_t(memory), lowerBarriers(*thread, shape)};
  lowerPrimitives(*thread);
  tagAliasScopes(*thread, binder.memoryObjects());
  return form;
}

} // namespace metalloid::cpu
