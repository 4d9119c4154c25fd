// SPDX-License-Identifier: Apache-2.0
// Parsing with the token pass in between.
#pragma once

namespace clang {
class CompilerInstance;
} // namespace clang

namespace metalloid::msl {

/// Preprocesses the main file, rewrites its tokens and parses them into the AST consumer of
/// `clang`, whose Sema must exist. What clang::ParseAST does, for MSL.
void parseTranslationUnit(clang::CompilerInstance& clang);

} // namespace metalloid::msl
