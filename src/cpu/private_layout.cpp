// SPDX-License-Identifier: Apache-2.0
// In:  thread form whose private arrays are allocas.
// Out: thread form in which each is a block shared by the SIMD-group's lanes (cpu.private) that the
//      lane indexes into; equal elements of the lanes lie side by side.
// Why: an array that every lane indexes alike is then loaded and stored in whole vectors. Before
// the
//      region splitter, so that all regions agree where an element lies.
//
// An array that is accessed in units of z bytes has its byte o at (o / z) * 32z + lane * z + o % z.
// Where the address of an array goes its own ways (a phi, a call), each lane has it in one piece.
#include "cpu/thread_form.h"

#include <bit>
#include <numeric>

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

constexpr uint64_t Lanes = 32;
constexpr uint64_t MostPieces = 16;        ///< Units that one load or store may take.
constexpr uint64_t MostUnrolledUnits = 32; ///< Of a copy that is written out.

/// The innermost element's size: the unit to copy `type` in.
uint64_t elementBytes(const DataLayout& layout, Type* type) {
  while (true) {
    if (auto* array = dyn_cast<ArrayType>(type))
      type = array->getElementType();
    else if (auto* fields = dyn_cast<StructType>(type); fields && fields->getNumElements())
      type = fields->getElementType(0);
    else if (auto* vector = dyn_cast<FixedVectorType>(type))
      type = vector->getElementType();
    else
      return type->isSized() ? layout.getTypeStoreSize(type).getFixedValue() : 1;
  }
}

AllocaInst* privateArrayOf(Value* pointer) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
}

/// memcpy, memmove and memset of private arrays as loads and stores of elements.
class CopyExpansion {
public:
  explicit CopyExpansion(Function& thread) : layout(thread.getDataLayout()) {
    SmallVector<MemIntrinsic*, 8> calls;
    for (Instruction& instruction : instructions(thread))
      if (auto* call = dyn_cast<MemIntrinsic>(&instruction))
        calls.push_back(call);
    for (MemIntrinsic* call : calls)
      expand(*call);
  }

private:
  const DataLayout& layout;

  void expand(MemIntrinsic& call) {
    auto* copy = dyn_cast<MemTransferInst>(&call);
    AllocaInst* to = privateArrayOf(call.getRawDest());
    AllocaInst* from = copy ? privateArrayOf(copy->getRawSource()) : nullptr;
    auto* length = dyn_cast<ConstantInt>(call.getLength());
    if ((!to && !from) || !length || (to == from && isa<MemMoveInst>(call)))
      return;
    uint64_t bytes = length->getZExtValue();
    uint64_t unit = std::gcd(bytes, uint64_t(8));
    for (AllocaInst* array : {to, from})
      if (array)
        unit = std::gcd(unit, elementBytes(layout, array->getAllocatedType()));
    if (bytes == 0) {
      call.eraseFromParent();
      return;
    }
    unit = std::bit_floor(unit);
    uint64_t count = bytes / unit;
    if (count <= MostUnrolledUnits) {
      IRBuilder<> build(&call);
      for (uint64_t index = 0; index < count; ++index)
        copyUnit(build, call, unit, build.getInt64(index));
    } else {
      auto [body, index] = SplitBlockAndInsertSimpleForLoop(
          ConstantInt::get(Type::getInt64Ty(call.getContext()), count), call.getIterator());
      IRBuilder<> build(body);
      copyUnit(build, call, unit, index);
    }
    call.eraseFromParent();
  }

  void copyUnit(IRBuilder<>& build, MemIntrinsic& call, uint64_t unit, Value* index) {
    Type* type = build.getIntNTy(unit * 8);
    Value* value;
    if (auto* copy = dyn_cast<MemTransferInst>(&call)) {
      Align alignment = commonAlignment(copy->getSourceAlign().valueOrOne(), unit);
      value = build.CreateAlignedLoad(type, build.CreateGEP(type, copy->getRawSource(), index),
                                      alignment);
    } else {
      Value* byte = build.CreateZExt(cast<MemSetInst>(call).getValue(), type);
      value = build.CreateMul(byte, ConstantInt::get(type, APInt::getSplat(unit * 8, APInt(8, 1))));
    }
    build.CreateAlignedStore(value, build.CreateGEP(type, call.getRawDest(), index),
                             commonAlignment(call.getDestAlign().valueOrOne(), unit));
  }
};

class PrivateArray {
public:
  PrivateArray(AllocaInst& array, unsigned number)
      : array(array), number(number), layout(array.getDataLayout()),
        bytes(layout.getTypeAllocSize(array.getAllocatedType()).getFixedValue()) {}

  void layOut() {
    if (auto* count = dyn_cast<ConstantInt>(array.getArraySize()))
      bytes *= count->getZExtValue();
    bool shared = collect() && chooseUnit();
    IRBuilder<> build(&array);
    uint64_t stride = shared ? unit : alignTo(bytes, array.getAlign());
    uint64_t block = shared ? alignTo(bytes, unit) * Lanes : stride * Lanes;
    Module& module = *array.getModule();
    Value* base =
        build.CreateCall(threadFormFunction(module, PrivateBlock),
                         {build.getInt32(number), build.getInt64(block)}, array.getName());
    Value* lane =
        build.CreateZExt(build.CreateCall(threadFormFunction(module, LaneId)), build.getInt64Ty());
    Value* mine =
        build.CreateGEP(build.getInt8Ty(), base, build.CreateMul(lane, build.getInt64(stride)));
    for (Instruction* instruction : dead)
      instruction->eraseFromParent();
    if (shared) {
      moveAddresses();
      for (Instruction* access : accesses)
        rewrite(*access);
    }
    array.replaceAllUsesWith(mine);
    array.eraseFromParent();
  }

private:
  struct Offset {
    SmallMapVector<Value*, APInt, 4> terms;
    APInt constant{64, 0};
  };
  AllocaInst& array;
  const unsigned number;
  const DataLayout& layout;
  uint64_t bytes;
  uint64_t unit = 0;
  SmallVector<Instruction*, 16> accesses; ///< Loads and stores.
  MapVector<GetElementPtrInst*, Offset> addresses;
  SmallVector<Instruction*, 4> dead; ///< Lifetime markers.

