// SPDX-License-Identifier: Apache-2.0
// !air.kernel and its relatives to a Reflection, field by field. The metadata is untrusted: what is
// malformed is an error that names the kernel and the argument.
#include "air/error.h"
#include "air/metadata.h"
#include "air/module_contents.h"
#include "air/prepare.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace metalloid::air {
namespace {

/// Bounds on struct descriptions, which share nodes and so could unfold without end.
constexpr int MaxStructDepth = 16;
constexpr size_t MaxStructMembers = 65536;

/// A struct's layout: groups of offset, size, array length, type name, field name, each preceded by
/// the tag air.struct_type_info and the description of the member where that is a struct itself.
class StructReader {
public:
  llvm::Expected<std::vector<StructMember>> read(const MDNode& node, int depth = 0) {
    std::vector<StructMember> members;
    std::vector<StructMember> nested;
    if (depth > MaxStructDepth)
      return refuse("structs nest deeper than " + Twine(MaxStructDepth));
    for (unsigned i = 0; i < node.getNumOperands();) {
      if (auto tag = stringOperand(node, i)) {
        const MDNode* layout = nodeOperand(node, i + 1);
        if (*tag == "air.struct_type_info" && layout) {
          auto inner = read(*layout, depth + 1);
          if (!inner)
            return inner.takeError();
          nested = std::move(*inner);
        }
        i += 2;
        continue;
      }
      auto offset = integerOperand(node, i), size = integerOperand(node, i + 1),
           length = integerOperand(node, i + 2);
      auto type = stringOperand(node, i + 3), name = stringOperand(node, i + 4);
      if (!offset || !size || !length || !type || !name)
        return refuse("a struct member's description is malformed");
      if (++count_ > MaxStructMembers)
        return refuse("a struct has more than " + Twine(MaxStructMembers) + " members");
      members.push_back({.name = name->str(),
                         .typeName = type->str(),
                         .offset = static_cast<uint32_t>(*offset),
                         .size = static_cast<uint32_t>(*size),
                         .arrayLength = static_cast<uint32_t>(*length),
                         .members = std::exchange(nested, {})});
      i += 5;
    }
    return members;
  }

private:
  size_t count_ = 0;
};

ArgumentKind kindNamed(StringRef tag) {
  if (tag == "air.buffer")
    return ArgumentKind::Buffer;
  if (tag == "air.indirect_buffer")
    return ArgumentKind::IndirectBuffer;
  if (tag == "air.texture")
    return ArgumentKind::Texture;
  if (tag == "air.sampler")
    return ArgumentKind::Sampler;
  return ArgumentKind::BuiltIn;
}

/// Reads the operands of one `!{i32 index, tags…}`. A tag either stands alone or takes the operands
/// after it; the first tag that is none of the attributes names the argument's kind.
class ArgumentReader {
public:
  explicit ArgumentReader(const MDNode& node) : node_(node) {}

  llvm::Expected<Argument> read() {
    auto index = integerOperand(node_, 0);
    if (!index || *index < 0)
      return refuse("it has no parameter index");
    argument_.parameter = static_cast<uint32_t>(*index);
    while (position_ < node_.getNumOperands()) {
      auto tag = stringOperand(node_, position_++);
      if (!tag)
        continue; // an operand of a tag that is not known here
      if (llvm::Error error = readTag(*tag))
        return std::move(error);
    }
    if (!hasKind_)
      return refuse("it has no kind");
    if (argument_.kind == ArgumentKind::Buffer && argument_.addressSpace == 3)
      argument_.kind = ArgumentKind::ThreadgroupMemory;
    return std::move(argument_);
  }

private:
  llvm::Error readTag(StringRef tag) {
    if (tag == "air.location_index") {
      uint32_t location = 0;
      if (llvm::Error error = take(tag, location))
        return error;
      argument_.location = static_cast<int32_t>(location);
      return take(tag, argument_.arrayLength);
    }
    if (tag == "air.address_space") {
      uint32_t space = 0;
      llvm::Error error = take(tag, space);
      argument_.addressSpace = static_cast<uint8_t>(space);
      return error;
    }
    if (tag == "air.buffer_size")
      return take(tag, argument_.bufferSize);
    if (tag == "air.arg_type_size")
      return take(tag, argument_.typeSize);
    if (tag == "air.arg_type_align_size")
      return take(tag, argument_.typeAlign);
    if (tag == "air.arg_type_name")
      return take(tag, argument_.typeName);
    if (tag == "air.arg_name")
      return take(tag, argument_.name);
    if (tag == "air.struct_type_info")
      return takeStruct();
    if (tag == "air.function_constant")
      return takePredicate();
    if (tag == "air.arg_unused")
      argument_.unused = true;
    else if (tag == "air.read" || tag == "air.sample")
      argument_.access = Access::Read;
    else if (tag == "air.write")
      argument_.access = Access::Write;
    else if (tag == "air.read_write")
      argument_.access = Access::ReadWrite;
    else if (!hasKind_)
      takeKind(tag);
    return llvm::Error::success();
  }

