// SPDX-License-Identifier: Apache-2.0
// What every header of this library leans on: symbol visibility, and __builtin_available for
// programs that choose by macOS version.
#pragma once

/// Marks what libmetalloid.so exports.
#define METALLOID_API __attribute__((visibility("default")))

namespace NS::Private {

/// The macOS version whose Metal API this library follows.
inline constexpr int claimedVersion = 26;

/// Whether an availability list such as "macOS 15.0, iOS 18, *" names a macOS version up to the
/// claimed one. A list without macOS is satisfied by its "*".
constexpr bool isAvailable(const char* list) {
  constexpr char key[] = "macOS ";
  for (; *list; ++list) {
    int matched = 0;
    while (key[matched] && list[matched] == key[matched])
      ++matched;
    if (key[matched])
      continue;
    int version = 0;
    for (list += matched; *list >= '0' && *list <= '9'; ++list)
      version = version * 10 + (*list - '0');
    return version <= claimedVersion;
  }
  return true;
}

} // namespace NS::Private

// Clang answers true to any version off Apple's systems and GCC has no such builtin.
#define __builtin_available(...) (::NS::Private::isAvailable(#__VA_ARGS__))
