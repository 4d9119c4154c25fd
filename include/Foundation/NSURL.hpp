// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSObject.hpp"

namespace NS {

/// The address of a file, or any other address as text.
class METALLOID_API URL : public Copying<URL> {
public:
  static URL* fileURLWithPath(const class String* pPath);

  static URL* alloc();
  URL* init();
  /// From the text of an address: "file:///tmp/a%20b".
  URL* init(const class String* pString);
  URL* initFileURLWithPath(const class String* pPath);

  /// The path, valid as long as the URL; null where it is no file's.
  const char* fileSystemRepresentation() const;
};

} // namespace NS
