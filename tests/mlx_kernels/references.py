# SPDX-License-Identifier: Apache-2.0
"""What MLX's element-wise kernels compute, in NumPy: by operation name, on whole arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


def wide(x: Any) -> Any:
    """Floats as float64, complex64 as complex128: references are rounded once, at the end."""
    if x.dtype.kind == "c":
        return x.astype(np.complex128)
    return x.astype(np.float64) if x.dtype.kind not in "biu" else x


def _floor_divide(x: Any, y: Any) -> Any:
    return np.floor_divide(x, y) if x.dtype.kind in "biu" else np.floor((x / y).astype(x.dtype))


def _remainder(x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        return np.remainder(x, y)
    remainder = np.fmod(wide(x), wide(y))
    wrong = (remainder != 0) & ((remainder < 0) != (y < 0))
    return np.where(wrong, remainder + wide(y), remainder)


def _integer_divide(x: Any, y: Any) -> Any:
    quotient = np.abs(x.astype(object)) // np.abs(y.astype(object))
    sign = np.where((x < 0) != (y < 0), -1, 1)
    return (quotient * sign).astype(x.dtype)


def _divide(x: Any, y: Any) -> Any:
    return _integer_divide(x, y) if x.dtype.kind in "iu" else wide(x) / wide(y)


def _larger(x: Any, y: Any) -> Any:
    return np.where(_greater(x, y), x, y)


def _smaller(x: Any, y: Any) -> Any:
    return np.where(_greater(y, x), x, y)


def _greater(x: Any, y: Any) -> Any:
    if x.dtype.kind == "c":  # by real part, then imaginary
        return (x.real > y.real) | ((x.real == y.real) & (x.imag > y.imag))
    return x > y


def _integer_power(x: Any, y: Any) -> Any:
    bits = 8 * x.dtype.itemsize
    powers = [pow(int(a), int(b), 1 << bits) if b >= 0 else 0 for a, b in zip(x, y, strict=True)]
    return np.array(powers, dtype=np.uint64).astype(f"u{x.dtype.itemsize}").view(x.dtype)


def _power(x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        return _integer_power(x, y)
    return np.power(wide(x), wide(y))


class Operation(NamedTuple):
    """A reference and how far from it a kernel may be, in ULP of the result (0: exact)."""

    function: Callable[..., Any]
    ulps: float = 0.0
    types: str = "bifc"  # dtype kinds it is checked for: bool, integer, float, complex
    low: float = -4.0
    high: float = 4.0
    nonzero_second: bool = False
    absolute: float = 0.0  # or an absolute error, for formulas of MLX's own


BINARY: dict[str, Operation] = {
    "Add": Operation(lambda x, y: x | y if x.dtype == bool else x + y),
    "Subtract": Operation(lambda x, y: x - y, types="ifc"),
    "Multiply": Operation(lambda x, y: x * y, types="bif"),
    "Divide": Operation(_divide, 0.5, types="if", nonzero_second=True),
    "FloorDivide": Operation(_floor_divide, types="if", nonzero_second=True),
    "Remainder": Operation(_remainder, 0.5, types="if", nonzero_second=True),
    "Power": Operation(_power, 16.0, types="if", low=0.5, high=3.0),
    "Maximum": Operation(_larger),
    "Minimum": Operation(_smaller),
    "Equal": Operation(lambda x, y: x == y),
    "NotEqual": Operation(lambda x, y: x != y),
    "Greater": Operation(_greater),
    "GreaterEqual": Operation(lambda x, y: ~_greater(y, x)),
    "Less": Operation(lambda x, y: _greater(y, x)),
    "LessEqual": Operation(lambda x, y: ~_greater(x, y)),
    "NaNEqual": Operation(lambda x, y: (x == y) | ((x != x) & (y != y)), types="fc"),
    "LogAddExp": Operation(lambda x, y: np.logaddexp(wide(x), wide(y)), 4.0, types="f", low=0.5),
    "ArcTan2": Operation(lambda x, y: np.arctan2(wide(x), wide(y)), 4.0, types="f"),
    "LogicalAnd": Operation(np.logical_and, types="b"),
    "LogicalOr": Operation(np.logical_or, types="b"),
    "BitwiseAnd": Operation(np.bitwise_and, types="bi"),
    "BitwiseOr": Operation(np.bitwise_or, types="bi"),
    "BitwiseXor": Operation(np.bitwise_xor, types="bi"),
    "LeftShift": Operation(np.left_shift, types="i", low=0, high=0.7),
    "RightShift": Operation(np.right_shift, types="i", low=0, high=0.7),
}


def _on_wide(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(wide(x))


_erf = np.vectorize(math.erf, otypes=[np.float64])


def _erfinv(y: Any) -> Any:
    """Newton's method on math.erf from a rational start; converges for |y| < 0.95."""
    x = np.zeros_like(y)
    for _ in range(60):
        x = x - (_erf(x) - y) * np.sqrt(np.pi) / 2 * np.exp(x * x)
    return x


