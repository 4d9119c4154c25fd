// SPDX-License-Identifier: Apache-2.0
// In:  a kernel with air primitives.
// Out: the same with LLVM's atomic instructions, scalar matrix code and cpu.matrix.fma, and
// exchange
//      functions on scalars only.
// Why: early, so that SROA, the scalarizer and the clean-up see plain values: `expected` of a
//      compare-exchange is a private variable, a matrix is <64 x T> of which a lane owns two.
#include "cpu/thread_form.h"

#include "air/primitives.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

using air::Primitive;
using air::PrimitiveCall;
using air::ReduceOp;

/// Metal's memory_order, as its integer.
AtomicOrdering orderingOf(const Value* order) {
  auto* constant = dyn_cast<ConstantInt>(order);
  switch (constant ? constant->getZExtValue() : 5) {
  case 0:
    return AtomicOrdering::Monotonic;
  case 2:
    return AtomicOrdering::Acquire;
  case 3:
    return AtomicOrdering::Release;
  case 4:
    return AtomicOrdering::AcquireRelease;
  default:
    return AtomicOrdering::SequentiallyConsistent;
  }
}

AtomicRMWInst::BinOp modificationOf(const PrimitiveCall& call, const Type* type) {
  bool isReal = type->isFloatingPointTy();
  switch (call.op) {
  case ReduceOp::Sum:
    return isReal ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
  case ReduceOp::Sub:
    return isReal ? AtomicRMWInst::FSub : AtomicRMWInst::Sub;
  case ReduceOp::Min:
    return isReal ? AtomicRMWInst::FMin : call.isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  case ReduceOp::Max:
    return isReal ? AtomicRMWInst::FMax : call.isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  case ReduceOp::And:
    return AtomicRMWInst::And;
  case ReduceOp::Or:
    return AtomicRMWInst::Or;
  case ReduceOp::Xor:
    return AtomicRMWInst::Xor;
  default:
    return AtomicRMWInst::BAD_BINOP;
  }
}

class Lowering {
public:
  explicit Lowering(CallInst& call) : call(call), build(&call), type(call.getType()) {}

  /// What the call becomes; null: leave it (a statement that became others returns its last one).
  Value* lower(const PrimitiveCall& primitive) {
    switch (primitive.kind) {
    case Primitive::Fence:
      return fence();
    case Primitive::AtomicLoad:
      return atomicLoad();
    case Primitive::AtomicStore:
      return atomicStore();
    case Primitive::AtomicExchange:
      return modify(AtomicRMWInst::Xchg);
    case Primitive::AtomicModify:
      return modify(modificationOf(primitive, type));
    case Primitive::AtomicCompareExchange:
      return compareExchange();
    case Primitive::MatrixFilled:
      return matrix(argument(0), argument(0));
    case Primitive::MatrixDiagonal:
      return diagonal();
    case Primitive::MatrixLoad:
      return matrixLoad();
    case Primitive::MatrixStore:
      return matrixStore();
    case Primitive::MatrixMultiply:
      return matrixMultiply();
    default:
      return onVector();
    }
  }

private:
  CallInst& call;
  IRBuilder<> build;
  Type* type;

  Value* argument(unsigned index) { return call.getArgOperand(index); }

  Align naturalAlignment(Type* of) {
    return Align(call.getDataLayout().getTypeStoreSize(of).getFixedValue());
  }

  Value* fence() {
    AtomicOrdering order = orderingOf(argument(1));
    if (order == AtomicOrdering::Monotonic) // relaxed: orders nothing
      order = AtomicOrdering::AcquireRelease;
    return build.CreateFence(order);
  }

  Value* atomicLoad() {
    LoadInst* load = build.CreateAlignedLoad(type, argument(0), naturalAlignment(type));
    AtomicOrdering order = orderingOf(argument(1));
    load->setAtomic(order == AtomicOrdering::Release          ? AtomicOrdering::Monotonic
                    : order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Acquire
                                                              : order);
    return load;
  }

