# SPDX-License-Identifier: Apache-2.0
"""MSL's type names and NumPy's dtypes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

_SCALARS: dict[str, Any] = {
    "bool": np.bool_,
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
    # spelled out by hand or by the compiler
    "int8_t": np.int8,
    "uint8_t": np.uint8,
    "int16_t": np.int16,
    "uint16_t": np.uint16,
    "int32_t": np.int32,
    "uint32_t": np.uint32,
    "int64_t": np.int64,
    "uint64_t": np.uint64,
    "size_t": np.uint64,
    "ptrdiff_t": np.int64,
    "unsigned int": np.uint32,
    "unsigned char": np.uint8,
    "signed char": np.int8,
    "unsigned short": np.uint16,
    "unsigned long": np.uint64,
    "atomic_int": np.int32,
    "atomic_uint": np.uint32,
    "atomic_float": np.float32,
    "atomic_bool": np.bool_,
}
_VECTOR = re.compile(r"^(packed_)?([a-z]+)([234])$")
_VEC = re.compile(r"^(?:metal::)?(packed_)?vec<(.+), ?([234])>$")
_ATOMIC = re.compile(r"^(?:metal::)?_?atomic<(.+)>$")


class ElementType(NamedTuple):
    """How one MSL value looks to NumPy: `lanes` components of `dtype`, `stride` bytes in all."""

    dtype: np.dtype[Any]
    lanes: int
    stride: int


def scalar_dtype(name: str) -> np.dtype[Any] | None:
    """dtype of an MSL scalar type, or None where NumPy has none (bfloat without ml_dtypes)."""
    name = name.removeprefix("metal::")
    if name in ("bfloat", "bfloat16_t", "__bf16"):
        return bfloat_dtype()
    if match := _ATOMIC.match(name):
        name = match[1]
    scalar = _SCALARS.get(name)
    return None if scalar is None else np.dtype(scalar)


def bfloat_dtype() -> np.dtype[Any] | None:
    """ml_dtypes' bfloat16, where that package is installed."""
    try:
        import ml_dtypes
    except ImportError:
        return None
    return np.dtype(ml_dtypes.bfloat16)


def element_type(name: str) -> ElementType | None:
    """Takes "float", "float3", "packed_half4" apart; None for structs and unknown names."""
    scalar = scalar_dtype(name)
    if scalar is not None:
        return ElementType(scalar, 1, scalar.itemsize)
    match = _VECTOR.match(name) or _VEC.match(name)
    if match is None:
        return None
    scalar = scalar_dtype(match[2])
    if scalar is None:
        return None
    lanes = int(match[3])
    padded = 4 if lanes == 3 and not match[1] else lanes
    return ElementType(scalar, lanes, padded * scalar.itemsize)


def msl_scalar_name(dtype: Any) -> str:
    """MSL's name for a NumPy dtype; TypeError where Metal has no equivalent."""
    dtype = np.dtype(dtype)
    for name, scalar in _SCALARS.items():
        if np.dtype(scalar) == dtype:
            return name
    if dtype.name == "bfloat16":
        return "bfloat"
    raise TypeError(f"No Metal equivalent for dtype: {dtype.name}")
