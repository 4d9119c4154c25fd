# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: F821 (lit gives config and lit_config)
# FileCheck tests: tests/*/**.ll and .metal, run by ctest through lit (tests/CMakeLists.txt).
import os

import lit.formats

config.name = "metalloid"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".metal"]
config.excludes = ["mlx_functions.ll", "kernels"]  # data of other tests
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["build"]

tools = [os.path.join(lit_config.params["build"], "bin"), lit_config.params["llvm"]]
config.environment["PATH"] = os.pathsep.join([*tools, os.environ["PATH"]])
config.environment["FILECHECK_OPTS"] = "--dump-input=fail --allow-unused-prefixes=false"
