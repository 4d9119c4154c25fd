# SPDX-License-Identifier: Apache-2.0
"""Prints milliseconds that a fresh process takes. Modes: import (over NumPy's import), cold (the
disk cache is an empty folder), warm (it holds the kernel from a run before)."""

import os
import sys
import tempfile
import time

import numpy as np

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float* x,
                  device float* out,
                  constant float& by,
                  uint i [[thread_position_in_grid]]) {
  out[i] = by * x[i];
}
"""


def first_result() -> float:
    """From source text to a checked array, milliseconds."""
    import metalloid

    metalloid.list_devices()
    x, out = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
    start = time.perf_counter()
    metalloid.compile(SOURCE).scale(x, out, by=2.0)
    elapsed = time.perf_counter() - start
    assert (out == 2 * x).all()
    return 1e3 * elapsed


def main() -> None:
    mode = sys.argv[1]
    if mode == "import":
        start = time.perf_counter()
        import metalloid

        metalloid.list_devices()
        print(1e3 * (time.perf_counter() - start))
        return
    if mode == "cold":
        with tempfile.TemporaryDirectory() as folder:
            os.environ["METALLOID_CACHE_PATH"] = folder
            print(first_result())
        return
    print(first_result())


if __name__ == "__main__":
    main()
