// SPDX-License-Identifier: Apache-2.0
#include "random_kernel.h"

#include <random>

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace metalloid::test {
namespace {

constexpr unsigned ArrayLength = 6;
constexpr unsigned MaxThreads = 256;

/// The module around the kernel; DENORMS is replaced by enable or disable.
constexpr StringLiteral Template = R"(
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx14.0.0"
@tile = internal addrspace(3) global [256 x i32] undef, align 4
define void @k(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %counters, i32 %thread, i32 %local, i32 %lane, i32 %group, i32 %size) {
  ret void
}
!air.kernel = !{!0}
!air.compile_options = !{!20}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !4, !5, !6, !7, !8, !9, !10}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 8, !"air.arg_type_name", !"ulong", !"air.arg_name", !"out"}
!4 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"in"}
!5 = !{i32 2, !"air.buffer", !"air.location_index", i32 2, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"counters"}
!6 = !{i32 3, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"thread"}
!7 = !{i32 4, !"air.thread_position_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"local"}
!8 = !{i32 5, !"air.thread_index_in_simdgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"lane"}
!9 = !{i32 6, !"air.threadgroup_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"group"}
!10 = !{i32 7, !"air.threads_per_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"size"}
!20 = !{!"air.compile.denorms_DENORMS"}
)";

class Generator {
public:
  Generator(Module& module, uint64_t seed)
      : module_(module), kernel_(*module.getFunction("k")), builder_(module.getContext()),
        random_(seed) {
    LLVMContext& context = module.getContext();
    types_ = {Type::getInt8Ty(context),  Type::getInt16Ty(context), Type::getInt32Ty(context),
              Type::getInt64Ty(context), Type::getHalfTy(context),  Type::getFloatTy(context)};
  }

  void run() {
    builder_.SetInsertPoint(kernel_.getEntryBlock().getTerminator());
    kernel_.getEntryBlock().getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(&kernel_.getEntryBlock());
    declareVariables();
    // Every slot is written before any thread can return.
    storeTile(input(argument("local")));
    block(3, /*isUniform=*/true);
    finish();
  }

private:
  uint64_t below(uint64_t count) { return random_() % count; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> const T& anyOf(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  Value* argument(StringRef name) {
    for (Argument& argument : kernel_.args())
      if (argument.getName() == name)
        return &argument;
    llvm_unreachable("no such argument");
  }
  BasicBlock* newBlock() { return BasicBlock::Create(module_.getContext(), "", &kernel_); }

  void declareVariables() {
    for (Type* type : types_) {
      for (int i = 0; i < 2; ++i)
        variables_.push_back(builder_.CreateAlloca(type));
      if (chance(50))
        arrays_.push_back(builder_.CreateAlloca(ArrayType::get(type, ArrayLength)));
    }
    for (AllocaInst* variable : variables_)
      builder_.CreateStore(resize(input(argument("thread")), variable->getAllocatedType()),
                           variable);
    for (AllocaInst* array : arrays_)
      for (unsigned i = 0; i < ArrayLength; ++i)
        builder_.CreateStore(constant(array->getAllocatedType()->getArrayElementType()),
                             builder_.CreateConstGEP2_32(array->getAllocatedType(), array, 0, i));
  }

  // Expressions.

  Value* input(Value* index) {
    Value* inside = builder_.CreateAnd(builder_.CreateZExtOrTrunc(index, builder_.getInt32Ty()),
                                       RandomKernel::InputWords - 1);
    return builder_.CreateLoad(builder_.getInt32Ty(),
                               builder_.CreateGEP(builder_.getInt32Ty(), argument("in"), inside));
  }

  /// An i32 as any type, without ever reading a float out of arbitrary bits.
  Value* resize(Value* value, Type* type) {
    if (type->isFloatingPointTy())
      return builder_.CreateSIToFP(value, type);
    return builder_.CreateZExtOrTrunc(value, type);
  }

  Constant* constant(Type* type) {
    if (type->isFloatingPointTy()) {
      static const std::vector<double> values = {
          0.0, -0.0, 1.0,   -1.0,   0.5,  3.0,  1e-3,     100.25,   -65504.0,
          1e9, 3e38, 1e-39, -2e-42, 6e-8, 1e-5, INFINITY, -INFINITY};
      return ConstantFP::get(type, anyOf(values));
    }
    static const std::vector<uint64_t> values = {
        0,  1,   2,   3,   7,      8,     15,    31,         32,         33,
        64, 127, 128, 255, 0xffff, ~0ull, ~1ull, 0x7fffffff, 0x80000000, 1ull << 63};
    return ConstantInt::get(type, APInt(type->getIntegerBitWidth(), anyOf(values), false, true));
  }

  Value* variable(Type* type) {
    std::vector<AllocaInst*> fitting;
    for (AllocaInst* variable : variables_)
      if (variable->getAllocatedType() == type)
        fitting.push_back(variable);
    return builder_.CreateLoad(type, anyOf(fitting));
  }

  /// An element at any index, which may lie outside.
  Value* element(AllocaInst* array) {
    Value* index = expression(chance(50) ? types_[2] : types_[1], 1);
    if (chance(70))
      index = builder_.CreateURem(index, ConstantInt::get(index->getType(), ArrayLength + 2));
    return builder_.CreateGEP(array->getAllocatedType(), array, {builder_.getInt32(0), index});
  }

  Value* condition(int depth) {
    Type* type = anyOf(types_);
    Value* a = expression(type, depth - 1);
    Value* b = expression(type, depth - 1);
    if (type->isFloatingPointTy())
      return builder_.CreateFCmp(static_cast<CmpInst::Predicate>(CmpInst::FCMP_OEQ + below(14)), a,
                                 b);
    return builder_.CreateICmp(static_cast<CmpInst::Predicate>(CmpInst::ICMP_EQ + below(10)), a, b);
  }

  Value* expression(Type* type, int depth) {
    if (depth <= 0 || chance(15)) {
      switch (below(4)) {
      case 0:
        return constant(type);
      case 1:
        if (type->isIntegerTy()) {
          static const std::vector<StringRef> names = {"thread", "local", "lane", "group", "size"};
          return resize(argument(anyOf(names)), type);
        }
        [[fallthrough]];
      default:
        return variable(type);
      }
    }
    if (chance(10))
      return builder_.CreateSelect(condition(depth), expression(type, depth - 1),
                                   expression(type, depth - 1));
    if (chance(10))
      for (AllocaInst* array : arrays_)
        if (array->getAllocatedType()->getArrayElementType() == type)
          return builder_.CreateLoad(type, element(array));
    return type->isFloatingPointTy() ? floatExpression(type, depth) : integer(type, depth);
  }

  Value* floatExpression(Type* type, int depth) {
    Value* a = expression(type, depth - 1);
    switch (below(12)) {
    case 0:
    case 1:
      return builder_.CreateFAdd(a, expression(type, depth - 1));
    case 2:
      return builder_.CreateFSub(a, expression(type, depth - 1));
    case 3:
    case 4:
      return builder_.CreateFMul(a, expression(type, depth - 1));
    case 5:
      return builder_.CreateFDiv(a, expression(type, depth - 1));
    case 6:
      return builder_.CreateIntrinsic(
          Intrinsic::fmuladd, {type},
          {a, expression(type, depth - 1), expression(type, depth - 1)});
    case 7:
      return builder_.CreateFNeg(a);
    case 8: {
      static const std::vector<Intrinsic::ID> unary = {Intrinsic::fabs, Intrinsic::floor,
                                                       Intrinsic::ceil, Intrinsic::trunc,
                                                       Intrinsic::sqrt, Intrinsic::roundeven};
      return builder_.CreateUnaryIntrinsic(anyOf(unary), a);
    }
    case 9: {
      Type* other = type->isHalfTy() ? types_[5] : types_[4];
      return builder_.CreateFPCast(expression(other, depth - 1), type);
    }
    default: {
      Value* number =
          expression(anyOf(types_)->isIntegerTy() ? types_[below(4)] : types_[2], depth - 1);
      return chance(50) ? builder_.CreateSIToFP(number, type) : builder_.CreateUIToFP(number, type);
    }
    }
  }

  Value* integer(Type* type, int depth) {
    static const std::vector<Instruction::BinaryOps> operations = {
        Instruction::Add,  Instruction::Sub,  Instruction::Mul,  Instruction::And,
        Instruction::Or,   Instruction::Xor,  Instruction::Shl,  Instruction::LShr,
        Instruction::AShr, Instruction::UDiv, Instruction::SDiv, Instruction::URem,
        Instruction::SRem};
    if (chance(55)) {
      Value* a = expression(type, depth - 1);
      return builder_.CreateBinOp(anyOf(operations), a, expression(type, depth - 1));
    }
    switch (below(6)) {
    case 0: { // from another width
      Value* other = expression(types_[below(4)], depth - 1);
      return chance(50) ? builder_.CreateSExtOrTrunc(other, type)
                        : builder_.CreateZExtOrTrunc(other, type);
    }
    case 1: { // from a float, often out of range
      Value* number = expression(types_[4 + below(2)], depth - 1);
      return chance(50) ? builder_.CreateFPToSI(number, type) : builder_.CreateFPToUI(number, type);
    }
    case 2: {
      static const std::vector<Intrinsic::ID> binary = {Intrinsic::smin,     Intrinsic::smax,
                                                        Intrinsic::umin,     Intrinsic::umax,
                                                        Intrinsic::sadd_sat, Intrinsic::usub_sat};
      Value* a = expression(type, depth - 1);
      return builder_.CreateBinaryIntrinsic(anyOf(binary), a, expression(type, depth - 1));
    }
    case 3: {
      static const std::vector<Intrinsic::ID> counts = {Intrinsic::ctlz, Intrinsic::cttz,
                                                        Intrinsic::abs};
      return builder_.CreateIntrinsic(anyOf(counts), {type},
                                      {expression(type, depth - 1), builder_.getTrue()});
    }
    case 4: {
      Value* a = expression(type, depth - 1);
      Value* b = expression(type, depth - 1);
      return builder_.CreateIntrinsic(chance(50) ? Intrinsic::fshl : Intrinsic::fshr, {type},
                                      {a, b, expression(type, depth - 1)});
    }
    default: {
      static const std::vector<Intrinsic::ID> unary = {Intrinsic::ctpop, Intrinsic::bitreverse};
      return builder_.CreateUnaryIntrinsic(anyOf(unary), expression(type, depth - 1));
    }
    }
  }

  // Statements. A block ends with the builder at a place that is still open.

  void block(int depth, bool isUniform) {
    for (uint64_t count = 1 + below(4); count > 0; --count)
      statement(depth, isUniform);
  }

  void statement(int depth, bool isUniform) {
    switch (below(depth > 0 ? 13 : 6)) {
    case 0:
    case 1:
      assign();
      break;
    case 2:
      if (!arrays_.empty()) {
        AllocaInst* array = anyOf(arrays_);
        Value* value = expression(array->getAllocatedType()->getArrayElementType(), 2);
        builder_.CreateStore(value, element(array));
      }
      break;
    case 3:
      exchangeLanes();
      break;
    case 4:
      countAtomically();
      break;
    case 5:
      if (isUniform)
        exchangeThreads();
      else
        assign();
      break;
    case 6:
    case 7:
      ifStatement(depth, isUniform);
      break;
    case 8:
      switchStatement(depth);
      break;
    case 9:
      if (chance(40))
        earlyReturn();
      break;
    default:
      loop(depth, isUniform);
      break;
    }
  }

  void assign() {
    AllocaInst* target = anyOf(variables_);
    builder_.CreateStore(expression(target->getAllocatedType(), 3), target);
  }

  FunctionCallee air(const Twine& name, Type* result, ArrayRef<Type*> parameters) {
    return module_.getOrInsertFunction(("air." + name).str(),
                                       FunctionType::get(result, parameters, false));
  }

  /// "s.i32" or "f16".
  std::string suffix(Type* type, bool isSigned) {
    if (type->isFloatingPointTy())
      return type->isHalfTy() ? "f16" : "f32";
    return (isSigned ? "s.i" : "u.i") + std::to_string(type->getIntegerBitWidth());
  }

  void exchangeLanes() {
    static const std::vector<std::string> groups = {"simd_", "simd_", "quad_"};
    const std::string& group = anyOf(groups);
    Type* flag = builder_.getInt1Ty();
    if (chance(20)) {
      Value* vote = builder_.CreateCall(
          air(Twine(group) + (chance(50) ? "any" : "all"), flag, {flag}), {condition(2)});
      AllocaInst* target = variables_[below(8)];
      builder_.CreateStore(builder_.CreateZExt(vote, target->getAllocatedType()), target);
      return;
    }
    // Integers of 64 bits are not exchanged.
    std::vector<AllocaInst*> targets;
    for (AllocaInst* variable : variables_)
      if (!variable->getAllocatedType()->isIntegerTy(64))
        targets.push_back(variable);
    AllocaInst* target = anyOf(targets);
    Type* type = target->getAllocatedType();
    Type* i16 = builder_.getInt16Ty();
    std::string ending = "." + suffix(type, chance(50));
    Value* value = expression(type, 2);
    Value* result = nullptr;
    switch (below(4)) {
    case 0: {
      static const std::vector<std::string> whole = {"sum", "product", "min", "max"};
      static const std::vector<std::string> bits = {"and", "or", "xor"};
      bool isBitwise = type->isIntegerTy() && chance(30);
      result = builder_.CreateCall(
          air(group + (isBitwise ? anyOf(bits) : anyOf(whole)) + ending, type, {type}), {value});
      break;
    }
    case 1: {
      static const std::vector<std::string> scans = {"prefix_inclusive_sum", "prefix_exclusive_sum",
                                                     "prefix_inclusive_product",
                                                     "prefix_exclusive_product"};
      result = builder_.CreateCall(air(group + anyOf(scans) + ending, type, {type}), {value});
      break;
    }
    case 2: {
      static const std::vector<std::string> moves = {"shuffle_up", "shuffle_down", "shuffle_xor",
                                                     "shuffle_rotate_up", "shuffle_rotate_down"};
      unsigned width = group == "quad_" ? 4 : 32;
      result = builder_.CreateCall(air(group + anyOf(moves) + ending, type, {type, i16}),
                                   {value, builder_.getInt16(static_cast<uint16_t>(below(width)))});
      break;
    }
    default: {
      unsigned width = group == "quad_" ? 4 : 32;
      Value* from = builder_.CreateAnd(expression(i16, 2), width - 1);
      result =
          builder_.CreateCall(air(group + "shuffle" + ending, type, {type, i16}), {value, from});
      break;
    }
    }
    builder_.CreateStore(result, target);
  }

  /// One operation a counter, so that the order among threads does not matter.
  void countAtomically() {
    static const std::vector<std::string> operations = {"add", "max", "or", "xor"};
    uint64_t operation = below(operations.size());
    Type* word = builder_.getInt32Ty();
    Type* flag = builder_.getInt1Ty();
    Value* at = builder_.CreateAdd(builder_.CreateAnd(expression(word, 1), 3),
                                   builder_.getInt32(static_cast<uint32_t>(operation * 4)));
    Value* pointer = builder_.CreateGEP(word, argument("counters"), at);
    builder_.CreateCall(air("atomic.global." + operations[operation] + ".u.i32", word,
                            {pointer->getType(), word, word, word, flag}),
                        {pointer, expression(word, 2), builder_.getInt32(0), builder_.getInt32(2),
                         builder_.getTrue()});
  }

  Value* tileSlot(Value* index) {
    GlobalVariable* tile = module_.getNamedGlobal("tile");
    return builder_.CreateGEP(tile->getValueType(), tile, {builder_.getInt32(0), index});
  }
  void storeTile(Value* value) { builder_.CreateStore(value, tileSlot(argument("local"))); }

  void barrier() {
    Type* word = builder_.getInt32Ty();
    builder_.CreateCall(air("wg.barrier", builder_.getVoidTy(), {word, word}),
                        {builder_.getInt32(2), builder_.getInt32(1)});
  }

  /// Each thread writes its slot and reads another's, barriers around.
  void exchangeThreads() {
    barrier();
    storeTile(expression(types_[2], 2));
    barrier();
    Value* shifted = builder_.CreateAdd(argument("local"), expression(types_[2], 1));
    Value* from = builder_.CreateURem(shifted, argument("size"));
    AllocaInst* target = variables_[below(8)];
    Value* value = builder_.CreateLoad(types_[2], tileSlot(from));
    builder_.CreateStore(resize(value, target->getAllocatedType()), target);
  }

  void ifStatement(int depth, bool isUniform) {
    bool staysUniform = isUniform && chance(30);
    Value* test = staysUniform
                      ? builder_.CreateICmpEQ(builder_.CreateAnd(argument("group"), 1),
                                              builder_.getInt32(static_cast<uint32_t>(below(2))))
                      : condition(2);
    BasicBlock* yes = newBlock();
    BasicBlock* no = newBlock();
    BasicBlock* join = newBlock();
    builder_.CreateCondBr(test, yes, no);
    builder_.SetInsertPoint(yes);
    block(depth - 1, staysUniform);
    builder_.CreateBr(join);
    builder_.SetInsertPoint(no);
    if (chance(50))
      block(depth - 1, staysUniform);
    builder_.CreateBr(join);
    builder_.SetInsertPoint(join);
  }

  /// Cases may fall through to the next.
  void switchStatement(int depth) {
    BasicBlock* join = newBlock();
    uint64_t count = 2 + below(3);
    std::vector<BasicBlock*> cases;
    for (uint64_t i = 0; i < count; ++i)
      cases.push_back(newBlock());
    Value* value = builder_.CreateAnd(expression(types_[2], 2), 7);
    SwitchInst* choice = builder_.CreateSwitch(value, chance(50) ? join : cases[0]);
    for (uint64_t i = 0; i < count; ++i)
      choice->addCase(builder_.getInt32(static_cast<uint32_t>(i * 2)), cases[i]);
    for (uint64_t i = 0; i < count; ++i) {
      builder_.SetInsertPoint(cases[i]);
      block(depth - 1, false);
      builder_.CreateBr(i + 1 < count && chance(30) ? cases[i + 1] : join);
    }
    builder_.SetInsertPoint(join);
  }

  /// A few turns. Divergent ones may break and continue.
  void loop(int depth, bool isUniform) {
    bool staysUniform = isUniform && chance(50);
    Type* word = builder_.getInt32Ty();
    Value* turns = staysUniform
                       ? cast<Value>(builder_.getInt32(static_cast<uint32_t>(1 + below(3))))
                       : builder_.CreateAnd(expression(word, 2), 3);
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* header = newBlock();
    BasicBlock* body = newBlock();
    BasicBlock* latch = newBlock();
    BasicBlock* exit = newBlock();
    builder_.CreateBr(header);
    builder_.SetInsertPoint(header);
    PHINode* turn = builder_.CreatePHI(word, 2);
    turn->addIncoming(builder_.getInt32(0), before);
    builder_.CreateCondBr(builder_.CreateICmpULT(turn, turns), body, exit);
    builder_.SetInsertPoint(body);
    block(depth - 1, staysUniform);
    if (!staysUniform && chance(50)) {
      BasicBlock* rest = newBlock();
      builder_.CreateCondBr(condition(2), chance(50) ? exit : latch, rest);
      builder_.SetInsertPoint(rest);
      block(depth - 1, false);
    }
    builder_.CreateBr(latch);
    builder_.SetInsertPoint(latch);
    turn->addIncoming(builder_.CreateAdd(turn, builder_.getInt32(1)), latch);
    builder_.CreateBr(header);
    builder_.SetInsertPoint(exit);
  }

  void earlyReturn() {
    BasicBlock* leave = newBlock();
    BasicBlock* stay = newBlock();
    builder_.CreateCondBr(condition(2), leave, stay);
    builder_.SetInsertPoint(leave);
    finish();
    builder_.SetInsertPoint(stay);
  }

  /// out[thread] = a number that depends on every variable and element.
  void finish() {
    Value* hash = builder_.getInt64(0x9e3779b97f4a7c15ull);
    for (AllocaInst* variable : variables_)
      hash = mix(hash, builder_.CreateLoad(variable->getAllocatedType(), variable));
    for (AllocaInst* array : arrays_)
      for (unsigned i = 0; i < ArrayLength; ++i)
        hash = mix(hash, builder_.CreateLoad(
                             array->getAllocatedType()->getArrayElementType(),
                             builder_.CreateConstGEP2_32(array->getAllocatedType(), array, 0, i)));
    builder_.CreateStore(
        hash, builder_.CreateGEP(builder_.getInt64Ty(), argument("out"), argument("thread")));
    builder_.CreateRetVoid();
  }

  /// All NaNs count as one: which of them an operation gives is open.
  Value* mix(Value* hash, Value* value) {
    Type* type = value->getType();
    if (type->isFloatingPointTy()) {
      Type* bits = builder_.getIntNTy(type->getScalarSizeInBits());
      Value* isNan = builder_.CreateFCmpUNO(value, value);
      value = builder_.CreateSelect(isNan, ConstantInt::get(bits, 0x7fff),
                                    builder_.CreateBitCast(value, bits));
    }
    Value* word = builder_.CreateZExt(value, builder_.getInt64Ty());
    hash = builder_.CreateMul(builder_.CreateXor(hash, word), builder_.getInt64(0x100000001b3ull));
    return builder_.CreateXor(hash, builder_.CreateLShr(hash, 29));
  }

  Module& module_;
  Function& kernel_;
  IRBuilder<NoFolder> builder_; ///< Folding would make poison of what must stay defined.
  std::mt19937_64 random_;
  std::vector<Type*> types_;
  std::vector<AllocaInst*> variables_; ///< Two of each type, in the order of types_.
  std::vector<AllocaInst*> arrays_;
};

} // namespace

RandomKernel makeRandomKernel(uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x5bd1e995);
  RandomKernel kernel;
  static constexpr uint32_t sizes[] = {32, 64, 40, 96, 128, 7, 256};
  kernel.threadsPerThreadgroup = sizes[random() % std::size(sizes)];
  // The last threadgroup is cut short, but for one time in three.
  kernel.threads = kernel.threadsPerThreadgroup * 2;
  if (random() % 3 != 0)
    kernel.threads += static_cast<uint32_t>(1 + random() % kernel.threadsPerThreadgroup);
  static_assert(std::ranges::max(sizes) <= MaxThreads);
  for (uint32_t i = 0; i < RandomKernel::InputWords; ++i)
    kernel.input.push_back(static_cast<uint32_t>(random() % 3 == 0 ? random() : random() % 40));

  LLVMContext context;
  SMDiagnostic problem;
  std::string text = Template.str();
  text.replace(text.find("DENORMS"), 7, random() % 2 ? "enable" : "disable");
  auto module = parseAssemblyString(text, problem, context);
  Generator(*module, seed).run();
  if (verifyModule(*module, &errs()))
    report_fatal_error("a random kernel does not verify");
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(*module, stream);
  ByteView view = asBytes(std::string_view(bitcode.data(), bitcode.size()));
  kernel.bitcode.assign(view.begin(), view.end());
  return kernel;
}

} // namespace metalloid::test
