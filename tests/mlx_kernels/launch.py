# SPDX-License-Identifier: Apache-2.0
"""How MLX launches each family of its kernels (grid, threadgroup, argument slots), one function a
rule. A rule calls the kernel on NumPy arrays; `lib` is an opened archive or a compiled source."""

from __future__ import annotations

from typing import Any

import numpy as np

SIMD = 32
MAX_THREADS = 1024


def _flat(count: int) -> dict[str, Any]:
    """A 1-D grid of `count` threads in threadgroups of up to 1,024."""
    return {"grid": count, "threadgroup": max(1, min(count, MAX_THREADS))}


def _per_thread(name: str, itemsize: int) -> int:
    """Elements a thread handles: kernels with an n or a 2 in their prefix take 8 bytes of them."""
    prefix = name.split("_", 1)[0]
    return max(1, 8 // itemsize) if prefix[-1] in "n2" else 1


def element_wise(lib: Any, name: str, inputs: list[Any], out: Any, work: int) -> None:
    """Binary, unary and copy kernels: inputs, output, number of elements."""
    size, threads = out.size, -(-out.size // work)
    kernel = lib[name]
    prefix = name.split("_", 1)[0]
    if prefix.endswith("2"):  # 64-bit sizes: a 2-D grid
        # exactly as many threads as needed: kernels of 8-byte types do not check their index
        width = next(d for d in range(int(threads**0.5), 0, -1) if threads % d == 0)
        grid = (width, threads // width)
        kernel(*inputs, out, size, grid=grid, threadgroup=(min(width, MAX_THREADS), 1))
    elif prefix == "ss":
        kernel(*inputs, out, grid=size, threadgroup=1)
    else:
        kernel(*inputs, out, size, **_flat(threads))


def arange(lib: Any, name: str, start: Any, step: Any, out: Any) -> None:
    lib[name](start, step, out, **_flat(out.size))


def _row_threads(axis: int, reads: int) -> int:
    """Threads for a row read `reads` elements a thread, in whole SIMD-groups."""
    needed = -(-axis // reads)
    return -(-needed // SIMD) * SIMD


def softmax(lib: Any, name: str, x: Any, out: Any) -> None:
    rows, axis = x.shape
    threads = MAX_THREADS if name.startswith("looped") else _row_threads(axis, 4)
    lib[name](x, out, axis, grid=rows * threads, threadgroup=threads)


def rms_norm(lib: Any, name: str, x: Any, weight: Any, out: Any, eps: float) -> None:
    rows, axis = x.shape
    threads = MAX_THREADS if "looped" in name else _row_threads(axis, 4)
    lib[name](x, weight, out, eps, axis, 1, grid=rows * threads, threadgroup=threads)


def layer_norm(lib: Any, name: str, x: Any, w: Any, b: Any, out: Any, eps: float) -> None:
    rows, axis = x.shape
    threads = MAX_THREADS if "looped" in name else _row_threads(axis, 8)
    lib[name](x, w, b, out, eps, axis, 1, 1, grid=rows * threads, threadgroup=threads)


def all_reduce(lib: Any, name: str, x: Any, out: Any) -> None:
    threads = min(MAX_THREADS, _row_threads(x.size, 4))
    lib[name](x, out, x.size, x.size, grid=threads, threadgroup=threads)


def _reduce_row_threads(row: int) -> int:
    if row <= 512:
        return 32
    if row <= 1024:
        return 128
    return min(MAX_THREADS, _row_threads(row, 4))


def row_reduce_simple(lib: Any, name: str, x: Any, out: Any) -> None:
    rows, axis = x.shape
    threads = _reduce_row_threads(axis)
    if x.itemsize == 8:
        threads = min(threads, 512)
    grid = (threads, -(-rows // 4), 1)
    lib[name](x, out, axis, rows, grid=grid, threadgroup=threads)


def _strided(x: Any, kept: list[int], reduced: list[int]) -> list[Any]:
    """shape, strides, ndim of the kept axes and of the reduced ones, as MLX passes them."""
    strides = [s // x.itemsize for s in x.strides]

    def part(axes: list[int]) -> list[Any]:
        shape = np.array([x.shape[a] for a in axes] or [0], np.int32)
        return [shape, np.array([strides[a] for a in axes] or [0], np.int64), len(axes)]

    return [*part(kept), *part(reduced)]


def row_reduce_looped(lib: Any, name: str, x: Any, out: Any) -> None:
    """x of shape (a, b, row): reduced over its first and last axes."""
    outer, _, row = x.shape
    threads = _reduce_row_threads(row)
    arguments = [row, outer, *_strided(x, [1], [0])]
    lib[name](x, out, *arguments, grid=(threads, out.size, 1), threadgroup=threads)


def col_reduce_small(lib: Any, name: str, x: Any, out: Any) -> None:
    """x of shape (rows, columns): reduced over its rows."""
    rows, columns = x.shape
    blocks = -(-columns // 4)
    group = (min(blocks, 32), min(8, rows), 1)
    groups = -(-blocks // group[0])
    arguments = [rows, columns, *_strided(x, [], [0]), 1]
    grid = (groups * group[0], group[1], 1)
    lib[name](x, out, *arguments, grid=grid, threadgroup=group)


def col_reduce_looped(lib: Any, name: str, x: Any, out: Any) -> None:
    rows, columns = x.shape
    arguments = [rows, columns, *_strided(x, [], [0]), 1, 0]
    grid = (256 * -(-columns // 32), 1, 1)
    lib[name](x, out, *arguments, grid=grid, threadgroup=256)


def gemv(lib: Any, name: str, matrix: Any, vector: Any, out: Any, rows_per_group: int) -> None:
    """The name's bm, bn say the threadgroup; `rows_per_group` is bm * sm * tm."""
    fields = {part[:2]: int(part[2:]) for part in name.split("_") if part[:2] in ("bm", "bn")}
    rows, columns = matrix.shape
    groups = -(-rows // rows_per_group)
    one = np.array([1], np.int32), np.array([0], np.int64)
    arguments = [columns, rows, columns, None, None, 1, one[0], one[1], one[1]]
    lib[name](
        matrix,
        vector,
        None,
        out,
        *arguments,
        grid=(groups * 32, fields["bn"], fields["bm"]),
        threadgroup=(32, fields["bn"], fields["bm"]),
    )


GEMM_PARAMS = np.dtype(
    [
        *((name, "<i4") for name in ("M", "N", "K", "lda", "ldb", "ldd", "tiles_n", "tiles_m")),
        *((name, "<i8") for name in ("batch_stride_a", "batch_stride_b", "batch_stride_d")),
        *((name, "<i4") for name in ("swizzle_log", "k_iterations", "batch_ndim")),
    ],
    align=True,
)


def steel_gemm(lib: Any, name: str, a: Any, b: Any, out: Any) -> None:
    """out = a @ b, or a @ b.T where the name says nt; tile sizes are in the name."""
    fields = {part[:2]: int(part[2:]) for part in name.split("_") if part[:2] in _TILES}
    bm, bn, bk = fields["bm"], fields["bn"], fields["bk"]
    m, k = a.shape
    n = out.shape[1]
    tiles_n, tiles_m = -(-n // bn), -(-m // bm)
    params = np.zeros(1, GEMM_PARAMS)
    params[0] = (m, n, k, k, b.shape[1], n, tiles_n, tiles_m, 0, 0, 0, 0, k // bk, 1)
    constants = {10: False, 100: False, 110: False}
    constants |= {200: m % bm == 0, 201: n % bn == 0, 202: k % bk == 0}
    lib[name](
        a,
        b,
        None,
        out,
        params,
        constants=constants,
        grid=(tiles_n * 32, tiles_m * fields["wn"], fields["wm"]),
        threadgroup=(32, fields["wn"], fields["wm"]),
    )


_TILES = ("bm", "bn", "bk", "wm", "wn")


def affine_qmv(lib: Any, name: str, w: Any, scales: Any, biases: Any, x: Any, out: Any) -> None:
    """One vector times a quantised matrix; eight output rows a threadgroup of two SIMD-groups."""
    shape, strides = np.array([1], np.int32), np.array([0], np.int64)
    batch = [1, shape, strides, 1, shape, strides, strides, strides]
    groups = -(-out.size // 8)
    lib[name](
        w,
        scales,
        biases,
        x,
        out,
        x.size,
        out.size,
        *batch,
        grid=(32, groups * 2, 1),
        threadgroup=(32, 2, 1),
    )
