# SPDX-License-Identifier: Apache-2.0
"""What is in the installed package: files, sizes, what the binaries need, and that nothing else on
the machine is leaned on."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import lief
import metalloid
import pytest

PACKAGE = Path(metalloid.__file__).parent
SYSTEM = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
NEEDED = {
    "lib/libmetalloid.so": SYSTEM,
    "bin/metalloid-compiler": SYSTEM,
    "_core.abi3.so": SYSTEM | {"libmetalloid.so"},
}
ROOT = Path(__file__).parents[2]


def _elf(name: str) -> lief.ELF.Binary:
    binary = lief.ELF.parse(str(PACKAGE / name))
    assert binary is not None, f"{name} is missing or no ELF file"
    return binary


@pytest.mark.parametrize("name", NEEDED)
def test_binaries_need_only_what_is_listed(name):
    assert set(_elf(name).libraries) <= NEEDED[name]


@pytest.mark.parametrize("name", NEEDED)
def test_run_paths_are_relative(name):
    binary = _elf(name)
    for entry in binary.dynamic_entries:
        if isinstance(entry, lief.ELF.DynamicEntryRunPath | lief.ELF.DynamicEntryRpath):
            assert all(path.startswith("$ORIGIN") for path in entry.paths), entry


def test_the_library_exports_the_api_and_no_llvm():
    binary = _elf("lib/libmetalloid.so")
    names = [symbol.demangled_name or symbol.name for symbol in binary.exported_symbols]
    assert names
    foreign = [n for n in names if not n.startswith(("NS::", "MTL::", "metalloid"))]
    foreign = [n for n in foreign if not n.startswith(("typeinfo", "vtable", "guard variable"))]
    assert not foreign
    assert not [n for n in names if "llvm" in n or "clang" in n]


def test_the_wheel_is_at_most_45_mb():
    wheels = sorted((ROOT / "build" / "wheel").glob("metalloid-*.whl"), key=os.path.getmtime)
    if not wheels:
        pytest.skip("no wheel in build/wheel; ./dev build makes one")
    assert wheels[-1].stat().st_size <= 45e6


PROGRAM = """
import numpy as np, metalloid
lib = metalloid.compile('''#include <metal_stdlib>
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }''')
x = np.ones(5, np.float32)
lib.twice(x)
assert x.tolist() == [2] * 5
"""


def test_an_empty_environment_with_an_empty_path_is_enough(tmp_path):
    """No compiler, no LLVM, no PATH: only the wheel, NumPy and nanobind's back end."""
    wheels = sorted((ROOT / "build" / "wheel").glob("metalloid-*.whl"), key=os.path.getmtime)
    if not wheels:
        pytest.skip("no wheel in build/wheel; ./dev build makes one")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*install, str(wheels[-1])], check=True)
    environment = {"PATH": "", "HOME": str(tmp_path)}
    subprocess.run([str(python), "-c", PROGRAM], check=True, env=environment, cwd=tmp_path)


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_other_llvms_in_the_process_do_not_matter(first):
    """Import and compile before and after llvmlite and pyopencl, as far as they are installed."""
    rivals = "\n".join(
        f"try:\n    import {name}\nexcept ImportError:\n    pass"
        for name in ("llvmlite.binding", "pyopencl", "torch")
    )
    program = f"{PROGRAM}\n{rivals}" if first else f"{rivals}\n{PROGRAM}"
    subprocess.run([sys.executable, "-c", program + PROGRAM], check=True, timeout=120)