def _sign(x: Any) -> Any:
    if x.dtype.kind == "c":
        return wide(x) / np.abs(wide(x))
    return np.sign(x.astype(np.int8) if x.dtype == bool else x).astype(x.dtype)


def _abs(x: Any) -> Any:
    return np.abs(wide(x)) + 0j if x.dtype.kind == "c" else np.abs(x)


def _same_integers(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: x if x.dtype.kind in "biu" else function(x)


def _function(name: str, ulps: float = 4.0, **rest: Any) -> Operation:
    return Operation(_on_wide(getattr(np, name)), ulps, **{"types": "fc", **rest})


UNARY: dict[str, Operation] = {
    "Abs": Operation(_abs, types="bifc"),
    "ArcCos": _function("arccos", low=-0.99, high=0.99),
    "ArcCosh": _function("arccosh", types="f", low=1.1),
    "ArcSin": _function("arcsin", low=-0.99, high=0.99),
    "ArcSinh": _function("arcsinh", types="f"),
    "ArcTan": _function("arctan", low=-0.9, high=0.9),
    "ArcTanh": _function("arctanh", types="f", low=-0.99, high=0.99),
    "BitwiseInvert": Operation(np.invert, types="i"),
    "Ceil": Operation(_same_integers(np.ceil), types="bif"),
    "Conjugate": Operation(np.conjugate, types="c"),
    "Cos": _function("cos"),
    "Cosh": _function("cosh"),
    "Erf": Operation(_on_wide(_erf), 4.0, types="f", absolute=4e-7),
    "ErfInv": Operation(_on_wide(_erfinv), 4.0, types="f", low=-0.9, high=0.9, absolute=4e-6),
    "Exp": _function("exp"),
    "Expm1": _function("expm1", types="f"),
    "Floor": Operation(_same_integers(np.floor), types="bif"),
    "Imag": Operation(lambda x: x.imag, types="c"),
    "Log": _function("log", low=0.1),
    "Log10": _function("log10", low=0.1),
    "Log1p": _function("log1p", types="f", low=-0.9),
    "Log2": _function("log2", low=0.1),
    "LogicalNot": Operation(np.logical_not, types="b"),
    "Negative": Operation(np.negative, types="ifc"),
    "Real": Operation(lambda x: x.real, types="c"),
    "Round": Operation(np.rint, types="fc"),
    "Rsqrt": Operation(lambda x: 1 / np.sqrt(wide(x)), 4.0, types="fc", low=0.1),
    "Sigmoid": Operation(lambda x: 1 / (1 + np.exp(-wide(x))), 8.0, types="f"),
    "Sign": Operation(_sign, types="bifc"),
    "Sin": _function("sin"),
    "Sinh": _function("sinh"),
    "Sqrt": _function("sqrt", low=0.1),
    "Square": Operation(lambda x: wide(x) * wide(x), 0.5, types="ifc"),
    "Tan": _function("tan", low=-1.3, high=1.3),
    "Tanh": _function("tanh"),
}


def convert(x: Any, dtype: Any) -> Any:
    """MLX's copy between dtypes: to bool by != 0, complex to real drops the imaginary part,
    floats to integers truncate, integers wrap."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return x != 0
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    if x.dtype.kind not in "biuc" and dtype.kind in "iu":
        return np.trunc(x.astype(np.float64)).astype(dtype)
    return x.astype(dtype)
