// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <Foundation/NSArray.hpp>
#include <Foundation/NSBundle.hpp>
#include <Foundation/NSURL.hpp>

#include "metal/foundation/string.h"

namespace metalloid::metal {
namespace {

class BundleObject final : public Object {
public:
  using Handle = NS::Bundle;

  std::string description() const override { return "NSBundle <" + folder + ">"; }

  std::string folder;
};

std::string executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {
namespace {

String* text(const std::string& utf8) {
  return makeAutoreleased<StringObject>(utf8);
}

URL* url(const std::string& path) {
  return URL::fileURLWithPath(text(path));
}

} // namespace

Bundle* Bundle::mainBundle() {
  static Bundle* const bundle = [] {
    auto* object = new BundleObject;
    object->folder = std::filesystem::path(executable()).parent_path().string();
    return handleOf(object);
  }();
  return bundle;
}

Bundle* Bundle::bundle(const String* pPath) {
  Bundle* bundle = alloc()->init(pPath);
  return bundle ? bundle->autorelease() : nullptr;
}

Bundle* Bundle::bundle(const URL* pURL) {
  Bundle* bundle = alloc()->init(pURL);
  return bundle ? bundle->autorelease() : nullptr;
}

Array* Bundle::allBundles() {
  return Array::array(mainBundle());
}

Array* Bundle::allFrameworks() {
  return Array::array();
}

Bundle* Bundle::alloc() {
  return make<BundleObject>();
}

Bundle* Bundle::init(const String* pPath) {
  std::error_code error;
  std::filesystem::path folder(textOf(pPath));
  if (!std::filesystem::is_directory(folder, error)) {
    release();
    return nullptr;
  }
  as<BundleObject>(this)->folder = folder.string();
  return this;
}

Bundle* Bundle::init(const URL* pURL) {
  const char* path = pURL ? pURL->fileSystemRepresentation() : nullptr;
  return init(text(path ? path : ""));
}

URL* Bundle::bundleURL() const {
  return url(as<BundleObject>(this)->folder);
}

URL* Bundle::resourceURL() const {
  return bundleURL();
}

URL* Bundle::executableURL() const {
  return this == mainBundle() ? url(executable()) : nullptr;
}

String* Bundle::bundlePath() const {
  return text(as<BundleObject>(this)->folder);
}

String* Bundle::resourcePath() const {
  return bundlePath();
}

String* Bundle::executablePath() const {
  return this == mainBundle() ? text(executable()) : nullptr;
}

String* Bundle::bundleIdentifier() const {
  return nullptr;
}

} // namespace NS
