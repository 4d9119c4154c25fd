# SPDX-License-Identifier: Apache-2.0
"""The test table: kernel families of MLX's archive, each row a name pattern, a way to run and
check one kernel. Adding a family is adding a row.

A check takes a library (the archive, or the same kernels compiled from MLX's headers) and the match
of the name, runs the kernel on sample data, compares with NumPy and returns the outputs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from . import launch, references
from .dtypes import NAMES, PATTERN, epsilon, is_float, samples, ulps


class Family(NamedTuple):
    title: str
    pattern: re.Pattern[str]
    check: Callable[[Any, re.Match[str]], list[Any]]


def _kind(dtype: Any) -> str:
    dtype = np.dtype(dtype)
    return "f" if is_float(dtype) else {"u": "i"}.get(dtype.kind, dtype.kind)


def supported(name: str) -> bool:
    """False for combinations that MLX itself never launches (erf of a bool, say)."""
    match = _ELEMENT_WISE.match(name)
    if match is None:
        return True
    table = references.BINARY if match["mode"][0] in "vs" and match["second"] is None else None
    operations = {**references.BINARY, **references.UNARY} if table is None else table
    operation = operations.get(match["op"])
    return operation is not None and _kind(NAMES[match["dtype"]]) in operation.types


def _compare(name: str, got: Any, reference: Any, operation: references.Operation) -> None:
    """Exact, within ULPs, within an absolute bound, or (complex) within 4 eps |z|."""
    if got.dtype.kind == "c":
        reference = reference.astype(np.complex128)
        bound = 4 * epsilon(np.float32) * np.maximum(np.abs(reference), 1e-3)
        worst = np.max(np.abs(got - reference) / bound)
        assert worst <= max(1.0, operation.ulps), f"{name}: {worst:.2f} times 4 eps |z|"
        return
    if not is_float(got.dtype) or operation.ulps == 0:
        reference = reference.astype(got.dtype)
        wrong = ~((got == reference) | ((got != got) & (reference != reference)))
        assert not wrong.any(), f"{name}: {got[wrong][:4]} instead of {reference[wrong][:4]}"
        return
    if operation.absolute:
        error = np.abs(got.astype(np.float64) - reference).max()
        if error <= operation.absolute:
            return
    distance = ulps(got, reference)
    # half and bfloat results are float32 ones rounded: half a unit more at most
    bound = operation.ulps if got.dtype == np.float32 else min(operation.ulps, 1.0)
    assert distance <= bound + 1e-3, f"{name}: {distance:.2f} ULP, {bound} allowed"


def _sample_for(operation: references.Operation, dtype: Any, size: int, seed: int) -> Any:
    return samples(dtype, size, seed, operation.low, operation.high)


def check_binary(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype = NAMES[match["dtype"]]
    operation = references.BINARY[match["op"]]
    mode = match["mode"]
    work = launch._per_thread(mode + "_", np.dtype(dtype).itemsize)
    size = 1 if mode == "ss" else 1000 - 1000 % (1 if mode[-1] == "n" else work)
    x = _sample_for(operation, dtype, 1 if mode[0] == "s" else size, 1)
    y = _sample_for(operation, dtype, 1 if mode[1] == "s" else size, 2)
    if operation.nonzero_second:
        y[y == 0] = 1
    with np.errstate(all="ignore"):
        wx, wy = np.broadcast_to(x, size), np.broadcast_to(y, size)
        reference = operation.function(wx, wy)
    compares = reference.dtype == np.bool_ and np.dtype(dtype) != np.bool_
    out = np.zeros(size, np.bool_ if compares or match["op"] in _COMPARISONS else dtype)
    launch.element_wise(lib, match.string, [x, y], out, work)
    _compare(match.string, out, reference, operation)
    return [out]


_COMPARISONS = ("Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual", "NaNEqual")


def check_unary(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype, result = NAMES[match["dtype"]], NAMES[match["second"]]
    operation = references.UNARY[match["op"]]
    work = launch._per_thread(match["mode"] + "_", np.dtype(dtype).itemsize)
    x = _sample_for(operation, dtype, 1000 - 1000 % work, 3)
    with np.errstate(all="ignore"):
        reference = operation.function(x)
    out = np.zeros(x.size, result)
    launch.element_wise(lib, match.string, [x], out, work)
    _compare(match.string, out, reference, operation)
    return [out]


def check_copy(lib: Any, match: re.Match[str]) -> list[Any]:
    source, target = NAMES[match["dtype"]], NAMES[match["second"]]
    mode = match["mode"]
    work = launch._per_thread(mode + "_", np.dtype(target).itemsize)
    size = 1000 - 1000 % work
    unsigned = np.dtype(target).kind == "u" or np.dtype(source).kind == "u"
    x = samples(source, 1 if mode[0] == "s" else size, 4, 0.0 if unsigned else -4.0)
    out = np.zeros(size, target)
    launch.element_wise(lib, match.string, [x], out, work)
    reference = references.convert(np.broadcast_to(x, size), target)
    np.testing.assert_array_equal(out, reference, err_msg=match.string)
    return [out]


def check_arange(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype = np.dtype(NAMES[match["dtype"]])
    start, step = np.array(3, dtype), np.array(2, dtype)
    out = np.zeros(100, dtype)
    launch.arange(lib, match.string, start, step, out)
    np.testing.assert_array_equal(out, (3 + 2 * np.arange(100)).astype(dtype))
    return [out]


def _close_rows(name: str, got: Any, reference: Any, bound: Any) -> None:
    """|error| at most `bound` plus the rounding to the output dtype, denormals included."""
    info = ml_dtypes.finfo(np.float32 if got.dtype.kind == "c" else got.dtype)
    rounding = np.maximum(float(info.eps) * np.abs(reference), float(info.smallest_subnormal))
    error = np.abs(references.wide(got) - reference)
    worst = float((error / (bound + rounding + 1e-30)).max())
    assert worst <= 1.0, f"{name}: {worst:.2f} times the allowed error"


_EPS = epsilon(np.float32)  # every kernel here accumulates in float


def check_softmax(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype = NAMES[match["dtype"]]
    shape = (5, 5000) if match.string.startswith("looped") else (7, 1000)
    x = samples(dtype, shape[0] * shape[1], 5).reshape(shape)
    out = np.zeros_like(x)
    launch.softmax(lib, match.string, x, out)
    wide = x.astype(np.float64)
    exact = np.exp(wide - wide.max(1, keepdims=True))
    reference = exact / exact.sum(1, keepdims=True)
    # without "precise" in the name, half and bfloat keep their own precision all the way
    own = is_float(dtype) and np.dtype(dtype) != np.float32 and "precise" not in match.string
    unit = epsilon(dtype) if own else _EPS
    _close_rows(
        match.string,
        out,
        reference,
        2 * unit * np.log2(shape[1]) * reference + 4 * unit * reference,
    )
    return [out]


def _norm_input(match: re.Match[str]) -> tuple[Any, Any, Any, Any]:
    dtype = NAMES[match["dtype"]]
    shape = (5, 8192) if "looped" in match.string else (7, 1000)
    x = samples(dtype, shape[0] * shape[1], 6).reshape(shape)
    return x, samples(dtype, shape[1], 7), samples(dtype, shape[1], 8), np.zeros_like(x)


def check_rms_norm(lib: Any, match: re.Match[str]) -> list[Any]:
    x, w, _, out = _norm_input(match)
    launch.rms_norm(lib, match.string, x, w, out, 1e-5)
    wide = x.astype(np.float64)
    scale = 1 / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5)
    # the scaled value is rounded to the dtype before the weight is applied
    reference = (wide * scale) * w.astype(np.float64)
    bound = (2 * _EPS * np.log2(x.shape[1]) + epsilon(x.dtype)) * np.abs(reference)
    _close_rows(match.string, out, reference, bound)
    return [out]


def check_layer_norm(lib: Any, match: re.Match[str]) -> list[Any]:
    x, w, b, out = _norm_input(match)
    launch.layer_norm(lib, match.string, x, w, b, out, 1e-5)
    wide, weight = x.astype(np.float64), w.astype(np.float64)
    mean, variance = wide.mean(1, keepdims=True), wide.var(1, keepdims=True)
    normal = (wide - mean) / np.sqrt(variance + 1e-5)
    reference = normal * weight + b.astype(np.float64)
    size = np.abs(normal * weight) + np.abs(b.astype(np.float64))
    bound = (2 * _EPS * np.log2(x.shape[1]) + 2 * epsilon(x.dtype)) * size + 8 * _EPS
    _close_rows(match.string, out, reference, bound)
    return [out]


_REDUCE_OUT = {"sum": True, "prod": True}


def _reduce_types(op: str, dtype_name: str) -> Any:
    """MLX's output dtype: integer sums and products are kept in at least 32 bits."""
    dtype = np.dtype(NAMES[dtype_name])
    if op in ("and", "or"):
        return np.dtype(np.bool_)
    if op in _REDUCE_OUT and dtype.kind in "iu" and dtype.itemsize < 4:
        return np.dtype(np.int32 if dtype.kind == "i" else np.uint32)
    if op in _REDUCE_OUT and dtype == np.bool_:
        return np.dtype(np.int32)
    return dtype


