// SPDX-License-Identifier: Apache-2.0
#include "air/functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Type.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace metalloid::air {
namespace {

constexpr bool Plain = false;
constexpr bool WithFast = true;
constexpr Home Library = Home::Library;
constexpr Home Primitive = Home::Primitive;

constexpr FunctionRow rows[] = {
#define AIR_FUNCTION(name, forms, signature, home, test) {name, forms, signature, home, test},
#include "air/functions.def"
};

/// A class of spellings for one part of a name: any prefix followed by any scalar, the scalar as it
/// is or as a vector of one of the widths.
struct PartClass {
  StringRef name;
  llvm::SmallVector<StringRef, 8> prefixes;
  llvm::SmallVector<StringRef, 8> scalars;
  llvm::SmallVector<unsigned, 4> widths;
};

/// A class that is the union of others.
struct UnionClass {
  StringRef name;
  llvm::SmallVector<StringRef, 4> members;
};

// The same list in several classes: floats, integers.
#define FLOATS {"f32", "f16"}
#define INTEGERS {"i8", "i16", "i32", "i64"}
#define ANY_WIDTH {1, 2, 3, 4}

const PartClass partClasses[] = {
    {"{float}", {""}, FLOATS, ANY_WIDTH},
    {"{bfloat}", {""}, {"bf16"}, ANY_WIDTH},
    {"{float-vector}", {""}, FLOATS, {2, 3, 4}},
    {"{float2}", {""}, FLOATS, {2}},
    {"{float3}", {""}, FLOATS, {3}},
    {"{float4}", {""}, FLOATS, {4}},
    {"{bool-vector}", {""}, {"i1"}, {2, 3, 4}},
    {"{int}", {""}, INTEGERS, ANY_WIDTH},
    {"{int32}", {""}, {"i32"}, ANY_WIDTH},
    {"{sign}", {"s", "u"}, {""}, {1}},
    {"{size}", {""}, {"i16", "i32"}, {1}},
    {"{matrix}", {""}, {"f32", "f16", "bf16"}, {64}},
    {"{element}", {""}, {"f32", "f16", "bf16"}, {1}},
    {"{pointer}", {"p1", "p3"}, {"f32", "f16", "bf16"}, {1}},
    {"{group}", {"simd", "quad"}, {""}, {1}},
    {"{space}", {"global", "local"}, {""}, {1}},
    {"{word}", {""}, {"i32", "i64", "f32"}, {1}},
    {"{any}", {""}, {"i1", "i8", "i16", "i32", "i64", "f32", "f16"}, ANY_WIDTH},
    {"{float-number}", {"f."}, {"f32", "f16", "bf16"}, ANY_WIDTH},
    {"{signed-number}", {"s."}, INTEGERS, ANY_WIDTH},
    {"{unsigned-number}", {"u."}, {"i1", "i8", "i16", "i32", "i64"}, ANY_WIDTH},
    {"{float-lane}", {""}, {"f32", "f16", "bf16"}, ANY_WIDTH},
    {"{int-lane}", {"s.", "u."}, INTEGERS, ANY_WIDTH},
    {"{float-word}", {""}, {"f32"}, {1}},
    {"{int-word}", {"s.", "u."}, {"i32", "i64"}, {1}},
};

const UnionClass unionClasses[] = {
    {"{number}", {"{float-number}", "{signed-number}", "{unsigned-number}"}},
    {"{lane}", {"{float-lane}", "{int-lane}"}},
    {"{number-word}", {"{float-word}", "{int-word}"}},
};

#undef FLOATS
#undef INTEGERS
#undef ANY_WIDTH

std::string spell(StringRef prefix, StringRef scalar, unsigned width) {
  std::string vector = width == 1 ? "" : "v" + std::to_string(width);
  return prefix.str() + vector + scalar.str();
}

void spellings(StringRef part, llvm::function_ref<void(std::string)> visit) {
  for (const UnionClass& set : unionClasses)
    if (set.name == part)
      for (StringRef member : set.members)
        spellings(member, visit);
  for (const PartClass& set : partClasses)
    if (set.name == part)
      for (StringRef prefix : set.prefixes)
        for (StringRef scalar : set.scalars)
          for (unsigned width : set.widths)
            visit(spell(prefix, scalar, width));
}

/// Takes a spelling of `part` off the front of `text`; the spelling must be whole, so that i1 is
/// not found in i16.
bool consumePart(StringRef part, StringRef& text) {
  bool found = false;
  spellings(part, [&](std::string spelling) {
    StringRef rest = text;
    bool whole =
        rest.consume_front(spelling) && (rest.empty() || StringRef("._").contains(rest[0]));
    if (found || !whole)
      return;
    text = rest;
    found = true;
  });
  return found;
}

/// The types that stand in a name, first to fourth.
using TypeNames = llvm::SmallVector<StringRef, 4>;

bool isTypeName(StringRef token) {
  token.consume_front("p1") || token.consume_front("p3");
  unsigned width = 0;
  if (token.consume_front("v"))
    token.consumeInteger(10, width);
  return llvm::is_contained({"f32", "f16", "bf16", "i1", "i8", "i16", "i32", "i64"}, token);
}

TypeNames typeNames(StringRef name) {
  llvm::SmallVector<StringRef, 8> tokens;
  name.split(tokens, '.');
  TypeNames types;
  for (StringRef token : tokens)
    if (isTypeName(token))
      types.push_back(token);
  return types;
}

unsigned widthOf(StringRef typeName) {
  unsigned width = 1;
  if (typeName.consume_front("v"))
    typeName.consumeInteger(10, width);
  return width;
}

/// A conversion keeps the number of elements; the pattern alone does not say so.
bool widthsAgree(const FunctionRow& row, StringRef name) {
  if (!row.name.starts_with("convert."))
    return true;
  TypeNames types = typeNames(name);
  return types.size() == 2 && widthOf(types[0]) == widthOf(types[1]);
}

/// Whether `text` (without "air." and "fast_") is spelled as `pattern`.
bool matches(StringRef pattern, StringRef text) {
  while (!pattern.empty()) {
    size_t brace = pattern.find('{');
    if (!text.consume_front(pattern.take_front(brace)))
      return false;
    if (brace == StringRef::npos)
      break;
    size_t end = pattern.find('}') + 1;
    if (StringRef part = pattern.slice(brace, end); !consumePart(part, text))
      return false;
    pattern = pattern.drop_front(end);
  }
  return text.empty();
}

llvm::Type* scalarType(llvm::LLVMContext& context, StringRef name) {
  return llvm::StringSwitch<llvm::Type*>(name)
      .Case("f32", llvm::Type::getFloatTy(context))
      .Case("f16", llvm::Type::getHalfTy(context))
      .Case("bf16", llvm::Type::getBFloatTy(context))
      .Case("i1", llvm::Type::getInt1Ty(context))
      .Case("i8", llvm::Type::getInt8Ty(context))
      .Case("i16", llvm::Type::getInt16Ty(context))
      .Case("i32", llvm::Type::getInt32Ty(context))
      .Case("i64", llvm::Type::getInt64Ty(context))
      .Case("void", llvm::Type::getVoidTy(context))
      .Default(nullptr);
}

llvm::Type* withWidth(llvm::Type* scalar, unsigned width) {
  return width == 1 ? scalar : llvm::FixedVectorType::get(scalar, width);
}

llvm::Type* parseType(llvm::LLVMContext& context, StringRef name) {
  unsigned width = widthOf(name);
  if (width != 1)
    name = name.drop_while([](char c) { return c == 'v' || llvm::isDigit(c); });
  return withWidth(scalarType(context, name), width);
}

unsigned addressSpaceIn(StringRef name) {
  return name.contains(".local.") || name.contains(".p3") ? 3 : 1;
}

/// The type a signature's letter or type name means for `name`.
llvm::Type* meaning(llvm::LLVMContext& context, StringRef letter, StringRef name) {
  TypeNames types = typeNames(name);
  if (size_t index = StringRef("TUVW").find(letter); letter.size() == 1 && index != StringRef::npos)
    return parseType(context, types[index]);
  if (letter == "S")
    return parseType(context, types[0])->getScalarType();
  if (letter == "N")
    return withWidth(llvm::Type::getInt32Ty(context), widthOf(types[0]));
  if (letter == "B")
    return withWidth(llvm::Type::getInt1Ty(context), widthOf(types[0]));
  if (letter == "p" || letter == "P")
    return llvm::PointerType::get(context, letter == "p" ? 0 : addressSpaceIn(name));
  return parseType(context, letter);
}

} // namespace

