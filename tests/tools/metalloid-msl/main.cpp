// SPDX-License-Identifier: Apache-2.0
// metalloid-msl [-I folder] [-D name[=value]] [-std=3.2] [-math=fast|relaxed|safe] [-g] file.metal
// Prints the AIR of a source, or its diagnostics: the front end for tests.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include "msl/compile.h"

using namespace metalloid::msl;

namespace {

[[noreturn]] void usage(std::string_view what) {
  std::cerr << "metalloid-msl: " << what << "\n";
  std::exit(2);
}

void addDefine(Source& source, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    source.defines.emplace_back(text, "1");
  else
    source.defines.emplace_back(text.substr(0, equals), text.substr(equals + 1));
}

MathMode mathMode(std::string_view name) {
  if (name == "fast")
    return MathMode::Fast;
  if (name == "relaxed")
    return MathMode::Relaxed;
  if (name == "safe")
    return MathMode::Safe;
  usage("-math= takes fast, relaxed or safe");
}

uint32_t languageVersion(const std::string& text) {
  unsigned major = 0, minor = 0;
  if (std::sscanf(text.c_str(), "%u.%u", &major, &minor) != 2)
    usage("-std= takes a version such as 3.2");
  return major << 16 | minor;
}

Source parseArguments(int count, char** arguments) {
  Source source;
  source.name.clear();
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    auto value = [&](size_t prefix) -> std::string {
      if (argument.size() > prefix)
        return std::string(argument.substr(prefix));
      return ++i < count ? arguments[i] : "";
    };
    if (argument.starts_with("-I"))
      source.includeFolders.push_back(value(2));
    else if (argument.starts_with("-D"))
      addDefine(source, value(2));
    else if (argument.starts_with("-math="))
      source.math = mathMode(argument.substr(6));
    else if (argument.starts_with("-std="))
      source.languageVersion = languageVersion(std::string(argument.substr(5)));
    else if (argument == "-g")
      source.debugInfo = true;
    else if (argument.starts_with("-"))
      usage("unknown option");
    else
      source.name = argument;
  }
  if (source.name.empty())
    usage("no source file");
  return source;
}

} // namespace

int main(int count, char** arguments) {
  Source source = parseArguments(count, arguments);
  std::ifstream file(source.name, std::ios::binary);
  if (!file)
    usage("cannot read " + source.name);
  std::stringstream text;
  text << file.rdbuf();
  source.text = text.str();

  llvm::LLVMContext context;
  const Result result = compile(context, source);
  std::cerr << result.text();
  if (!result.module)
    return 1;
  result.module->print(llvm::outs(), nullptr);
  return 0;
}