def _reduce_reference(op: str, x: Any, axis: Any, out: Any) -> Any:
    if op in ("and", "or"):
        return (np.all if op == "and" else np.any)(x != 0, axis=axis)
    if op in ("min", "max"):
        if x.dtype.kind == "c":
            order = np.sort_complex(x.reshape(-1))
            assert axis is None
            return order[0] if op == "min" else order[-1]
        return (np.min if op == "min" else np.max)(x, axis=axis)
    function = np.sum if op == "sum" else np.prod
    if x.dtype.kind in "biu":
        with np.errstate(all="ignore"):
            return function(x, axis=axis, dtype=out)
    return function(references.wide(x), axis=axis)


def _check_reduced(name: str, op: str, x: Any, axis: Any, out: Any) -> None:
    reference = np.asarray(_reduce_reference(op, x, axis, out.dtype)).reshape(out.shape)
    if op in ("sum", "prod") and out.dtype.kind not in "biu":
        wide = np.abs(references.wide(x))
        size = np.sum(wide, axis=axis) if op == "sum" else np.abs(reference)
        count = x.size // max(1, out.size)
        unit = epsilon(np.float32 if out.dtype.kind == "c" else out.dtype)
        steps = np.log2(count) if op == "sum" else count
        bound = 2 * unit * steps * size.reshape(out.shape)
        error = np.abs(out.astype(reference.dtype) - reference)
        assert (error <= bound + unit * np.abs(reference)).all(), (
            f"{name}: error {error.max()} where {bound.min()} is allowed"
        )
        return
    np.testing.assert_array_equal(out, reference.astype(out.dtype), err_msg=name)


