# SPDX-License-Identifier: Apache-2.0
"""The same kernels at every instruction-set level give the same bits: SSE4.2, AVX2 and AVX-512 as
far as this machine runs them, and AArch64 under qemu-user.

usage: levels_test.py METALLOID_CPU FEATURES_LL SOURCE_ROOT LIBCALLS_FOLDER
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
tool, features, root = sys.argv[1], sys.argv[2], Path(sys.argv[3])
libcalls = Path(sys.argv[4])
runner = root / "tests/cpu/levels_runner.cpp"
kernels = re.findall(r"X\((\w+), ", runner.read_text())
host_flags = Path("/proc/cpuinfo").read_text()


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def levels():
    """Name, archive of libcalls, C++ compiler and command prefix of each level that runs here."""
    for level, flag in (("v2", "sse4_2"), ("v3", "avx2"), ("v4", "avx512vl")):
        if flag in host_flags:
            yield level, f"x86-64-{level}", "clang++-22", []
        else:
            print(f"SKIPPED: this machine does not run level {level}")
    if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-g++"):
        yield "neon", "aarch64", "aarch64-linux-gnu-g++", ["qemu-aarch64"]
    else:
        print("SKIPPED: level neon needs qemu-aarch64 and aarch64-linux-gnu-g++")


def output_at(level, archive, compiler, prefix, folder):
    objects = []
    for kernel in kernels:
        path = folder / f"{level}-{kernel}.o"
        with path.open("wb") as file:
            run(
                tool,
                features,
                f"--kernel={kernel}",
                f"--level={level}",
                "--threads=0,0,0",
                "--barriers=regions",
                "--emit=object",
                stdout=file,
            )
        run("llvm-objcopy-22", f"--redefine-sym=kernel={kernel}", path)
        objects.append(path)
    program = folder / level
    objects.append(libcalls / f"libcalls-{archive}.a")
    run(compiler, "-std=c++20", "-O1", "-static", f"-I{root}/src", runner, *objects, "-o", program)
    return run(*prefix, program, capture_output=True, text=True, timeout=60).stdout


with tempfile.TemporaryDirectory() as name:
    outputs = {level[0]: output_at(*level, Path(name)) for level in levels()}
if not outputs:
    sys.exit(SKIPPED)
expected = next(iter(outputs.values()))
for level, output in outputs.items():
    for line, wanted in zip(output.splitlines(), expected.splitlines(), strict=True):
        if line != wanted:
            sys.exit(f"level {level}: {line}\n{next(iter(outputs))}: {wanted}")
print(f"{len(kernels)} kernels give the same bits at levels {', '.join(outputs)}")
