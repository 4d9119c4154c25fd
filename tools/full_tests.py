# SPDX-License-Identifier: Apache-2.0
"""The long tiers of `./dev test --full`. Each is a list of commands; a tier that passed on this
commit is not run again, so an interrupted run goes on where it was.

usage: full_tests.py [TIER …]        (all without a name)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

FETCHED = os.environ["METALLOID_FETCHED"]
METALLOID = [sys.executable, "-m", "metalloid"]
TOOLS = "build/tests/bin"
LLVM_DIS = "/usr/lib/llvm-22/bin/llvm-dis"
DESCRIBE_SURVEY = [sys.executable, "tests/air/describe_survey.py"]
PYTEST = [sys.executable, "-m", "pytest"]
RECORD = Path("build/full_tests.json")

TIERS: dict[str, list[tuple[list[str], dict[str, str]]]] = {
    # every kernel of MLX's archive compiled
    "survey": [
        (
            [*METALLOID, "survey", f"{FETCHED}/mlx.metallib", "--json", "build/survey.json"],
            {},
        )
    ],
    # every kernel of the test table run against NumPy
    "archive": [([*PYTEST, "tests/mlx_kernels"], {"METALLOID_KERNELS": "0"})],
    # every kernel described, compared with an independent reading of its metadata
    "describe": [
        (
            [*DESCRIBE_SURVEY, f"{TOOLS}/metalloid-opt", LLVM_DIS, "--every", "1"],
            {},
        )
    ],
    # random kernels: interpreter, fibers and regions at three widths, bit for bit
    "random": [([f"{TOOLS}/random_kernels", "--count=20000"], {})],
}


def _commit() -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()


def main() -> int:
    names = sys.argv[1:] or list(TIERS)
    unknown = [name for name in names if name not in TIERS]
    if unknown:
        print(f"no tier {', '.join(unknown)}; tiers: {', '.join(TIERS)}", file=sys.stderr)
        return 2
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    failed = []
    for name in names:
        if record.get(name) == _commit():
            print(f"== {name}: passed on this commit before")
            continue
        print(f"== {name}", flush=True)
        start = time.monotonic()
        codes = [
            subprocess.run(command, env={**os.environ, **extra}).returncode
            for command, extra in TIERS[name]
        ]
        print(
            f"== {name}: {'failed' if any(codes) else 'passed'}, {time.monotonic() - start:.0f} s"
        )
        if any(codes):
            failed.append(name)
        else:
            record[name] = _commit()
            RECORD.write_text(json.dumps(record))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