def _reduce_input(match: re.Match[str], shape: tuple[int, ...]) -> tuple[str, Any, Any]:
    op, dtype_name = match["op"], match["dtype"]
    size = int(np.prod(shape))
    spread = (0.5, 1.5) if op == "prod" else (-4.0, 4.0)
    x = samples(NAMES[dtype_name], size, 9, *spread).reshape(shape)
    if op == "or":
        x = np.where(np.arange(size).reshape(shape) % 5 == 0, x, np.zeros_like(x))
    if op == "prod" and x.dtype.kind in "iu":
        x = np.where(x == 0, np.ones_like(x), x)
    return op, np.ascontiguousarray(x), _reduce_types(op, dtype_name)


def check_all_reduce(lib: Any, match: re.Match[str]) -> list[Any]:
    op, x, result = _reduce_input(match, (3000 if match["op"] != "prod" else 200,))
    out = np.zeros(1, result)
    launch.all_reduce(lib, match.string, x, out)
    _check_reduced(match.string, op, x, None, out)
    return [out]


def check_row_reduce(lib: Any, match: re.Match[str]) -> list[Any]:
    op, x, result = _reduce_input(match, (37, 1000 if match["op"] != "prod" else 90))
    if x.dtype.kind == "c" and op in ("min", "max"):
        return []
    out = np.zeros(37, result)
    launch.row_reduce_simple(lib, match.string, x, out)
    _check_reduced(match.string, op, x, 1, out)
    return [out]


