// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// A folder with a program's files. The main bundle is the folder of the executable; its
/// default.metallib is what MTL::Device::newDefaultLibrary reads.
class METALLOID_API Bundle : public Referencing<Bundle> {
public:
  static Bundle* mainBundle();
  static Bundle* bundle(const class String* pPath);
  static Bundle* bundle(const class URL* pURL);
  /// The main bundle alone.
  static class Array* allBundles();
  /// Always empty.
  static class Array* allFrameworks();

  static Bundle* alloc();
  /// Null where there is no such folder.
  Bundle* init(const class String* pPath);
  Bundle* init(const class URL* pURL);

  class URL* bundleURL() const;
  class URL* resourceURL() const;
  class URL* executableURL() const;
  class String* bundlePath() const;
  class String* resourcePath() const;
  class String* executablePath() const;
  /// Always null: folders have no identifier.
  class String* bundleIdentifier() const;
};

} // namespace NS
