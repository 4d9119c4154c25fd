# SPDX-License-Identifier: Apache-2.0
"""The kernels of the test table as MSL source: which of MLX's headers a kernel needs and how its
template is instantiated under its name. layer_norm and rms_norm are in no header of the wheel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .families import Family

TYPES = {
    "bool_": "bool",
    "float16": "half",
    "bfloat16": "bfloat16_t",
    "float32": "float",
    "complex64": "complex64_t",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
_HEADERS = "mlx/backend/metal/kernels/"
_COMPARISONS = ("Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual", "NaNEqual")


def _binary(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    base = match["mode"].rstrip("n")
    result = "bool" if match["op"] in _COMPARISONS else TYPES[match["dtype"]]
    arguments = [TYPES[match["dtype"]], result, match["op"]]
    if match["mode"] in ("vv", "vs", "sv"):
        arguments.append(1)
    return ["binary_ops.h", "binary.h"], f"binary_{base}", arguments


def _unary(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    arguments = [TYPES[match["dtype"]], TYPES[match["second"]], match["op"]]
    if match["mode"] == "v":
        arguments.append(1)
    return ["unary_ops.h", "unary.h"], f"unary_{match['mode'].rstrip('n')}", arguments


def _copy(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    arguments: list[Any] = [TYPES[match["dtype"]], TYPES[match["second"]]]
    if len(match["mode"]) == 1:
        arguments.append(1)
    return ["copy.h"], f"copy_{match['mode'].rstrip('n')}", arguments


def _arange(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    return ["arange.h"], "arange", [TYPES[match["dtype"]]]


def _softmax(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    function = "softmax_looped" if match.string.startswith("looped") else "softmax_single_row"
    precise = ["float"] if "precise" in match.string else []
    return ["softmax.h"], function, [TYPES[match["dtype"]], *precise]


def _reduced(match: re.Match[str]) -> list[Any]:
    """Input type, output type and functor."""
    op, dtype = match["op"], match["dtype"]
    result = TYPES[dtype]
    if op in ("and", "or"):
        result = "bool"
    elif op in ("sum", "prod"):
        small = {"uint8": "int32_t", "int8": "int32_t", "int16": "int32_t", "uint16": "uint32_t"}
        result = small.get(dtype, result)
    return [TYPES[dtype], result, f"{op.capitalize()}<{result}>"]


_REDUCE = ["atomic.h", "reduction/ops.h", "reduce.h"]


def _all_reduce(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    return _REDUCE, "all_reduce", _reduced(match)


def _row_reduce(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    return _REDUCE, "row_reduce_simple", _reduced(match)


def _row_reduce_looped(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    return _REDUCE, "row_reduce_looped", [*_reduced(match), "int", 1]


def _col_reduce(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    small = "small" in match.string
    tile = [] if small else [32, 32]
    function = "col_reduce_small" if small else "col_reduce_looped"
    return _REDUCE, function, [*_reduced(match), "int", 1, *tile]


def _numbers(name: str, *keys: str) -> list[int]:
    return [int(re.search(rf"_{key}_?(\d+)", name)[1]) for key in keys]


def _gemv(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    sizes = _numbers(match.string, "bm", "bn", "sm", "sn", "tm", "tn")
    return ["steel/utils.h", "gemv.h"], "gemv", [TYPES[match["dtype"]], *sizes, 0, 0]


def _steel_gemm(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    sizes = _numbers(match.string, "bm", "bn", "bk", "wm", "wn")
    second = "true" if match["mode"] == "nt" else "false"
    headers = ["steel/gemm/gemm.h", "steel/gemm/kernels/steel_gemm_fused.h"]
    return headers, "gemm", [TYPES[match["dtype"]], *sizes, "false", second, "float"]


def _affine_qmv(match: re.Match[str]) -> tuple[list[str], str, list[Any]]:
    headers = ["steel/gemm/gemm.h", "quantized_utils.h", "quantized.h"]
    return headers, "affine_qmv_fast", [match["type"], int(match["gs"]), 4, 0, 0]


RULES: dict[str, Callable[[re.Match[str]], tuple[list[str], str, list[Any]]]] = {
    "binary": _binary,
    "unary": _unary,
    "copy": _copy,
    "arange": _arange,
    "softmax": _softmax,
    "all_reduce": _all_reduce,
    "row_reduce": _row_reduce,
    "row_reduce_looped": _row_reduce_looped,
    "col_reduce": _col_reduce,
    "gemv": _gemv,
    "steel_gemm": _steel_gemm,
    "affine_qmv": _affine_qmv,
}


def source_of(family: Family, names: list[str]) -> str:
    """One MSL source that instantiates every kernel of `names`, all of `family`."""
    headers: list[str] = []
    lines = []
    for name in names:
        needed, function, arguments = RULES[family.title](family.pattern.match(name))
        headers = needed
        template = ", ".join(map(str, arguments))
        lines.append(f'instantiate_kernel("{name}", {function}, {template})')
    includes = ["defines.h", "utils.h", *headers]
    return "\n".join(
        [
            "#include <metal_stdlib>",
            "#include <metal_simdgroup>",
            "using namespace metal;",
            *(f'#include "{_HEADERS}{header}"' for header in includes),
            *lines,
        ]
    )
