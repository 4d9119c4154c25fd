// SPDX-License-Identifier: Apache-2.0
#include "msl/type_names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Type.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// The record, if `type` is a class that namespace metal declares.
const CXXRecordDecl* libraryClass(QualType type) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record)
    return nullptr;
  const auto* scope = dyn_cast<NamespaceDecl>(record->getDeclContext()->getRedeclContext());
  return scope && scope->getName() == "metal" && scope->getParent()->isTranslationUnit() ? record
                                                                                         : nullptr;
}

const ClassTemplateSpecializationDecl* librarySpecialisation(QualType type) {
  return dyn_cast_or_null<ClassTemplateSpecializationDecl>(libraryClass(type));
}

unsigned integerArgument(const ClassTemplateSpecializationDecl& record, unsigned index) {
  const TemplateArgumentList& arguments = record.getTemplateArgs();
  return index < arguments.size() && arguments[index].getKind() == TemplateArgument::Integral
             ? arguments[index].getAsIntegral().getLimitedValue()
             : 0;
}

std::string builtinName(const BuiltinType& type) {
  switch (type.getKind()) {
  case BuiltinType::Bool:
    return "bool";
  case BuiltinType::Char_S:
  case BuiltinType::SChar:
    return "char";
  case BuiltinType::Char_U:
  case BuiltinType::UChar:
    return "uchar";
  case BuiltinType::Short:
    return "short";
  case BuiltinType::UShort:
    return "ushort";
  case BuiltinType::Int:
    return "int";
  case BuiltinType::UInt:
    return "uint";
  case BuiltinType::Long:
  case BuiltinType::LongLong:
    return "long";
  case BuiltinType::ULong:
  case BuiltinType::ULongLong:
    return "ulong";
  case BuiltinType::Half:
  case BuiltinType::Float16:
    return "half";
  case BuiltinType::BFloat16:
    return "bfloat";
  case BuiltinType::Float:
    return "float";
  case BuiltinType::Void:
    return "void";
  default:
    return type.getName(PrintingPolicy(LangOptions())).str();
  }
}

std::string resourceName(const ClassTemplateSpecializationDecl& record, const ASTContext& context) {
  const ResourceType resource = *resourceType(context.getCanonicalTagType(&record));
  const TemplateArgument& element = record.getTemplateArgs()[0];
  return record.getName().str() + "<" + airTypeName(element.getAsType(), context) + ", " +
         resource.access + ">";
}

// Vectors and matrices go by the names that MSL gives their instantiations.
std::string libraryTypeName(QualType type, const ASTContext& context) {
  const auto* record = librarySpecialisation(type);
  if (!record || record->getTemplateArgs().size() == 0 ||
      record->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return {};
  const std::string element = airTypeName(record->getTemplateArgs()[0].getAsType(), context);
  const StringRef name = record->getName();
  const unsigned first = integerArgument(*record, 1);
  if (name == "vec")
    return element + std::to_string(first);
  if (name == "packed_vec")
    return "packed_" + element + std::to_string(first);
  if (name == "matrix")
    return element + std::to_string(first) + "x" + std::to_string(integerArgument(*record, 2));
  if (resourceType(type))
    return resourceName(*record, context);
  return {};
}

std::string templateArguments(const ClassTemplateSpecializationDecl& record,
                              const ASTContext& context) {
  std::string text;
  for (const TemplateArgument& argument : record.getTemplateArgs().asArray()) {
    text += text.empty() ? "<" : ", ";
    if (argument.getKind() == TemplateArgument::Type) {
      text += airTypeName(argument.getAsType(), context);
      continue;
    }
    llvm::raw_string_ostream stream(text);
    argument.print(context.getPrintingPolicy(), stream, /*IncludeType=*/false);
  }
  return text + ">";
}

// Whether the source names a specialisation by its template, `Params<2>`, perhaps through a
// typedef, rather than by a template's parameter that stands for it.
bool isWrittenAsSpecialisation(QualType type, const ASTContext& context) {
  while (!isa<SubstTemplateTypeParmType>(type)) {
    if (const auto* specialisation = dyn_cast<TemplateSpecializationType>(type);
        specialisation && !specialisation->isTypeAlias())
      return true;
    const QualType next = type.getSingleStepDesugaredType(context);
    if (next == type)
      return false;
    type = next;
  }
  return false;
}

// Apple prints the arguments of a specialisation only where the source does not write them.
std::string recordName(QualType type, const CXXRecordDecl& record, const ASTContext& context) {
  std::string name = record.getQualifiedNameAsString();
  const auto* specialisation = dyn_cast<ClassTemplateSpecializationDecl>(&record);
  if (specialisation && !isWrittenAsSpecialisation(type, context))
    name += templateArguments(*specialisation, context);
  return name;
}

llvm::Metadata* number(uint64_t value, llvm::LLVMContext& metadata) {
  return llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(metadata), value));
}

} // namespace

