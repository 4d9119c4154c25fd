// SPDX-License-Identifier: Apache-2.0
#include "interp/program.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace metalloid::interp {
namespace {

constexpr unsigned ThreadgroupAddressSpace = 3;

} // namespace

FunctionCode::FunctionCode(Function& function, Layouts& layouts)
    : function(function), order(function) {
  auto add = [&](const Value& value) {
    rows[&value] = rowCount;
    rowCount += static_cast<uint32_t>(layouts.scalarsOf(*value.getType()).size());
  };
  for (const Argument& argument : function.args())
    add(argument);
  for (const Instruction& instruction : instructions(function))
    add(instruction);
}

Expected<std::unique_ptr<Program>> Program::load(Module& module, Memory& memory,
                                                 bool flushDenormals) {
  std::unique_ptr<Program> program(new Program(module, flushDenormals));
  // All have an address before any is filled: one may hold the address of another.
  for (const GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() != ThreadgroupAddressSpace)
      program->variables_[&variable] =
          memory.add(Memory::Kind::Constant, "variable \"" + variable.getName().str() + "\"",
                     module.getDataLayout().getTypeAllocSize(variable.getValueType()));
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == ThreadgroupAddressSpace)
      continue;
    SmallVector<Bits> scalars;
    if (!evaluateConstant(*variable.getInitializer(), program->layouts_, program->variables_,
                          scalars))
      return createStringError("interp: the initialiser of \"" + variable.getName() +
                               "\" has no value");
    storeScalars(program->layouts_.scalarsOf(*variable.getValueType()), scalars.data(), 1,
                 memory.region(program->variables_[&variable]).data());
  }
  return program;
}

void Program::addThreadgroupVariables(Memory& memory) {
  for (const GlobalVariable& variable : module_.globals())
    if (variable.getAddressSpace() == ThreadgroupAddressSpace)
      variables_[&variable] = memory.add(
          Memory::Kind::Threadgroup, "threadgroup variable \"" + variable.getName().str() + "\"",
          module_.getDataLayout().getTypeAllocSize(variable.getValueType()));
}

const FunctionCode& Program::codeOf(Function& function) {
  std::unique_ptr<FunctionCode>& code = code_[&function];
  if (!code)
    code = std::make_unique<FunctionCode>(function, layouts_);
  return *code;
}

const SmallVectorImpl<Bits>& Program::valueOf(const Constant& constant) {
  auto [entry, isNew] = constants_.try_emplace(&constant);
  if (isNew) {
    SmallVector<Bits, 4> scalars;
    if (!evaluateConstant(constant, layouts_, variables_, scalars)) {
      metUnknownConstant_ = true;
      scalars.assign(layouts_.scalarsOf(*constant.getType()).size(), 0);
    }
    entry->second = std::move(scalars);
  }
  return entry->second; // stays where it is: nodes of an unordered_map do not move
}

} // namespace metalloid::interp