  /// Finds all uses; false where an address goes its own ways.
  bool collect() {
    SmallVector<Value*, 16> work{&array};
    bool known = true;
    while (!work.empty()) {
      Value* pointer = work.pop_back_val();
      for (Use& use : pointer->uses()) {
        auto* user = cast<Instruction>(use.getUser());
        if (user->isLifetimeStartOrEnd()) {
          dead.push_back(user);
        } else if (auto* address = dyn_cast<GetElementPtrInst>(user);
                   address && use.getOperandNo() == 0 && !address->getType()->isVectorTy()) {
          Offset& offset = addresses[address];
          known &=
              cast<GEPOperator>(address)->collectOffset(layout, 64, offset.terms, offset.constant);
          work.push_back(address);
        } else if (isPlainAccess(*user, use)) {
          accesses.push_back(user);
        } else {
          known = false;
        }
      }
    }
    return known;
  }

  static bool isPlainAccess(const Instruction& user, const Use& use) {
    if (auto* load = dyn_cast<LoadInst>(&user))
      return load->isSimple() && isScalar(load->getType());
    auto* store = dyn_cast<StoreInst>(&user);
    return store && store->isSimple() &&
           use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
           isScalar(store->getValueOperand()->getType());
  }

  static bool isScalar(const Type* type) { return !type->isAggregateType() && !type->isVectorTy(); }

  uint64_t sizeOf(const Instruction& access) const {
    return layout.getTypeStoreSize(getLoadStoreType(&access)).getFixedValue();
  }

  bool chooseUnit() {
    uint64_t divisor = 8, largest = 1;
    for (Instruction* access : accesses) {
      divisor = std::gcd(divisor, sizeOf(*access));
      largest = std::max(largest, sizeOf(*access));
      if (layout.getTypeSizeInBits(getLoadStoreType(access)) % 8 != 0 && sizeOf(*access) > 1)
        return false;
    }
    for (auto& [address, offset] : addresses) {
      divisor = std::gcd(divisor, offset.constant.abs().getZExtValue());
      for (auto& [index, factor] : offset.terms)
        divisor = std::gcd(divisor, factor.abs().getZExtValue());
    }
    unit = std::bit_floor(divisor);
    return largest / unit <= MostPieces;
  }

  /// Every offset from the array's start grows 32-fold.
  void moveAddresses() {
    for (auto& [address, offset] : addresses) {
      IRBuilder<> build(address);
      Value* sum = build.getInt64((offset.constant * Lanes).getSExtValue());
      for (auto& [index, factor] : offset.terms) {
        Value* wide = build.CreateSExtOrTrunc(index, build.getInt64Ty());
        sum = build.CreateAdd(
            sum, build.CreateMul(wide, build.getInt64((factor * Lanes).getSExtValue())));
      }
      Value* moved =
          build.CreateGEP(build.getInt8Ty(), address->getPointerOperand(), sum, address->getName());
      address->replaceAllUsesWith(moved);
      address->eraseFromParent();
    }
  }

  void rewrite(Instruction& access) {
    Align alignment(unit);
    uint64_t count = sizeOf(access) / unit;
    auto* load = dyn_cast<LoadInst>(&access);
    if (count == 1) {
      load ? load->setAlignment(alignment) : cast<StoreInst>(access).setAlignment(alignment);
      return;
    }
    IRBuilder<> build(&access);
    Type* type = getLoadStoreType(&access);
    Type *piece = build.getIntNTy(unit * 8), *whole = build.getIntNTy(unit * 8 * count);
    Value* pointer = getLoadStorePointerOperand(&access);
    auto at = [&](uint64_t index) {
      return build.CreateConstGEP1_64(build.getInt8Ty(), pointer, index * unit * Lanes);
    };
    if (load) {
      Value* joined = nullptr;
      for (uint64_t index = 0; index < count; ++index) {
        Value* part = build.CreateZExt(build.CreateAlignedLoad(piece, at(index), alignment), whole);
        part = build.CreateShl(part, index * unit * 8);
        joined = joined ? build.CreateOr(joined, part) : part;
      }
      load->replaceAllUsesWith(build.CreateBitOrPointerCast(joined, type));
    } else {
      Value* value = build.CreateBitOrPointerCast(cast<StoreInst>(access).getValueOperand(), whole);
      for (uint64_t index = 0; index < count; ++index)
        build.CreateAlignedStore(
            build.CreateTrunc(build.CreateLShr(value, index * unit * 8), piece), at(index),
            alignment);
    }
    access.eraseFromParent();
  }
};

} // namespace

void layoutPrivateArrays(Function& thread) {
  CopyExpansion expansion(thread);
  SmallVector<AllocaInst*, 8> arrays;
  for (Instruction& instruction : instructions(thread))
    if (auto* array = dyn_cast<AllocaInst>(&instruction))
      arrays.push_back(array);
  for (unsigned number = 0; number < arrays.size(); ++number)
    PrivateArray(*arrays[number], number).layOut();
}

} // namespace metalloid::cpu
