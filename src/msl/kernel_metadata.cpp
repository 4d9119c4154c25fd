// SPDX-License-Identifier: Apache-2.0
#include "msl/kernel_metadata.h"

#include <array>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include "msl/attributes.h"
#include "msl/compile.h"
#include "msl/declared_kernels.h"
#include "msl/function_constants.h"
#include "msl/kernel_entry.h"
#include "msl/target.h"
#include "msl/type_names.h"

using namespace clang;

namespace metalloid::msl {
namespace {

/// The tables that a binding can be an index of, and how many entries each has.
enum class Table : uint8_t { Buffer, Threadgroup, Texture, Sampler };
struct TableInfo {
  llvm::StringLiteral attribute;
  unsigned size;
};
constexpr TableInfo kTables[] = {
    {"buffer", 31}, {"threadgroup", 31}, {"texture", 128}, {"sampler", 16}};

// Metadata operands, appended one after the other.
class Operands {
public:
  explicit Operands(llvm::LLVMContext& context) : context(context) {}

  Operands& text(StringRef value) {
    list.push_back(llvm::MDString::get(context, value));
    return *this;
  }
  Operands& number(uint64_t value) {
    list.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value)));
    return *this;
  }
  Operands& node(llvm::Metadata* value) {
    list.push_back(value);
    return *this;
  }
  llvm::MDNode* finish() const { return llvm::MDNode::get(context, list); }

private:
  llvm::LLVMContext& context;
  llvm::SmallVector<llvm::Metadata*, 24> list;
};

class KernelDescription {
public:
  KernelDescription(llvm::Function& kernel, const FunctionDecl& declaration,
                    FunctionConstants& constants)
      : kernel(kernel), declaration(declaration), context(declaration.getASTContext()),
        constants(constants), metadata(kernel.getContext()) {}

  llvm::MDNode* describe();

private:
  llvm::MDNode* describeParameter(const ParmVarDecl& parameter);
  void describeBinding(Operands& operands, const ParmVarDecl& parameter, Table table);
  void describePointee(Operands& operands, const ParmVarDecl& parameter);
  bool describeBuiltIn(Operands& operands, const ParmVarDecl& parameter);
  void describeCondition(Operands& operands, const ParmVarDecl& parameter);

  std::optional<Table> tableOf(const ParmVarDecl& parameter);
  unsigned location(const ParmVarDecl& parameter, Table table);
  void collectExplicitLocations();
  void checkPositions();
  llvm::MDNode* limit(StringRef attribute, StringRef airName);
  void error(const Decl& at, const llvm::Twine& message);

  llvm::Function& kernel;
  const FunctionDecl& declaration;
  const ASTContext& context;
  FunctionConstants& constants;
  llvm::LLVMContext& metadata;
  std::array<std::set<unsigned>, std::size(kTables)> taken;
};

