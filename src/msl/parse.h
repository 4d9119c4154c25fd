// SPDX-License-Identifier: Apache-2.0
// Parsing with the token pass in between.
#pragma once

#include "msl/token_tools.h"

namespace clang {
class CompilerInstance;
class Preprocessor;
} // namespace clang

namespace metalloid::msl {

/// The tokens of the main file, up to and with the end of file; MSL's words are identifiers.
Tokens preprocess(clang::Preprocessor& preprocessor);

/// Preprocesses the main file, rewrites its tokens and parses them into the AST consumer of
/// `clang`, whose Sema must exist. What clang::ParseAST does, for MSL.
void parseTranslationUnit(clang::CompilerInstance& clang);

} // namespace metalloid::msl
