# SPDX-License-Identifier: Apache-2.0
"""The main job on real input: kernels from source and kernels that Apple compiled, both on the CPU,
checked against NumPy and OpenCV, with times beside NumPy's."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import metalloid
import numpy as np

HERE = Path(__file__).parent
ARCHIVE = Path(os.environ.get("METALLOID_FETCHED", ".cache/fetched")) / "mlx.metallib"


def best_ms(function: Callable[[], Any], repeats: int = 9) -> float:
    """Shortest time of `repeats` calls after a warm-up, milliseconds."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


class Table:
    """Rows of what ran, how it was checked, and the two times; printed as they come."""

    def __init__(self) -> None:
        self.failed = False
        print(f"{'kernel':34} {'checked against':34} {'ms':>9} {'theirs':>9}  result")

    def row(self, name: str, oracle: str, ours: float, theirs: float, good: bool) -> None:
        self.failed |= not good
        result = "equal" if good else "WRONG"
        print(f"{name:34} {oracle:34} {ours:9.3f} {theirs:9.3f}  {result}")


def axpy(table: Table, lib: metalloid.Library) -> None:
    x = np.random.default_rng(0).random(1 << 22, dtype=np.float32)
    y, reference = np.ones_like(x), 2 * x + np.float32(1)
    lib.axpy(x, y, a=2.0)
    good = bool(np.abs(y - reference).max() <= np.spacing(np.float32(3)))
    ours = best_ms(lambda: lib.axpy(x, y, a=2.0))
    table.row("axpy, 4 Mi floats (source)", "NumPy", ours, best_ms(lambda: 2 * x + y), good)


def demosaic(table: Table, lib: metalloid.Library, folder: Path) -> None:
    import cv2
    from skimage import data

    photograph = data.astronaut()
    height, width, _ = photograph.shape
    rows, columns = np.mgrid[:height, :width]
    channel = np.where((rows + columns) % 2 == 1, 1, np.where(rows % 2 == 0, 2, 0))
    raw = np.take_along_axis(photograph, channel[..., None], axis=2)[..., 0].copy()
    out = np.zeros((height, width, 3), np.uint8)

    def ours() -> None:
        lib.demosaic(raw, out, size=(width, height), blue=(0, 0), grid=(width, height))

    ours()
    reference = cv2.cvtColor(raw, cv2.COLOR_BayerRG2BGR_EA)
    theirs = best_ms(lambda: cv2.cvtColor(raw, cv2.COLOR_BayerRG2BGR_EA))
    good = bool((out == reference).all())
    table.row("demosaic, a photograph (source)", "OpenCV, bit for bit", best_ms(ours), theirs, good)
    cv2.imwrite(str(folder / "demosaiced.png"), out)


def softmax(table: Table, lib: metalloid.Library, rows: int = 4096, axis: int = 1024) -> None:
    x = np.random.default_rng(1).standard_normal((rows, axis), dtype=np.float32)
    out, kernel = np.zeros_like(x), lib["block_softmax_float32"]

    def ours() -> None:
        kernel(x, out, axis, grid=rows * axis // 4, threadgroup=axis // 4)

    def theirs() -> Any:
        e = np.exp(x - x.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    ours()
    good = bool(np.allclose(out, theirs(), rtol=1e-5, atol=1e-7))
    table.row("softmax 4096 x 1024 (Apple's)", "NumPy", best_ms(ours), best_ms(theirs), good)


def layer_norm(table: Table, lib: metalloid.Library, rows: int = 4096, axis: int = 1024) -> None:
    random = np.random.default_rng(2)
    x = random.standard_normal((rows, axis), dtype=np.float32)
    w, b = random.random((2, axis), dtype=np.float32)
    out, kernel = np.zeros_like(x), lib["layer_normfloat32"]

    def ours() -> None:
        kernel(x, w, b, out, 1e-5, axis, 1, 1, grid=rows * axis // 8, threadgroup=axis // 8)

    def theirs() -> Any:
        mean = x.mean(1, keepdims=True)
        return (x - mean) / np.sqrt(x.var(1, keepdims=True) + np.float32(1e-5)) * w + b

    ours()
    good = bool(np.allclose(out, theirs(), rtol=1e-4, atol=1e-5))
    table.row("layer norm 4096 x 1024 (Apple's)", "NumPy", best_ms(ours), best_ms(theirs), good)


def reduce_rows(table: Table, lib: metalloid.Library, rows: int = 4096, axis: int = 4096) -> None:
    x = np.random.default_rng(3).random((rows, axis), dtype=np.float32)
    out, kernel = np.zeros(rows, np.float32), lib["row_reduce_simple_sumfloat32"]

    def ours() -> None:
        kernel(x, out, axis, rows, grid=(1024, rows // 4), threadgroup=(1024, 1))

    ours()
    good = bool(np.allclose(out, x.sum(1), rtol=1e-5))
    table.row(
        "row sums 4096 x 4096 (Apple's)", "NumPy", best_ms(ours), best_ms(lambda: x.sum(1)), good
    )


def matmul(table: Table, lib: metalloid.Library, n: int = 1024) -> None:
    a, b = np.random.default_rng(4).random((2, n, n), dtype=np.float32)
    out = np.zeros((n, n), np.float32)
    tiles = n // 64
    params = np.zeros(1, np.dtype([("i", "<i4", 8), ("s", "<i8", 3), ("t", "<i4", 4)]))
    params[0] = ((n, n, n, n, n, n, tiles, tiles), (0, 0, 0), (0, n // 16, 1, 0))
    aligned = {10: False, 100: False, 110: False, 200: True, 201: True, 202: True}
    kernel = lib["steel_gemm_fused_nn_float32_float32_bm64_bn64_bk16_wm2_wn2"].specialise(aligned)

    def ours() -> None:
        grid = (tiles * 32, tiles * 2, 2)
        kernel(a, b, None, out, params, grid=grid, threadgroup=(32, 2, 2))

    ours()
    good = bool(np.allclose(out, a @ b, rtol=1e-4))
    table.row(
        "matmul 1024^3 (Apple's)", "NumPy (BLAS)", best_ms(ours), best_ms(lambda: a @ b), good
    )


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/demo")
    folder.mkdir(parents=True, exist_ok=True)
    metalloid.print_info()
    print()
    table = Table()
    source = metalloid.compile((HERE / "kernels.metal").read_text())
    axpy(table, source)
    demosaic(table, source, folder)
    archive = metalloid.load(ARCHIVE)
    for show in (softmax, layer_norm, reduce_rows, matmul):
        show(table, archive)
    print(f"\nThe demosaiced photograph is {folder / 'demosaiced.png'}")
    return 1 if table.failed else 0


if __name__ == "__main__":
    sys.exit(main())