void KernelDescription::error(const Decl& at, const llvm::Twine& message) {
  DiagnosticsEngine& diagnostics = context.getDiagnostics();
  diagnostics.Report(at.getLocation(), diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
      << message.str();
}

llvm::MDNode* KernelDescription::describe() {
  if (!declaration.getReturnType()->isVoidType())
    error(declaration, "kernel '" + declaration.getName() + "' must return void");
  collectExplicitLocations();
  checkPositions();
  Operands inputs(metadata);
  for (const ParmVarDecl* parameter : declaration.parameters())
    inputs.node(describeParameter(*parameter));
  Operands operands(metadata);
  operands.node(llvm::ValueAsMetadata::get(&kernel))
      .node(llvm::MDNode::get(metadata, {})) // outputs: a kernel has none
      .node(inputs.finish());
  if (auto* node = limit("max_total_threads_per_threadgroup", "air.max_work_group_size"))
    operands.node(node);
  return operands.finish();
}

llvm::MDNode* KernelDescription::limit(StringRef attribute, StringRef airName) {
  const AnnotateAttr* annotation = findAnnotation(declaration, attribute);
  if (!annotation)
    return nullptr;
  const auto value = annotationNumber(*annotation, context);
  if (!value || *value == 0 || *value > 1024) {
    error(declaration, "'" + attribute + "' needs a constant from 1 to 1024");
    return nullptr;
  }
  kernel.addFnAttr("max-work-group-size", std::to_string(*value));
  return Operands(metadata).text(airName).number(*value).finish();
}

std::optional<Table> KernelDescription::tableOf(const ParmVarDecl& parameter) {
  const QualType type = parameter.getType();
  if (type->isPointerOrReferenceType())
    return type->getPointeeType().getAddressSpace() == LangAS::opencl_local ? Table::Threadgroup
                                                                            : Table::Buffer;
  if (const auto resource = resourceType(type))
    return resource->kind == ResourceType::Kind::Texture ? Table::Texture : Table::Sampler;
  return std::nullopt;
}

void KernelDescription::collectExplicitLocations() {
  for (const ParmVarDecl* parameter : declaration.parameters()) {
    const auto table = tableOf(*parameter);
    if (!table)
      continue;
    const TableInfo& info = kTables[unsigned(*table)];
    for (const TableInfo& other : kTables)
      if (other.attribute != info.attribute && findAnnotation(*parameter, other.attribute))
        error(*parameter, "attribute '" + other.attribute + "' cannot be applied to parameter '" +
                              parameter->getName() + "', which needs '" + info.attribute + "'");
    const AnnotateAttr* annotation = findAnnotation(*parameter, info.attribute);
    if (!annotation)
      continue;
    const auto index = annotationNumber(*annotation, context);
    if (!index || *index >= info.size)
      error(*parameter, "'" + info.attribute + "' index of parameter '" + parameter->getName() +
                            "' must be a constant from 0 to " + llvm::Twine(info.size - 1));
    else if (!taken[unsigned(*table)].insert(*index).second &&
             !findAnnotation(*parameter, "function_constant"))
      error(*parameter, "'" + info.attribute + "' index " + llvm::Twine(*index) +
                            " of parameter '" + parameter->getName() + "' is already used");
  }
}

// The attribute's index; without one, the lowest that no parameter has taken.
unsigned KernelDescription::location(const ParmVarDecl& parameter, Table table) {
  if (const AnnotateAttr* annotation =
          findAnnotation(parameter, kTables[unsigned(table)].attribute))
    return annotationNumber(*annotation, context).value_or(0);
  std::set<unsigned>& used = taken[unsigned(table)];
  unsigned index = 0;
  while (used.count(index))
    ++index;
  used.insert(index);
  return index;
}

// Metal takes positions and sizes of the grid as scalars or as vectors, not some of each.
void KernelDescription::checkPositions() {
  const ParmVarDecl* first = nullptr;
  for (const ParmVarDecl* parameter : declaration.parameters()) {
    bool isPosition = false;
    for (StringRef name :
         {"thread_position_in_grid", "threads_per_grid", "thread_position_in_threadgroup",
          "threads_per_threadgroup", "threadgroup_position_in_grid", "threadgroups_per_grid"})
      isPosition |= findAnnotation(*parameter, name) != nullptr;
    if (!isPosition)
      continue;
    if (first &&
        vectorType(first->getType()).has_value() != vectorType(parameter->getType()).has_value())
      error(*parameter, "parameters '" + first->getName() + "' and '" + parameter->getName() +
                            "' must both be scalars or both be vectors");
    else if (!first)
      first = parameter;
  }
}

llvm::MDNode* KernelDescription::describeParameter(const ParmVarDecl& parameter) {
  Operands operands(metadata);
  operands.number(parameter.getFunctionScopeIndex());
  const auto table = tableOf(parameter);
  if (table)
    describeBinding(operands, parameter, *table);
  else if (!describeBuiltIn(operands, parameter))
    error(parameter, "parameter '" + parameter.getName() + "' of kernel '" + declaration.getName() +
                         "' is no buffer, texture or sampler and has no attribute that names a "
                         "built-in value");
  operands.text("air.arg_type_name").text(airTypeName(parameter.getType(), context));
  operands.text("air.arg_name").text(parameter.getName());
  if (isUnused(*kernel.getArg(parameter.getFunctionScopeIndex())))
    operands.text("air.arg_unused");
  return operands.finish();
}

void KernelDescription::describeCondition(Operands& operands, const ParmVarDecl& parameter) {
  const AnnotateAttr* annotation = findAnnotation(parameter, "function_constant");
  if (!annotation)
    return;
  const auto name = annotationText(*annotation);
  const VarDecl* constant = name ? findProgramScopeVariable(declaration, *name) : nullptr;
  if (!constant) {
    error(parameter, "'function_constant' of parameter '" + parameter.getName() +
                         "' must name a function constant");
    return;
  }
  operands.text("air.function_constant").node(constants.condition(*constant));
}

void KernelDescription::describeBinding(Operands& operands, const ParmVarDecl& parameter,
                                        Table table) {
  describeCondition(operands, parameter);
  if (table == Table::Buffer || table == Table::Threadgroup) {
    operands.text("air.buffer");
    const QualType type = parameter.getType();
    if (type->isReferenceType())
      operands.text("air.buffer_size")
          .number(context.getTypeSizeInChars(type->getPointeeType()).getQuantity());
    else if (const AnnotateAttr* extent = findAnnotation(parameter, kArrayExtent))
      operands.text("air.buffer_size")
          .number(context.getTypeSizeInChars(type->getPointeeType()).getQuantity() *
                  annotationNumber(*extent, context).value_or(0));
    operands.text("air.location_index").number(location(parameter, table)).number(1);
    describePointee(operands, parameter);
    return;
  }
  const ResourceType resource = *resourceType(parameter.getType());
  operands.text(table == Table::Texture ? "air.texture" : "air.sampler")
      .text("air.location_index")
      .number(location(parameter, table))
      .number(1);
  if (table == Table::Texture)
    operands.text("air." + resource.access);
}

void KernelDescription::describePointee(Operands& operands, const ParmVarDecl& parameter) {
  const QualType pointee = parameter.getType()->getPointeeType();
  unsigned space = 0;
  switch (pointee.getAddressSpace()) {
  case LangAS::opencl_global:
    space = 1;
    break;
  case LangAS::opencl_constant:
    space = 2;
    break;
  case LangAS::opencl_local:
    space = 3;
    break;
  default:
    error(parameter, "parameter '" + parameter.getName() + "' of kernel '" + declaration.getName() +
                         "' must point to device, constant or threadgroup memory");
  }
  const QualType element = context.getBaseElementType(pointee);
  operands.text(pointee.isConstQualified() || element.isConstQualified() ? "air.read"
                                                                         : "air.read_write");
  operands.text("air.address_space").number(space);
  if (llvm::MDNode* members = structTypeInfo(element, context, metadata))
    operands.text("air.struct_type_info").node(members);
  const bool sized = !element->isVoidType() && !element->isIncompleteType();
  operands.text("air.arg_type_size")
      .number(sized ? context.getTypeSizeInChars(element).getQuantity() : 1)
      .text("air.arg_type_align_size")
      .number(sized ? context.getTypeAlignInChars(element).getQuantity() : 1);
}

bool KernelDescription::describeBuiltIn(Operands& operands, const ParmVarDecl& parameter) {
  for (const auto* annotation : parameter.specific_attrs<AnnotateAttr>()) {
    StringRef name = annotation->getAnnotation();
    if (!name.consume_front(kAnnotationPrefix))
      continue;
    const Attribute* attribute = findAttribute(name);
    if (!attribute || attribute->kind != AttributeKind::BuiltIn)
      continue;
    const auto vector = vectorType(parameter.getType());
    const QualType element = vector ? vector->element : parameter.getType();
    const auto* scalar = element->getAs<BuiltinType>();
    if (!scalar ||
        (scalar->getKind() != BuiltinType::UShort && scalar->getKind() != BuiltinType::UInt))
      error(parameter, "type '" + airTypeName(parameter.getType(), context) + "' of parameter '" +
                           parameter.getName() + "' is not valid for '" + name +
                           "': use ushort, uint or a vector of them");
    operands.text(("air." + name).str());
    return true;
  }
  return false;
}

} // namespace