ArrayRef<FunctionRow> functionRows() {
  return rows;
}

const FunctionRow* findFunction(StringRef name) {
  if (!name.consume_front("air."))
    return nullptr;
  bool fast = name.consume_front("fast_");
  for (const FunctionRow& row : rows)
    if ((!fast || row.withFast) && matches(row.name, name) && widthsAgree(row, name))
      return &row;
  return nullptr;
}

bool isKnownFunction(StringRef name) {
  return findFunction(name) != nullptr;
}

bool hasKnownType(StringRef name, llvm::FunctionType* type) {
  const FunctionRow* row = findFunction(name);
  if (!row)
    return false;
  if (row->signature == "any")
    return true;
  auto [result, list] = row->signature.split('(');
  llvm::SmallVector<StringRef, 8> letters;
  list.drop_back().split(letters, ',', -1, /*KeepEmpty=*/false);
  llvm::LLVMContext& context = type->getContext();
  return !type->isVarArg() && type->getReturnType() == meaning(context, result, name) &&
         llvm::equal(type->params(), letters, [&](llvm::Type* parameter, StringRef letter) {
           return parameter == meaning(context, letter, name);
         });
}

std::vector<std::string> expandNames(const FunctionRow& row) {
  std::vector<std::string> names = {""};
  StringRef pattern = row.name;
  while (!pattern.empty()) {
    size_t brace = std::min(pattern.find('{'), pattern.size());
    size_t end = std::min(pattern.find('}') + 1, pattern.size());
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      std::string prefix = name + pattern.take_front(brace).str();
      if (brace == pattern.size())
        longer.push_back(prefix);
      else
        spellings(pattern.slice(brace, end),
                  [&](std::string spelling) { longer.push_back(prefix + spelling); });
    }
    names = std::move(longer);
    pattern = brace == pattern.size() ? StringRef() : pattern.drop_front(end);
  }
  llvm::erase_if(names, [&](const std::string& name) { return !widthsAgree(row, name); });

  std::vector<std::string> full;
  for (const std::string& name : names) {
    full.push_back("air." + name);
    if (row.withFast)
      full.push_back("air.fast_" + name);
  }
  return full;
}

} // namespace metalloid::air
