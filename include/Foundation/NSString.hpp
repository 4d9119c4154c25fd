// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "NSObjCRuntime.hpp"
#include "NSObject.hpp"
#include "NSRange.hpp"
#include "NSTypes.hpp"

namespace NS {

enum StringEncoding : NS::UInteger {
  ASCIIStringEncoding = 1,
  NEXTSTEPStringEncoding = 2,
  JapaneseEUCStringEncoding = 3,
  UTF8StringEncoding = 4,
  ISOLatin1StringEncoding = 5,
  SymbolStringEncoding = 6,
  NonLossyASCIIStringEncoding = 7,
  ShiftJISStringEncoding = 8,
  ISOLatin2StringEncoding = 9,
  UnicodeStringEncoding = 10,
  WindowsCP1251StringEncoding = 11,
  WindowsCP1252StringEncoding = 12,
  WindowsCP1253StringEncoding = 13,
  WindowsCP1254StringEncoding = 14,
  WindowsCP1250StringEncoding = 15,
  ISO2022JPStringEncoding = 21,
  MacOSRomanStringEncoding = 30,
  UTF16StringEncoding = UnicodeStringEncoding,
  UTF16BigEndianStringEncoding = 0x90000100,
  UTF16LittleEndianStringEncoding = 0x94000100,
  UTF32StringEncoding = 0x8c000100,
  UTF32BigEndianStringEncoding = 0x98000100,
  UTF32LittleEndianStringEncoding = 0x9c000100,
};

using StringCompareOptions = NS::UInteger;
enum : NS::UInteger {
  CaseInsensitiveSearch = 1,
  LiteralSearch = 2,
  BackwardsSearch = 4,
  AnchoredSearch = 8,
  NumericSearch = 64,
  DiacriticInsensitiveSearch = 128,
  WidthInsensitiveSearch = 256,
  ForcedOrderingSearch = 512,
  RegularExpressionSearch = 1024,
};

using unichar = unsigned short;

/// Immutable text. Kept as UTF-8; positions and lengths count UTF-16 units, as everywhere in
/// Foundation.
class METALLOID_API String : public Copying<String> {
public:
  static String* string();
  static String* string(const String* pString);
  /// Null where the bytes are not text of the encoding. ASCII strings may hold UTF-8. Encodings
  /// beyond ASCII, UTF-8, ISO Latin 1, UTF-16 and UTF-32 are not known here and give null.
  static String* string(const char* pString, StringEncoding encoding);

  static String* alloc();
  String* init();
  String* init(const String* pString);
  String* init(const char* pString, StringEncoding encoding);
  /// `freeBuffer`: the bytes came from malloc and become the string's to free.
  String* init(void* pBytes, UInteger len, StringEncoding encoding, bool freeBuffer);

  /// Throws std::out_of_range beyond length().
  unichar character(UInteger index) const;
  UInteger length() const;

  /// The text in an 8-bit encoding (or null), valid as long as the string.
  const char* cString(StringEncoding encoding) const;
  const char* utf8String() const;
  UInteger maximumLengthOfBytes(StringEncoding encoding) const;
  UInteger lengthOfBytes(StringEncoding encoding) const;

  bool isEqualToString(const String* pString) const;
  /// Where the text first (BackwardsSearch: last) occurs, else {NotFound, 0}. Knows
  /// CaseInsensitiveSearch (of ASCII letters), LiteralSearch, BackwardsSearch and AnchoredSearch;
  /// throws std::invalid_argument for other options.
  Range rangeOfString(const String* pString, StringCompareOptions options) const;

  const char* fileSystemRepresentation() const;

  String* stringByAppendingString(const String* pString) const;
  /// Compares with ASCII letters folded.
  ComparisonResult caseInsensitiveCompare(const String* pString) const;
};

namespace Private {
/// The one string of this text, which lives for ever.
METALLOID_API String* constantString(const char* utf8);
} // namespace Private

template <std::size_t _StringLen>
[[deprecated("please use MTLSTR(str)")]] const String*
MakeConstantString(const char (&str)[_StringLen]) {
  return Private::constantString(str);
}

} // namespace NS

/// An NS::String* that is never released, from a string literal.
#define MTLSTR(literal) (::NS::Private::constantString("" literal ""))
