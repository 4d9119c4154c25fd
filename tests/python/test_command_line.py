# SPDX-License-Identifier: Apache-2.0
"""The command `metalloid`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

KERNELS = Path(__file__).parents[2] / "examples" / "demo" / "kernels.metal"


def run(*arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "metalloid", *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_devices_names_the_cpu():
    assert "device 0:" in run("devices")


def test_reflect_lists_and_describes():
    assert run("reflect", KERNELS).split() == ["axpy", "demosaic"]
    described = json.loads(run("reflect", KERNELS, "axpy", "--json"))
    assert [a["name"] for a in described["arguments"]] == ["x", "y", "a"]


def test_run_writes_back_what_the_kernel_wrote(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(4, dtype=np.float32))
    np.save(tmp_path / "y.npy", np.ones(4, np.float32))
    run("run", KERNELS, "axpy", f"x={tmp_path}/x.npy", f"y={tmp_path}/y.npy", "a=3")
    assert np.load(tmp_path / "y.npy").tolist() == [1, 4, 7, 10]


@pytest.mark.parametrize("stage,word", [("air", "air.kernel"), ("asm", "kernel:")])
def test_compile_emits_text(stage, word):
    assert word in run("compile", KERNELS, "--emit", stage, "--kernel", "axpy")


def test_compiled_archives_load_again(tmp_path):
    archive = tmp_path / "demo.metallib"
    run("compile", KERNELS, "-o", archive)
    assert run("reflect", archive).split() == ["axpy", "demosaic"]
    survey = tmp_path / "survey.json"
    run("survey", archive, "--json", survey)
    result = json.loads(survey.read_text())
    assert (result["total"], result["compiled"], result["failed"]) == (2, 2, [])


def test_errors_are_one_message_and_exit_code_1(tmp_path):
    assert "no file" in run("reflect", tmp_path / "missing.metallib", code=1)
    (tmp_path / "bad.metal").write_text("kernel void k( {}")
    assert "error:" in run("reflect", tmp_path / "bad.metal", code=1)
    assert "no kernel 'nosuch'" in run("reflect", KERNELS, "nosuch", code=1)


def test_cache_info_and_clear():
    assert "folder" in run("cache", "info")
    assert "removed" in run("cache", "clear")