def check_row_reduce_looped(lib: Any, match: re.Match[str]) -> list[Any]:
    op, x, result = _reduce_input(match, (4, 9, 1000 if match["op"] != "prod" else 40))
    if x.dtype.kind == "c" and op in ("min", "max"):
        return []
    out = np.zeros(9, result)
    launch.row_reduce_looped(lib, match.string, x, out)
    _check_reduced(match.string, op, x, (0, 2), out)
    return [out]


def check_col_reduce(lib: Any, match: re.Match[str]) -> list[Any]:
    op, x, result = _reduce_input(match, (50, 203))
    if x.dtype.kind == "c" and op in ("min", "max"):
        return []
    out = np.zeros(203, result)
    rule = launch.col_reduce_small if "small" in match.string else launch.col_reduce_looped
    rule(lib, match.string, x, out)
    _check_reduced(match.string, op, x, 0, out)
    return [out]


def _product_bound(a: Any, b: Any, dtype: Any) -> Any:
    """The reduction bound for a matrix product accumulated in float."""
    size = np.abs(references.wide(a)) @ np.abs(references.wide(b))
    unit = _EPS if np.dtype(dtype).kind == "c" else epsilon(dtype)
    return 2 * _EPS * max(1.0, np.log2(a.shape[-1])) * size + unit * size * 0.5


