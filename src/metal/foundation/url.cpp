// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string_view>

#include <Foundation/NSURL.hpp>

#include "metal/foundation/string.h"

namespace metalloid::metal {
namespace {

class UrlObject final : public ImmutableObject {
public:
  using Handle = NS::URL;

  bool isEqual(const Object& other) const override {
    auto* url = dynamic_cast<const UrlObject*>(&other);
    return url && url->isFile == isFile && url->text == text;
  }
  size_t hash() const override { return std::hash<std::string>()(text); }
  std::string description() const override { return isFile ? "file://" + text : text; }

  std::string text; ///< Of a file: its path, decoded.
  bool isFile = false;
};

int hexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// With %20 and its like decoded.
std::string percentDecoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 &&
        hexDigit(text[i + 2]) >= 0) {
      decoded += char(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {

URL* URL::fileURLWithPath(const String* pPath) {
  URL* url = alloc()->initFileURLWithPath(pPath);
  return url ? url->autorelease() : nullptr;
}

URL* URL::alloc() {
  return make<UrlObject>();
}

URL* URL::init() {
  return this;
}

URL* URL::init(const String* pString) {
  constexpr std::string_view scheme = "file://";
  std::string_view text = textOf(pString);
  auto* url = as<UrlObject>(this);
  url->isFile = text.starts_with(scheme);
  if (!url->isFile) {
    url->text = text;
    return this;
  }
  text.remove_prefix(scheme.size());
  const size_t path = text.find('/'); // After a host, if any.
  url->text = percentDecoded(path == text.npos ? std::string_view("/") : text.substr(path));
  return this;
}

URL* URL::initFileURLWithPath(const String* pPath) {
  if (!pPath) {
    release();
    return nullptr;
  }
  std::error_code error;
  auto absolute = std::filesystem::absolute(std::filesystem::path(textOf(pPath)), error);
  auto* url = as<UrlObject>(this);
  url->isFile = true;
  url->text = error ? std::string(textOf(pPath)) : absolute.string();
  return this;
}

const char* URL::fileSystemRepresentation() const {
  const auto* url = as<UrlObject>(this);
  return url->isFile ? url->text.c_str() : nullptr;
}

} // namespace NS
