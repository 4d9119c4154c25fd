# SPDX-License-Identifier: Apache-2.0
"""Kernels that others wrote compile: those in MLX's headers and in mtlpy's packages.

    corpora.py METALLOID_MSL [--math fast|safe] [--show] [FILE.metal ...]

Given files are compiled too; their folders are include folders. A source passes when it compiles
and the module holds the kernels that it declares. Skips (77) where METALLOID_FETCHED
holds neither corpus.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mlx_instantiations import SOURCES

SKIPPED = 77
# What the front end refuses, and therefore which sources of others must fail, saying so.
REFUSED = re.compile(r"\btexture\w*<|\bvertex\b|\bfragment\b")


@dataclass
class Case:
    corpus: str
    name: str
    text: str
    kernels: int  # at least
    folders: list[Path]


def mlx_cases(fetched: Path) -> list[Case]:
    include = fetched / "mlx" / "include"
    if not include.exists():
        return []
    return [Case("MLX", s.name, s.text(), len(s.instantiations()), [include]) for s in SOURCES]


def _strings(path: Path) -> list[str]:
    """The string constants of a Python file that are whole MSL sources."""
    tree = ast.parse(path.read_text())
    pieces = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in pieces
        and "#include <metal_stdlib>" in node.value
        and re.search(r"\bkernel\s+void\b", node.value)
    ]


def _built_sources(package: Path) -> dict[str, str]:
    """What mtlpy's functions that write MSL give, for the types that they serve."""
    scope: dict[str, object] = {}
    exec(compile((package / "shader.py").read_text(), "shader.py", "exec"), scope)
    of_floats = re.compile("(sqrt|cos|sin|tan|exp|log)_")
    types = ["float", "half", "int", "uint", "short", "ushort", "char", "uchar"]
    sources = {}
    for name, function in scope.items():
        if not name.endswith("_kernel") or name.startswith("_") or "texture" in name:
            continue
        argument_count = function.__code__.co_argcount
        for t in types:
            if name == "cast_kernel":
                for to in types:
                    sources[f"{name}_{t}_{to}"] = function(t, to)
            elif argument_count == 1 and (t in ("float", "half") or not of_floats.match(name)):
                sources[f"{name}_{t}"] = function(t)
    return sources


def mtlpy_cases(fetched: Path) -> list[Case]:
    cases = []
    for package in ("mtlpy-0.6.0", "mtlpy-0.1.0"):
        root = fetched / package
        if not root.exists():
            continue
        for name, text in _built_sources(root / "src" / "mtlpy").items():
            cases.append(Case(package, name, text, 1, []))
        for path in sorted(root.rglob("*.py")):
            for number, text in enumerate(_strings(path)):
                cases.append(Case(package, f"{path.relative_to(root)}:{number}", text, 1, []))
        for path in sorted(root.rglob("*kernel*.txt")):
            # One of them is completed by the program that reads it.
            tile = "#define TILE_X 16\n#define TILE_Y 16\n" if "variable" in path.name else ""
            name = str(path.relative_to(root))
            cases.append(Case(package, name, tile + path.read_text(), 1, []))
    return cases


def file_cases(files: list[Path]) -> list[Case]:
    return [Case("files", f.name, f.read_text(), 1, [f.parent]) for f in files]


def check(case: Case, compiler: str, math: str) -> str:
    """Empty, or what is wrong."""
    with tempfile.NamedTemporaryFile("w", suffix=".metal") as source:
        source.write(case.text)
        source.flush()
        include = [f"-I{folder}" for folder in case.folders]
        command = [compiler, f"-math={math}", *include, source.name]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if case.corpus != "MLX" and REFUSED.search(case.text):
        refused = result.returncode == 1 and "not supported" in result.stderr
        return "" if refused else f"should be refused by name:\n{result.stderr}"
    if result.returncode != 0:
        return result.stderr or f"exit status {result.returncode}"
    listed = re.search(r"^!air.kernel = !\{(.*)\}$", result.stdout, re.M)
    kernels = len(listed[1].split(",")) if listed else 0
    if kernels < case.kernels:
        return f"{kernels} kernels, should be {case.kernels}"
    unknown = re.findall(r"^declare .*?@(?!air\.|llvm\.)(\S+?)\(", result.stdout, re.M)
    return f"undefined: {', '.join(unknown)}" if unknown else ""


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("compiler")
    arguments.add_argument("files", nargs="*", type=Path)
    arguments.add_argument("--math", default="fast", choices=["fast", "relaxed", "safe"])
    arguments.add_argument("--show", action="store_true", help="print whole diagnostics")
    options = arguments.parse_args()

    fetched = Path(os.environ.get("METALLOID_FETCHED", ".cache/fetched"))
    cases = mlx_cases(fetched) + mtlpy_cases(fetched) + file_cases(options.files)
    if not cases:
        print(f"SKIPPED: {fetched} holds neither mlx/include nor mtlpy-*; run tools/fetch.py")
        return SKIPPED

    with ThreadPoolExecutor(2) as pool:
        problems = list(pool.map(lambda case: check(case, options.compiler, options.math), cases))
    for case, problem in zip(cases, problems, strict=True):
        if problem:
            lines = problem.splitlines()
            errors = [line for line in lines if "error:" in line] or lines[:1]
            print(f"{case.corpus} {case.name}:", problem if options.show else errors[0])
    for corpus in dict.fromkeys(case.corpus for case in cases):
        mine = [not p for c, p in zip(cases, problems, strict=True) if c.corpus == corpus]
        kernels = sum(c.kernels for c in cases if c.corpus == corpus)
        print(f"{corpus}: {sum(mine)} of {len(mine)} sources as expected, {kernels} kernels")
    return 1 if any(problems) else 0


if __name__ == "__main__":
    sys.exit(main())
