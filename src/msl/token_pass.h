// SPDX-License-Identifier: Apache-2.0
// MSL's own words, in Clang's terms.
//
// In: the preprocessed tokens of a translation unit. Out: tokens that Clang's C++ parser takes,
// each standing where the user wrote what it came from, so that diagnostics need no translation of
// places. Before the parser, because Clang's grammar is closed: a token is the last thing that can
// be changed without a fork.
//
//   device, threadgroup, constant -> __global, __local, __constant const
//   thread                        -> nothing; __private where it tells overloads of a member apart
//   threadgroup T x;  (in a body) -> static __local T x;
//   constant T x [[function_constant(n)]]; -> extern __constant const T x, annotated
//   kernel, [[name(args)]]        -> __attribute__((annotate("msl.name", args)))
//   constant const T a[2] (parameter) -> __constant const T *a
//   1.0                           -> 1.0f; 1.0bf -> ::metal::bfloat(1.0f)
//   "ab"                          -> (::metal::__string<97, 98>)
//   c ? a : b                     -> c ? (::metal::__sel{}, a) : (::metal::__sel{}, b)
#pragma once

#include <vector>

#include "msl/token_tools.h"

namespace metalloid::msl {

struct RewrittenTokens {
  Tokens tokens;
  /// For each token, whether a declarator at namespace or class scope may end there: where Clang
  /// must take an address space as the qualifier of a member function (see parse.h).
  std::vector<bool> declaresMembers;
};

/// Rewrites `in`, which ends with the end of file. Refused features are reported to the
/// preprocessor's diagnostics.
RewrittenTokens rewriteTokens(clang::Preprocessor& preprocessor, const Tokens& in);

} // namespace metalloid::msl