void addKernelMetadata(llvm::Function& kernel, const FunctionDecl& declaration,
                       FunctionConstants& constants) {
  llvm::MDNode* node = KernelDescription(kernel, declaration, constants).describe();
  kernel.getParent()->getOrInsertNamedMetadata("air.kernel")->addOperand(node);
}

void addModuleMetadata(llvm::Module& module, const Source& source, const AirVersion& version) {
  llvm::LLVMContext& context = module.getContext();
  auto add = [&](StringRef list, const Operands& operands) {
    module.getOrInsertNamedMetadata(list)->addOperand(operands.finish());
  };
  struct Limit {
    const char* name;
    unsigned value;
  };
  for (const Limit& limit :
       {Limit{"air.max_device_buffers", 31}, Limit{"air.max_constant_buffers", 31},
        Limit{"air.max_threadgroup_buffers", 31}, Limit{"air.max_textures", 128},
        Limit{"air.max_read_write_textures", 8}, Limit{"air.max_samplers", 16}})
    module.addModuleFlag(llvm::Module::Max, limit.name, limit.value);

  add("air.version", Operands(context).number(version.major).number(version.minor).number(0));
  add("air.language_version", Operands(context)
                                  .text("Metal")
                                  .number(version.language >> 16)
                                  .number(version.language & 0xffff)
                                  .number(0));
  add("air.compile_options", Operands(context).text("air.compile.denorms_disable"));
  add("air.compile_options",
      Operands(context).text(source.math == MathMode::Safe ? "air.compile.fast_math_disable"
                                                           : "air.compile.fast_math_enable"));
  add("air.compile_options", Operands(context).text("air.compile.framebuffer_fetch_enable"));
  add("air.source_file_name", Operands(context).text(source.name));
}

} // namespace metalloid::msl