  void takeKind(StringRef tag) {
    hasKind_ = true;
    argument_.kind = kindNamed(tag);
    if (argument_.kind == ArgumentKind::BuiltIn && tag.consume_front("air."))
      argument_.builtIn = tag.str();
  }

  llvm::Error take(StringRef tag, uint32_t& field) {
    auto value = integerOperand(node_, position_++);
    if (!value || !isUInt<32>(*value))
      return refuse("its " + tag + " is not a number");
    field = static_cast<uint32_t>(*value);
    return llvm::Error::success();
  }

  llvm::Error take(StringRef tag, std::string& field) {
    auto value = stringOperand(node_, position_++);
    if (!value)
      return refuse("its " + tag + " is not a string");
    field = value->str();
    return llvm::Error::success();
  }

  llvm::Error takeStruct() {
    const MDNode* layout = nodeOperand(node_, position_++);
    if (!layout)
      return refuse("its air.struct_type_info is not a node");
    auto members = StructReader().read(*layout);
    if (!members)
      return members.takeError();
    argument_.members = std::move(*members);
    return llvm::Error::success();
  }

  llvm::Error takePredicate() {
    const MDNode* predicate = nodeOperand(node_, position_++);
    auto name = predicate ? stringOperand(*predicate, 2) : std::nullopt;
    if (!name)
      return refuse("its air.function_constant is malformed");
    argument_.constantName = name->str();
    return llvm::Error::success();
  }

