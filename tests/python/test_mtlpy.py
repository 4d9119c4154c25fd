# SPDX-License-Identifier: Apache-2.0
"""mtlpy's own test suites, unmodified, against the alias package in mtlpy_alias/."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FETCHED = Path(os.environ.get("METALLOID_FETCHED", ".cache/fetched")).absolute()
ALIAS = Path(__file__).parent / "mtlpy_alias"
BASIC = ["test_basic.py", "test_operators.py", "test_async.py", "test_buffer_reuse.py"]
# test_stability.py's tests of textures and heaps, which are not built yet
WITHOUT = "not texture and not heap"


def _suite(version: str, home: Path, files: list[str], *options: str) -> tuple[int, int]:
    """(passed, not passed) of the suite, run as mtlpy's users would, in a home of its own."""
    tests = FETCHED / f"mtlpy-{version}" / "tests"
    if not tests.exists():
        pytest.skip(f"no {tests}; run tools/fetch.py (./dev test does)")
    pytest_command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*pytest_command, "--rootdir", str(tests), *options, *(str(tests / n) for n in files)],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ALIAS), "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    counts = dict(
        (w, int(n)) for n, w in re.findall(r"(\d+) (passed|failed|skipped|error)", done.stdout)
    )
    passed = counts.pop("passed", 0)
    assert not counts, done.stdout[-6000:]
    return passed, sum(counts.values())


def test_suite_of_0_6_0_as_far_as_built(tmp_path):
    passed, _ = _suite("0.6.0", tmp_path, BASIC)
    assert passed == 17 + 86 + 3 + 3


def test_stability_suite_of_0_6_0_without_textures_and_heaps(tmp_path):
    passed, _ = _suite("0.6.0", tmp_path, ["test_stability.py"], "-k", WITHOUT)
    assert passed == 5


def test_whole_suite_of_0_1_0(tmp_path):
    passed, _ = _suite("0.1.0", tmp_path, ["."])
    assert passed == 112
