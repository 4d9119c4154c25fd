// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/error.h"

#include "metal/foundation/dictionary.h"
#include "metal/foundation/string.h"

namespace NS {

ErrorDomain const CocoaErrorDomain = Private::constantString("NSCocoaErrorDomain");
ErrorDomain const POSIXErrorDomain = Private::constantString("NSPOSIXErrorDomain");
ErrorDomain const OSStatusErrorDomain = Private::constantString("NSOSStatusErrorDomain");
ErrorDomain const MachErrorDomain = Private::constantString("NSMachErrorDomain");

ErrorUserInfoKey const UnderlyingErrorKey = Private::constantString("NSUnderlyingError");
ErrorUserInfoKey const LocalizedDescriptionKey = Private::constantString("NSLocalizedDescription");
ErrorUserInfoKey const LocalizedFailureReasonErrorKey =
    Private::constantString("NSLocalizedFailureReason");
ErrorUserInfoKey const LocalizedRecoverySuggestionErrorKey =
    Private::constantString("NSLocalizedRecoverySuggestion");
ErrorUserInfoKey const LocalizedRecoveryOptionsErrorKey =
    Private::constantString("NSLocalizedRecoveryOptions");
ErrorUserInfoKey const RecoveryAttempterErrorKey = Private::constantString("NSRecoveryAttempter");
ErrorUserInfoKey const HelpAnchorErrorKey = Private::constantString("NSHelpAnchor");
ErrorUserInfoKey const DebugDescriptionErrorKey = Private::constantString("NSDebugDescription");
ErrorUserInfoKey const LocalizedFailureErrorKey = Private::constantString("NSLocalizedFailure");
ErrorUserInfoKey const StringEncodingErrorKey = Private::constantString("NSStringEncoding");
ErrorUserInfoKey const URLErrorKey = Private::constantString("NSURL");
ErrorUserInfoKey const FilePathErrorKey = Private::constantString("NSFilePath");

} // namespace NS

namespace metalloid::metal {

std::string ErrorObject::description() const {
  if (NS::Object* text = info(NS::LocalizedDescriptionKey))
    return objectOf(text)->description();
  return "Error " + std::to_string(code) + " of " + std::string(textOf(domain.get()));
}

NS::Object* ErrorObject::info(NS::ErrorUserInfoKey key) const {
  return userInfo ? userInfo->object(key) : nullptr;
}

NS::SharedPtr<NS::Error> makeError(const char* domain, NS::Integer code,
                                   const std::string& description) {
  auto text = makeString(description);
  auto info = NS::TransferPtr(make<DictionaryObject>());
  as<DictionaryObject>(info.get())->add(NS::LocalizedDescriptionKey, text.get());
  return NS::TransferPtr(
      NS::Error::alloc()->init(NS::Private::constantString(domain), code, info.get()));
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {

Error* Error::error(ErrorDomain domain, Integer code, Dictionary* pDictionary) {
  return alloc()->init(domain, code, pDictionary)->autorelease();
}

Error* Error::alloc() {
  return make<ErrorObject>();
}

Error* Error::init() {
  return this;
}

Error* Error::init(ErrorDomain domain, Integer code, Dictionary* pDictionary) {
  auto* error = as<ErrorObject>(this);
  error->domain = copied(domain);
  error->code = code;
  error->userInfo = copied(pDictionary);
  return this;
}

Integer Error::code() const {
  return as<ErrorObject>(this)->code;
}

ErrorDomain Error::domain() const {
  return as<ErrorObject>(this)->domain.get();
}

Dictionary* Error::userInfo() const {
  return as<ErrorObject>(this)->userInfo.get();
}

String* Error::localizedDescription() const {
  return description();
}

Array* Error::localizedRecoveryOptions() const {
  return reinterpret_cast<Array*>(as<ErrorObject>(this)->info(LocalizedRecoveryOptionsErrorKey));
}

String* Error::localizedRecoverySuggestion() const {
  return static_cast<String*>(as<ErrorObject>(this)->info(LocalizedRecoverySuggestionErrorKey));
}

String* Error::localizedFailureReason() const {
  return static_cast<String*>(as<ErrorObject>(this)->info(LocalizedFailureReasonErrorKey));
}

} // namespace NS
