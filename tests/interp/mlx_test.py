# SPDX-License-Identifier: Apache-2.0
"""Apple-compiled kernels out of MLX's archive in the interpreter, against NumPy.

mlx_test.py METALLOID_INTERP
"""

import os
import sys
from pathlib import Path

import numpy as np
from interpreter import run

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def softmax(program: str, module: str) -> None:
    x = np.random.default_rng(0).standard_normal((3, 1000)).astype(np.float32)
    y = np.zeros_like(x)
    size = np.array([x.shape[1]], np.int32)
    run(
        program,
        module,
        "block_softmax_float32",
        {0: x, 1: y, 2: size},
        (3 * 256, 1, 1),
        (256, 1, 1),
    )
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    np.testing.assert_allclose(y, e / e.sum(1, keepdims=True), rtol=2e-6)


def matrix_multiply(program: str, module: str) -> None:
    m = n = k = 64
    rng = np.random.default_rng(1)
    a = rng.standard_normal((m, k)).astype(np.float32)
    b = rng.standard_normal((k, n)).astype(np.float32)
    d = np.zeros((m, n), np.float32)
    sizes = np.array([m, n, k, k, n, n, n // 64, m // 64], np.int32).tobytes()
    strides = np.array([m * k, k * n, m * n], np.int64).tobytes()
    rest = np.array([0, k // 16, 1, 0], np.int32).tobytes()
    params = np.frombuffer(sizes + strides + rest, np.uint8).copy()
    run(
        program,
        module,
        "steel_gemm_fused_nn_float32_float32_bm64_bn64_bk16_wm2_wn2",
        {0: a, 1: b, 3: d, 4: params},
        (32, 2, 2),
        (32, 2, 2),
        constants=[
            {"index": index, "bits": [bit]}
            for index, bit in ((10, 0), (100, 0), (110, 0), (200, 1), (201, 1), (202, 1))
        ],
    )
    # The same fused multiply-adds in the same order, so nothing but their rounding may differ.
    np.testing.assert_allclose(d, a.astype(np.float64) @ b, rtol=1e-5, atol=1e-5)


def sum_of_integers(program: str, module: str) -> None:
    x = np.random.default_rng(2).integers(-(2**31), 2**31, 5000, np.int32)
    out = np.zeros(1, np.int32)
    size = np.array([x.size], np.uint64)
    row = np.array([x.size], np.uint64)
    run(
        program,
        module,
        "all_reduce_sumint32",
        {0: x, 1: out, 2: size, 3: row},
        (256, 1, 1),
        (256, 1, 1),
    )
    assert out[0] == x.sum(dtype=np.int32), (out, x.sum(dtype=np.int32))


def main() -> int:
    root = Path(__file__).parents[2]
    module = Path(os.environ.get("METALLOID_FETCHED", root / ".cache/fetched")) / "mlx.metallib"
    if not module.exists():
        print(f"SKIPPED: no {module}; run tools/fetch.py or set METALLOID_FETCHED")
        return SKIPPED
    for test in (softmax, matrix_multiply, sum_of_integers):
        test(sys.argv[1], str(module))
        print(f"{test.__name__}: equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
