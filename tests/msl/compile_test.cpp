// SPDX-License-Identifier: Apache-2.0
// compile() as its callers see it: results, diagnostics, dependencies, limits.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "msl/compile.h"

namespace metalloid::msl {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
class Compile : public testing::Test {
protected:
  Compile()
      : folder(fs::temp_directory_path() / ("metalloid-compile-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
    source.name = "kernels.metal";
  }
  ~Compile() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }

  Result run(const std::string& text) {
    source.text = text;
    return compile(context, source);
  }

  std::string firstError(const std::string& text) {
    const Result result = run(text);
    EXPECT_EQ(result.module, nullptr);
    for (const Diagnostic& diagnostic : result.diagnostics)
      if (diagnostic.severity == Diagnostic::Severity::Error)
        return diagnostic.message;
    return "no error";
  }

  llvm::LLVMContext context;
  Source source;
  fs::path folder;
};

TEST_F(Compile, GivesAModuleWithoutDiagnostics) {
  const Result result = run("kernel void k(device int* p [[buffer(0)]]) { p[0] = 1; }");
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.text(), "");
  EXPECT_NE(result.module->getFunction("k"), nullptr);
}

TEST_F(Compile, PlacesDiagnosticsInTheUsersSource) {
  const Result result = run("kernel void k(device int* p [[buffer(0)]]) {\n\tp[0] = nothing;\n}");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic& diagnostic = result.diagnostics[0];
  EXPECT_EQ(diagnostic.file, "kernels.metal");
  EXPECT_EQ(diagnostic.line, 2u);
  EXPECT_EQ(diagnostic.column, 9u);
  EXPECT_EQ(diagnostic.sourceLine, "\tp[0] = nothing;");
  EXPECT_EQ(result.text(), "kernels.metal:2:9: error: use of undeclared identifier 'nothing'\n"
                           "\tp[0] = nothing;\n"
                           "\t       ^\n");
}

TEST_F(Compile, PassesDefinesAndVersions) {
  source.defines = {{"WIDTH", "8"}};
  source.languageVersion = 3u << 16;
  EXPECT_NE(run("static_assert(WIDTH == 8 && __METAL_VERSION__ == 300);").module, nullptr);
  source.languageVersion = (3u << 16) + 9;
  EXPECT_EQ(firstError(""), "Metal has no language version 3.9; the newest is 4.0");
}

TEST_F(Compile, KnowsItsMathMode) {
  const char* text = "#include <metal_stdlib>\n"
                     "kernel void k(device float* p [[buffer(0)]]) { p[0] = metal::exp(p[1]); }";
  source.math = MathMode::Safe;
  Result result = run(text);
  ASSERT_NE(result.module, nullptr);
  EXPECT_NE(result.module->getFunction("air.exp.f32"), nullptr);
  source.math = MathMode::Fast;
  result = run(text);
  ASSERT_NE(result.module, nullptr);
  EXPECT_NE(result.module->getFunction("air.fast_exp.f32"), nullptr);
}

TEST_F(Compile, ReadsIncludeFoldersAndNamesWhatItRead) {
  write("inner/a.h", "#include \"b.h\"\n");
  write("inner/b.h", "#define VALUE 3\n");
  fs::create_directories(folder / "first");
  source.includeFolders = {(folder / "first").string(), (folder / "inner").string()};
  const Result result = run("#include <a.h>\n#if __has_include(<absent.h>)\n#endif\n"
                            "static_assert(VALUE == 3);");
  ASSERT_NE(result.module, nullptr) << result.text();
  std::vector<std::string> found, absent;
  for (const Dependency& dependency : result.dependencies) {
    (dependency.exists ? found : absent).push_back(dependency.path);
    EXPECT_EQ(dependency.contentHash.size(), dependency.exists ? 64u : 0u);
  }
  EXPECT_EQ(found, (std::vector<std::string>{(folder / "inner/a.h").string(),
                                             (folder / "inner/b.h").string()}));
  // a.h in the first folder would have been found first.
  EXPECT_NE(std::find(absent.begin(), absent.end(), (folder / "first/a.h").string()), absent.end());
  EXPECT_NE(std::find(absent.begin(), absent.end(), (folder / "inner/absent.h").string()),
            absent.end());
}

TEST_F(Compile, ReadsNothingElse) {
  write("secret.h", "int secret;\n");
  write("inner/a.h", "#include \"../secret.h\"\n");
  source.includeFolders = {(folder / "inner").string()};
  const std::string rule = "': a path must be relative, without '..', and below an include folder";
  EXPECT_EQ(firstError("#include \"" + (folder / "secret.h").string() + "\"\n"),
            "cannot include '" + (folder / "secret.h").string() + rule);
  EXPECT_EQ(firstError("#include <a.h>\n"), "cannot include '../secret.h" + rule);
  EXPECT_EQ(firstError("#include \"secret.h\"\n"), "'secret.h' file not found");
  EXPECT_EQ(firstError("#if __has_include(\"/etc/passwd\")\n#endif\n"),
            "cannot include '/etc/passwd" + rule);
  EXPECT_EQ(firstError("char text[] = {\n#embed \"/etc/passwd\"\n};"),
            "'/etc/passwd' file not found");
  write("inner/embedding.h", "char text[] = {\n#embed \"a.h\"\n};");
  EXPECT_EQ(firstError("#include <embedding.h>\n"), "#embed is not supported");
  // Neither what lies in the compiler's own folders but the library.
  EXPECT_EQ(firstError("#include <stdio.h>\n"), "'stdio.h' file not found");
}

TEST_F(Compile, RefusesNestingWithoutEnd) {
  const std::string depth(100000, '(');
  EXPECT_NE(firstError("int x = " + depth + ";"), "no error");
  EXPECT_NE(firstError("template <int N> struct S { static constexpr int v = S<N + 1>::v; };\n"
                       "int x = S<0>::v;"),
            "no error");
  EXPECT_NE(firstError("constexpr int f(int n) { while (true) ++n; return n; }\n"
                       "constexpr int x = f(0);"),
            "no error");
}

TEST_F(Compile, CompilesOneAfterAnother) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(run("kernel void k(device int* p [[buffer(0)]]) { p[0] = 1; }").module, nullptr);
    EXPECT_EQ(run("kernel void k( {").module, nullptr);
  }
}

} // namespace
} // namespace metalloid::msl
