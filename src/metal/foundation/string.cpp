// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/string.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "metal/foundation/unicode.h"

using namespace metalloid::metal;

namespace NS {
namespace {

char16_t folded(char16_t unit) {
  return unit >= u'A' && unit <= u'Z' ? char16_t(unit - u'A' + u'a') : unit;
}

/// Bytes of a zero-terminated string in units of the encoding's size.
std::string_view terminated(const char* bytes, StringEncoding encoding) {
  const size_t unit = encoding == UTF16StringEncoding || encoding == UTF16BigEndianStringEncoding ||
                              encoding == UTF16LittleEndianStringEncoding
                          ? 2
                      : encoding == UTF32StringEncoding ||
                              encoding == UTF32BigEndianStringEncoding ||
                              encoding == UTF32LittleEndianStringEncoding
                          ? 4
                          : 1;
  if (unit == 1)
    return bytes;
  constexpr char zeros[4] = {};
  size_t length = 0;
  while (std::memcmp(bytes + length, zeros, unit) != 0)
    length += unit;
  return {bytes, length};
}

/// Fills a string that alloc() made; releases it and returns null where there is no such text.
String* initialise(String* string, std::optional<std::string> text) {
  if (!text) {
    string->release();
    return nullptr;
  }
  as<StringObject>(string)->text = *std::move(text);
  return string;
}

} // namespace

String* String::string() {
  return makeAutoreleased<StringObject>();
}

String* String::string(const String* pString) {
  return makeAutoreleased<StringObject>(std::string(textOf(pString)));
}

String* String::string(const char* pString, StringEncoding encoding) {
  String* string = alloc()->init(pString, encoding);
  return string ? string->autorelease() : nullptr;
}

String* String::alloc() {
  return make<StringObject>();
}

String* String::init() {
  return this;
}

String* String::init(const String* pString) {
  return initialise(this, std::string(textOf(pString)));
}

String* String::init(const char* pString, StringEncoding encoding) {
  if (!pString)
    return initialise(this, std::nullopt);
  return initialise(this, toUtf8(terminated(pString, encoding), encoding));
}

String* String::init(void* pBytes, UInteger len, StringEncoding encoding, bool freeBuffer) {
  auto text = toUtf8({static_cast<const char*>(pBytes), len}, encoding);
  if (freeBuffer)
    std::free(pBytes);
  return initialise(this, std::move(text));
}

unichar String::character(UInteger index) const {
  const std::u16string units = toUtf16(textOf(this));
  if (index >= units.size())
    throw std::out_of_range("NS::String::character: index " + std::to_string(index) +
                            " is beyond the string's length " + std::to_string(units.size()));
  return units[index];
}

UInteger String::length() const {
  return toUtf16(textOf(this)).size();
}

const char* String::cString(StringEncoding encoding) const {
  const std::string& text = as<StringObject>(this)->text;
  const bool isAscii = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
  const bool fits =
      encoding == UTF8StringEncoding ||
      (isAscii && (encoding == ASCIIStringEncoding || encoding == ISOLatin1StringEncoding));
  return fits ? text.c_str() : nullptr;
}

const char* String::utf8String() const {
  return as<StringObject>(this)->text.c_str();
}

UInteger String::maximumLengthOfBytes(StringEncoding encoding) const {
  switch (encoding) {
  case ASCIIStringEncoding:
  case ISOLatin1StringEncoding:
    return length();
  case UTF8StringEncoding:
    return 3 * length();
  default:
    return 4 * length();
  }
}

UInteger String::lengthOfBytes(StringEncoding encoding) const {
  switch (encoding) {
  case UTF8StringEncoding:
    return textOf(this).size();
  case ASCIIStringEncoding:
  case ISOLatin1StringEncoding:
    return cString(encoding) ? length() : 0;
  case UTF16StringEncoding:
  case UTF16BigEndianStringEncoding:
  case UTF16LittleEndianStringEncoding:
    return 2 * length();
  default:
    return 0;
  }
}

bool String::isEqualToString(const String* pString) const {
  return isEqual(pString);
}

Range String::rangeOfString(const String* pString, StringCompareOptions options) const {
  constexpr StringCompareOptions known =
      CaseInsensitiveSearch | LiteralSearch | BackwardsSearch | AnchoredSearch;
  if (options & ~known)
    throw std::invalid_argument("NS::String::rangeOfString: options " +
                                std::to_string(options & ~known) + " are not supported");
  std::u16string text = toUtf16(textOf(this)), sought = toUtf16(textOf(pString));
  if (options & CaseInsensitiveSearch)
    for (std::u16string* units : {&text, &sought})
      std::transform(units->begin(), units->end(), units->begin(), folded);

  size_t position = options & BackwardsSearch ? text.rfind(sought) : text.find(sought);
  if (options & AnchoredSearch) {
    const size_t anchor = options & BackwardsSearch ? text.size() - sought.size() : 0;
    position = position == anchor ? position : std::u16string::npos;
  }
  if (sought.empty() || position == std::u16string::npos)
    return Range(UInteger(NotFound), 0);
  return Range(position, sought.size());
}

const char* String::fileSystemRepresentation() const {
  return utf8String();
}

String* String::stringByAppendingString(const String* pString) const {
  return makeAutoreleased<StringObject>(std::string(textOf(this)).append(textOf(pString)));
}

ComparisonResult String::caseInsensitiveCompare(const String* pString) const {
  std::u16string left = toUtf16(textOf(this)), right = toUtf16(textOf(pString));
  for (std::u16string* units : {&left, &right})
    std::transform(units->begin(), units->end(), units->begin(), folded);
  const int order = left.compare(right);
  return order < 0 ? OrderedAscending : order > 0 ? OrderedDescending : OrderedSame;
}

String* Private::constantString(const char* utf8) {
  // Never destroyed: constants are used while the program ends.
  static auto& lock = *new std::mutex;
  static auto& constants = *new std::unordered_map<std::string, String*>;
  std::lock_guard guard(lock);
  auto [entry, isNew] = constants.try_emplace(utf8, nullptr);
  if (isNew)
    entry->second = make<StringObject>(utf8);
  return entry->second;
}

} // namespace NS
