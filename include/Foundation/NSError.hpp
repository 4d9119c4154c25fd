// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

using ErrorDomain = class String*;

METALLOID_API extern ErrorDomain const CocoaErrorDomain;
METALLOID_API extern ErrorDomain const POSIXErrorDomain;
METALLOID_API extern ErrorDomain const OSStatusErrorDomain;
METALLOID_API extern ErrorDomain const MachErrorDomain;

using ErrorUserInfoKey = class String*;

METALLOID_API extern ErrorUserInfoKey const UnderlyingErrorKey;
METALLOID_API extern ErrorUserInfoKey const LocalizedDescriptionKey;
METALLOID_API extern ErrorUserInfoKey const LocalizedFailureReasonErrorKey;
METALLOID_API extern ErrorUserInfoKey const LocalizedRecoverySuggestionErrorKey;
METALLOID_API extern ErrorUserInfoKey const LocalizedRecoveryOptionsErrorKey;
METALLOID_API extern ErrorUserInfoKey const RecoveryAttempterErrorKey;
METALLOID_API extern ErrorUserInfoKey const HelpAnchorErrorKey;
METALLOID_API extern ErrorUserInfoKey const DebugDescriptionErrorKey;
METALLOID_API extern ErrorUserInfoKey const LocalizedFailureErrorKey;
METALLOID_API extern ErrorUserInfoKey const StringEncodingErrorKey;
METALLOID_API extern ErrorUserInfoKey const URLErrorKey;
METALLOID_API extern ErrorUserInfoKey const FilePathErrorKey;

/// What went wrong. Functions with an `NS::Error** error` parameter set it on every failure, to an
/// autoreleased error, and leave it alone on success; null may be passed.
class METALLOID_API Error : public Copying<Error> {
public:
  static Error* error(ErrorDomain domain, Integer code, class Dictionary* pDictionary);

  static Error* alloc();
  Error* init();
  Error* init(ErrorDomain domain, Integer code, class Dictionary* pDictionary);

  Integer code() const;
  ErrorDomain domain() const;
  class Dictionary* userInfo() const;
  /// Never null: without LocalizedDescriptionKey it is made of domain and code.
  class String* localizedDescription() const;
  class Array* localizedRecoveryOptions() const;
  class String* localizedRecoverySuggestion() const;
  class String* localizedFailureReason() const;
};

} // namespace NS