  Value* atomicStore() {
    Value* value = argument(1);
    StoreInst* store =
        build.CreateAlignedStore(value, argument(0), naturalAlignment(value->getType()));
    AtomicOrdering order = orderingOf(argument(2));
    store->setAtomic(order == AtomicOrdering::Acquire          ? AtomicOrdering::Monotonic
                     : order == AtomicOrdering::AcquireRelease ? AtomicOrdering::Release
                                                               : order);
    return store;
  }

  Value* modify(AtomicRMWInst::BinOp operation) {
    if (operation == AtomicRMWInst::BAD_BINOP)
      return nullptr;
    return build.CreateAtomicRMW(operation, argument(0), argument(1), naturalAlignment(type),
                                 orderingOf(argument(2)));
  }

  /// The air function gives back what it saw, in `expected` and as its result.
  Value* compareExchange() {
    Value *object = argument(0), *expected = argument(1), *desired = argument(2);
    Type* bits = build.getIntNTy(type->getPrimitiveSizeInBits());
    Value* wanted = build.CreateLoad(bits, expected);
    AtomicOrdering onFailure = orderingOf(argument(4));
    if (onFailure == AtomicOrdering::Release)
      onFailure = AtomicOrdering::Monotonic;
    else if (onFailure == AtomicOrdering::AcquireRelease)
      onFailure = AtomicOrdering::Acquire;
    Value* pair =
        build.CreateAtomicCmpXchg(object, wanted, build.CreateBitCast(desired, bits),
                                  naturalAlignment(type), orderingOf(argument(3)), onFailure);
    Value* seen = build.CreateExtractValue(pair, 0);
    build.CreateStore(seen, expected);
    return build.CreateBitCast(seen, type);
  }

  // Matrices: lane l owns row ((l>>4)&1)*4 + ((l>>1)&3), columns ((l>>3)&1)*4 + (l&1)*2 and the
  // next.

  Value* matrix(Value* first, Value* second) {
    Value* made = build.CreateInsertElement(PoisonValue::get(type), first, uint64_t(0));
    return build.CreateInsertElement(made, second, uint64_t(1));
  }

  struct Place {
    Value *row, *column; ///< i64; the column of the first element
  };
  Place place() {
    Value* lane = build.CreateCall(threadFormFunction(*call.getModule(), LaneId));
    auto bits = [&](unsigned shift, unsigned mask) {
      return build.CreateAnd(build.CreateLShr(lane, shift), mask);
    };
    Value* row = build.CreateOr(bits(2, 4), bits(1, 3));
    Value* column = build.CreateOr(bits(1, 4), build.CreateShl(build.CreateAnd(lane, 1), 1));
    return {build.CreateZExt(row, build.getInt64Ty()),
            build.CreateZExt(column, build.getInt64Ty())};
  }

  Value* diagonal() {
    Place at = place();
    Value* zero = Constant::getNullValue(argument(0)->getType());
    auto element = [&](unsigned k) {
      Value* column = build.CreateAdd(at.column, build.getInt64(k));
      return build.CreateSelect(build.CreateICmpEQ(at.row, column), argument(0), zero);
    };
    Value* first = element(0);
    return matrix(first, element(1));
  }

  /// Address of this lane's element `k` of the matrix at `pointer`, whose further arguments are the
  /// distance of rows, the origin (column, row), and whether rows and columns change places.
  Value* elementAddress(const Place& at, unsigned k, unsigned pointer, Type* element) {
    Value* column = build.CreateAdd(at.column, build.getInt64(k));
    Value* transpose = argument(pointer + 3);
    Value* down = build.CreateSelect(transpose, column, at.row);
    Value* across = build.CreateSelect(transpose, at.row, column);
    Value* origin = argument(pointer + 2);
    down = build.CreateAdd(down, build.CreateExtractElement(origin, uint64_t(1)));
    across = build.CreateAdd(across, build.CreateExtractElement(origin, uint64_t(0)));
    Value* index = build.CreateAdd(build.CreateMul(down, argument(pointer + 1)), across);
    return build.CreateGEP(element, argument(pointer), index);
  }

