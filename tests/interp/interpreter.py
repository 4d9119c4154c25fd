# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel in metalloid-interp on NumPy arrays."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np


class InterpreterError(Exception):
    pass


def run(
    program: str,
    module: str,
    kernel: str,
    buffers: dict[int, np.ndarray],
    threads: tuple[int, int, int],
    threads_per_threadgroup: tuple[int, int, int],
    **options: object,
) -> None:
    """Buffers are changed in place. `options` are further keys of the job."""
    with tempfile.TemporaryDirectory() as folder:
        described = []
        for index, array in buffers.items():
            path = Path(folder) / f"{index}"
            path.write_bytes(array.tobytes())
            described.append({"index": index, "file": str(path), "length": array.nbytes})
        job = {
            "module": module,
            "kernel": kernel,
            "threads": threads,
            "threadsPerThreadgroup": threads_per_threadgroup,
            "buffers": described,
            **options,
        }
        result = subprocess.run(
            [program, "-"], input=json.dumps(job), capture_output=True, text=True, timeout=120
        )
        if result.returncode:
            raise InterpreterError(result.stderr.strip())
        for index, array in buffers.items():
            data = (Path(folder) / f"{index}").read_bytes()
            array.reshape(-1).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