def check_gemv(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype = NAMES[match["dtype"]]
    fields = {key: int(match[key]) for key in ("bm", "sm", "tm")}
    matrix = samples(dtype, 130 * 260, 10).reshape(130, 260)
    vector = samples(dtype, 260, 11)
    out = np.zeros(130, dtype)
    launch.gemv(lib, match.string, matrix, vector, out, fields["bm"] * fields["sm"] * fields["tm"])
    reference = references.wide(matrix) @ references.wide(vector)
    _close_rows(match.string, out, reference, _product_bound(matrix, vector, dtype))
    return [out]


def check_steel_gemm(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype = NAMES[match["dtype"]]
    outputs = []
    for m, n, k in ((128, 128, 64), (70, 90, 50)):
        a = samples(dtype, m * k, 12).reshape(m, k)
        b = samples(dtype, k * n, 13).reshape((n, k) if match["mode"] == "nt" else (k, n))
        out = np.zeros((m, n), dtype)
        launch.steel_gemm(lib, match.string, a, b, out)
        right = b.T if match["mode"] == "nt" else b
        reference = references.wide(a) @ references.wide(right)
        _close_rows(match.string, out, reference, _product_bound(a, right, dtype))
        outputs.append(out)
    return outputs


def check_affine_qmv(lib: Any, match: re.Match[str]) -> list[Any]:
    dtype = {"float": np.float32, **NAMES, "bfloat16_t": NAMES["bfloat16"]}
    dtype = {**dtype, "float16_t": np.float16}[match["type"]]
    group, rows, columns = int(match["gs"]), 64, 512
    random = np.random.default_rng(14)
    quants = random.integers(0, 16, (rows, columns))
    w = np.zeros((rows, columns // 8), np.uint32)
    for i in range(8):
        w |= quants[:, i::8].astype(np.uint32) << np.uint32(4 * i)
    scales = samples(dtype, rows * (columns // group), 15, 0.1, 1.0).reshape(rows, -1)
    biases = samples(dtype, rows * (columns // group), 16, -1.0, 1.0).reshape(rows, -1)
    x = samples(dtype, columns, 17, -1.0, 1.0)
    out = np.zeros(rows, dtype)
    launch.affine_qmv(lib, match.string, w, scales, biases, x, out)
    spread = [np.repeat(v.astype(np.float64), group, axis=1) for v in (scales, biases)]
    matrix = quants * spread[0] + spread[1]
    reference = matrix @ x.astype(np.float64)
    size = (quants * np.abs(spread[0]) + np.abs(spread[1])) @ np.abs(x.astype(np.float64))
    bound = 4 * _EPS * np.log2(columns) * size + epsilon(dtype) * np.abs(reference)
    _close_rows(match.string, out, reference, bound)
    return [out]


_D = f"(?P<dtype>{PATTERN})"
_BINARY = "|".join(sorted(references.BINARY, key=len, reverse=True))
_UNARY = "|".join(sorted(references.UNARY, key=len, reverse=True))
_ELEMENT_WISE = re.compile(
    rf"(?P<mode>[vs]{{1,2}}[n2]?)_(?P<op>{_BINARY}|{_UNARY}){_D}(?P<second>{PATTERN})?$"
)
_REDUCE = rf"(?P<op>and|or|sum|prod|min|max){_D}$"


def _family(title: str, pattern: str, check: Any) -> Family:
    return Family(title, re.compile(pattern), check)


FAMILIES = [
    _family(
        "binary",
        rf"(?P<mode>vv|vs|sv|ss|vvn|vsn|svn|vv2|vs2|sv2)_(?P<op>{_BINARY}){_D}$",
        check_binary,
    ),
    _family("unary", rf"(?P<mode>v|vn|v2)_(?P<op>{_UNARY}){_D}(?P<second>{PATTERN})$", check_unary),
    _family("copy", rf"(?P<mode>s|v|sn|vn|s2|v2)_copy{_D}(?P<second>{PATTERN})$", check_copy),
    _family("arange", rf"arange{_D}$", check_arange),
    _family("softmax", rf"(block|looped)_softmax_(precise_)?{_D}$", check_softmax),
    _family("rms_norm", rf"rms(_looped)?{_D}$", check_rms_norm),
    _family("layer_norm", rf"layer_norm(_looped)?{_D}$", check_layer_norm),
    _family("all_reduce", rf"all_reduce_{_REDUCE}", check_all_reduce),
    _family("row_reduce", rf"row_reduce_simple_{_REDUCE}", check_row_reduce),
    _family("row_reduce_looped", rf"row_reduce_looped_1_reduce_{_REDUCE}", check_row_reduce_looped),
    _family(
        "col_reduce", rf"col_reduce_(small_1|looped_1_32_32)_reduce_{_REDUCE}", check_col_reduce
    ),
    _family(
        "gemv",
        rf"gemv_{_D}_bm(?P<bm>\d+)_bn(?P<bn>\d+)_sm(?P<sm>\d+)_sn(?P<sn>\d+)_tm(?P<tm>4)_tn\d+_nc0_axpby0$",
        check_gemv,
    ),
    _family(
        "steel_gemm",
        rf"steel_gemm_fused_(?P<mode>nn|nt)_{_D}_(?P=dtype)_bm\d+_bn\d+_bk\d+_wm\d+_wn\d+$",
        check_steel_gemm,
    ),
    _family(
        "affine_qmv",
        r"affine_qmv_fast_(?P<type>float|float16_t|bfloat16_t)_gs_(?P<gs>\d+)_b_4_batch_0_pr_0_hgs_0_r_4$",
        check_affine_qmv,
    ),
]


def find(name: str) -> tuple[Family, re.Match[str]] | None:
    """The row whose pattern `name` matches, where the combination is one that MLX launches."""
    for family in FAMILIES:
        match = family.pattern.match(name)
        if match and supported(name):
            return family, match
    return None


def spread(names: Sequence[str], family: Family, count: int) -> list[str]:
    """`count` kernels spread over the family; METALLOID_KERNELS changes how many (0: all)."""
    found = [n for n in names if (row := find(n)) and row[0] is family]
    count = int(os.environ.get("METALLOID_KERNELS", count)) or len(found)
    return found[:: max(1, len(found) // max(1, count))]