std::optional<VectorType> vectorType(QualType type) {
  const auto* record = librarySpecialisation(type);
  if (!record || record->getName() != "vec")
    return std::nullopt;
  return VectorType{record->getTemplateArgs()[0].getAsType(), integerArgument(*record, 1)};
}

std::optional<ResourceType> resourceType(QualType type) {
  const CXXRecordDecl* record = libraryClass(type);
  if (!record)
    return std::nullopt;
  const StringRef name = record->getName();
  if (name == "sampler")
    return ResourceType{ResourceType::Kind::Sampler, {}};
  if (!name.starts_with("texture") && !name.starts_with("depth"))
    return std::nullopt;
  static constexpr const char* kAccess[] = {"sample", "read", "write", "read_write"};
  const auto* specialisation = dyn_cast<ClassTemplateSpecializationDecl>(record);
  const unsigned access = specialisation ? integerArgument(*specialisation, 1) : 0;
  return ResourceType{ResourceType::Kind::Texture, kAccess[access & 3]};
}

std::string airTypeName(QualType type, const ASTContext& context) {
  const QualType written = type;
  type = context.getCanonicalType(type).getUnqualifiedType();
  if (const auto* builtin = type->getAs<BuiltinType>())
    return builtinName(*builtin);
  if (const auto* enumeration = type->getAsEnumDecl())
    return enumeration->getQualifiedNameAsString();
  if (type->isPointerOrReferenceType())
    return airTypeName(written->getPointeeType(), context);
  if (const ArrayType* array = context.getAsArrayType(written))
    return airTypeName(array->getElementType(), context);
  if (std::string name = libraryTypeName(type, context); !name.empty())
    return name;
  if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
    if (record->getName() == "bfloat" && libraryClass(type))
      return "bfloat";
    return recordName(written, *record, context);
  }
  return type.getAsString(context.getPrintingPolicy());
}

llvm::MDNode* structTypeInfo(QualType type, const ASTContext& context,
                             llvm::LLVMContext& metadata) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isUnion() || resourceType(type) ||
      !libraryTypeName(type, context).empty() || airTypeName(type, context) == "bfloat")
    return nullptr;
  const ASTRecordLayout& layout = context.getASTRecordLayout(record);
  llvm::SmallVector<llvm::Metadata*, 32> entries;
  for (const FieldDecl* field : record->fields()) {
    QualType element = field->getType();
    uint64_t length = 0; // 0: no array
    while (const ConstantArrayType* array = context.getAsConstantArrayType(element)) {
      length = (length ? length : 1) * array->getSize().getLimitedValue();
      element = array->getElementType();
    }
    if (llvm::MDNode* nested = structTypeInfo(element, context, metadata)) {
      entries.push_back(llvm::MDString::get(metadata, "air.struct_type_info"));
      entries.push_back(nested);
    }
    entries.push_back(number(layout.getFieldOffset(field->getFieldIndex()) / 8, metadata));
    entries.push_back(number(context.getTypeSizeInChars(element).getQuantity(), metadata));
    entries.push_back(number(length, metadata));
    entries.push_back(llvm::MDString::get(metadata, airTypeName(element, context)));
    entries.push_back(llvm::MDString::get(metadata, field->getName()));
  }
  return llvm::MDNode::get(metadata, entries);
}

} // namespace metalloid::msl