  const MDNode& node_;
  unsigned position_ = 1;
  bool hasKind_ = false;
  Argument argument_;
};

/// The argument's kind and the parameter's type must agree: back ends rely on it.
llvm::Error checkType(const Argument& argument, const Function& kernel) {
  if (argument.parameter >= kernel.arg_size())
    return refuse("it names parameter " + Twine(argument.parameter) + " of " +
                  Twine(kernel.arg_size()));
  Type* type = kernel.getArg(argument.parameter)->getType();
  if (argument.kind == ArgumentKind::BuiltIn) {
    if (!type->isIntOrIntVectorTy() || type->isScalableTy())
      return refuse("the value " + Twine(argument.builtIn) + " is not of integer type");
    return llvm::Error::success();
  }
  auto* pointer = dyn_cast<PointerType>(type);
  if (!pointer)
    return refuse("its parameter is not a pointer");
  bool isMemory = argument.kind != ArgumentKind::Texture && argument.kind != ArgumentKind::Sampler;
  if (isMemory && pointer->getAddressSpace() != argument.addressSpace)
    return refuse("it says address space " + Twine(argument.addressSpace) + ", its parameter has " +
                  Twine(pointer->getAddressSpace()));
  return llvm::Error::success();
}

llvm::Error readArguments(const MDNode& inputs, const Function& kernel, Reflection& reflection) {
  for (unsigned i = 0; i < inputs.getNumOperands(); ++i) {
    auto inContext = [&](llvm::Error error) {
      return joinErrors(refuse("argument " + Twine(i) + " of kernel \"" + kernel.getName() + "\""),
                        std::move(error));
    };
    const MDNode* node = nodeOperand(inputs, i);
    if (!node)
      return refuse("argument " + Twine(i) + " of kernel \"" + kernel.getName() +
                    "\" is not described by a node");
    auto argument = ArgumentReader(*node).read();
    if (!argument)
      return inContext(argument.takeError());
    if (argument->parameter != i)
      return inContext(refuse("it is described as parameter " + Twine(argument->parameter)));
    if (llvm::Error error = checkType(*argument, kernel))
      return inContext(std::move(error));
    reflection.arguments.push_back(std::move(*argument));
  }
  if (reflection.arguments.size() != kernel.arg_size())
    return refuse("kernel \"" + kernel.getName() + "\" describes " +
                  Twine(reflection.arguments.size()) + " of its " + Twine(kernel.arg_size()) +
                  " parameters");
  return llvm::Error::success();
}

/// The operands after the inputs: limits that the source set on the threadgroup.
void readLimits(const MDNode& kernelNode, Reflection& reflection) {
  for (unsigned i = 3; i < kernelNode.getNumOperands(); ++i) {
    const MDNode* node = nodeOperand(kernelNode, i);
    auto tag = node ? stringOperand(*node, 0) : std::nullopt;
    if (!tag)
      continue;
    if (*tag == "air.max_work_group_size") {
      if (auto threads = integerOperand(*node, 1); threads && *threads > 0)
        reflection.maxTotalThreads = static_cast<uint32_t>(std::min<int64_t>(*threads, 1024));
    } else if (*tag == "air.required_threads_per_threadgroup") {
      for (unsigned axis = 0; axis < 3; ++axis)
        reflection.requiredThreads[axis] =
            static_cast<uint32_t>(integerOperand(*node, axis + 1).value_or(0));
    }
  }
}

/// "2.6.0" from the integers of a version's node, beginning at operand `first`.
std::string readVersion(const Module& module, StringRef name, unsigned first) {
  const NamedMDNode* node = module.getNamedMetadata(name);
  if (!node || node->getNumOperands() == 0)
    return {};
  const MDNode& version = *node->getOperand(0);
  std::string text;
  for (unsigned i = first; i < version.getNumOperands(); ++i)
    text += (i == first ? "" : ".") + std::to_string(integerOperand(version, i).value_or(0));
  return text;
}

void readModuleOptions(const Module& module, Reflection& reflection) {
  if (const NamedMDNode* options = module.getNamedMetadata("air.compile_options"))
    for (const MDNode* option : options->operands()) {
      auto text = stringOperand(*option, 0);
      reflection.fastMath |= text == "air.compile.fast_math_enable";
      reflection.flushDenormals |= text == "air.compile.denorms_disable";
    }
  if (const NamedMDNode* source = module.getNamedMetadata("air.source_file_name"))
    if (source->getNumOperands() > 0)
      reflection.sourceFile = stringOperand(*source->getOperand(0), 0).value_or("").str();
  reflection.languageVersion = readVersion(module, "air.language_version", 1);
  reflection.airVersion = readVersion(module, "air.version", 0);
  if (const NamedMDNode* units = module.getNamedMetadata("llvm.dbg.cu"))
    reflection.hasDebugInfo = units->getNumOperands() > 0;
}

} // namespace

std::vector<std::string> kernelNames(const Module& module) {
  std::vector<std::string> names;
  if (const NamedMDNode* kernels = module.getNamedMetadata("air.kernel"))
    for (const MDNode* node : kernels->operands())
      if (auto* kernel = valueOperand<Function>(*node, 0))
        names.push_back(kernel->getName().str());
  return names;
}

llvm::Expected<Reflection> describe(const Module& module, StringRef name) {
  auto kernelNode = findKernel(module, name);
  if (!kernelNode)
    return kernelNode.takeError();
  const Function& kernel = *valueOperand<Function>(**kernelNode, 0);
  const MDNode* inputs = nodeOperand(**kernelNode, 2);
  if (!inputs)
    return refuse("kernel \"" + name + "\" has no description of its arguments");

  Reflection reflection;
  reflection.name = name.str();
  if (llvm::Error error = readArguments(*inputs, kernel, reflection))
    return std::move(error);
  readLimits(**kernelNode, reflection);
  auto constants = functionConstants(module);
  if (!constants)
    return constants.takeError();
  for (const ConstantGlobal& constant : *constants)
    reflection.constants.push_back(constant.description);
  readModuleOptions(module, reflection);
  reflection.staticThreadgroupBytes = threadgroupBytes(module, kernel);
  return reflection;
}

} // namespace metalloid::air