  Value* matrixLoad() {
    Type* element = type->getScalarType();
    Place at = place();
    Value* first = build.CreateLoad(element, elementAddress(at, 0, 0, element));
    Value* second = build.CreateLoad(element, elementAddress(at, 1, 0, element));
    return matrix(first, second);
  }

  Value* matrixStore() {
    Value* value = argument(0);
    Type* element = value->getType()->getScalarType();
    Place at = place();
    build.CreateStore(build.CreateExtractElement(value, uint64_t(0)),
                      elementAddress(at, 0, 1, element));
    return build.CreateStore(build.CreateExtractElement(value, uint64_t(1)),
                             elementAddress(at, 1, 1, element));
  }

  static const char* nameOf(Type* element) {
    return element->isHalfTy() ? "f16" : element->isBFloatTy() ? "bf16" : "f32";
  }

  Value* matrixMultiply() {
    Type *d = type->getScalarType(), *a = argument(0)->getType()->getScalarType(),
         *b = argument(1)->getType()->getScalarType();
    std::string name = (MatrixFmaPrefix + nameOf(d) + "." + nameOf(a) + "." + nameOf(b)).str();
    Module& module = *call.getModule();
    Function* fma = module.getFunction(name);
    if (!fma) {
      fma = Function::Create(FunctionType::get(d, {a, a, b, d}, false), Function::ExternalLinkage,
                             name, module);
      fma->setDoesNotThrow();
      fma->setWillReturn();
      fma->setDoesNotAccessMemory();
      fma->setConvergent();
    }
    auto element = [&](unsigned index, uint64_t k) {
      return build.CreateExtractElement(argument(index), k);
    };
    Value *a0 = element(0, 0), *a1 = element(0, 1);
    Value* first = build.CreateCall(fma, {a0, a1, element(1, 0), element(2, 0)});
    Value* second = build.CreateCall(fma, {a0, a1, element(1, 1), element(2, 1)});
    return matrix(first, second);
  }

  /// An exchange function on a vector: one on each element.
  Value* onVector() {
    auto* vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
      return nullptr;
    std::string count = ("v" + Twine(vector->getNumElements())).str();
    std::string name = call.getCalledFunction()->getName().str();
    size_t at = name.rfind(count);
    if (at == std::string::npos)
      return nullptr;
    name.erase(at, count.size());
    SmallVector<Type*, 4> types;
    for (Value* each : call.args())
      types.push_back(each->getType()->getScalarType());
    auto* scalarType = FunctionType::get(vector->getElementType(), types, false);
    FunctionCallee scalar = call.getModule()->getOrInsertFunction(
        name, scalarType, call.getCalledFunction()->getAttributes());
    Value* result = PoisonValue::get(type);
    for (uint64_t index = 0; index < vector->getNumElements(); ++index) {
      SmallVector<Value*, 4> here;
      for (Value* each : call.args())
        here.push_back(each->getType()->isVectorTy() ? build.CreateExtractElement(each, index)
                                                     : each);
      result = build.CreateInsertElement(result, build.CreateCall(scalar, here), index);
    }
    return result;
  }
};

} // namespace

void lowerPrimitives(Function& thread) {
  for (Instruction& instruction : make_early_inc_range(instructions(thread))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    auto primitive = air::parsePrimitive(call->getCalledFunction()->getName());
    if (!primitive)
      continue;
    Value* becomes = Lowering(*call).lower(*primitive);
    if (!becomes)
      continue;
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(becomes);
    call->eraseFromParent();
  }
}

} // namespace metalloid::cpu
