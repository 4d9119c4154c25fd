# SPDX-License-Identifier: Apache-2.0
"""MLX's dtype names as they stand in its kernels' names, and sample data of each."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np

NAMES: dict[str, Any] = {
    "bool_": np.bool_,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "complex64": np.complex64,
}
# longest first, so that bfloat16 is not read as float16
PATTERN = "|".join(sorted(map(re.escape, NAMES), key=len, reverse=True))
FLOATS = ("float16", "bfloat16", "float32")
INTEGERS = tuple(n for n in NAMES if "int" in n)


def epsilon(dtype: Any) -> float:
    """Distance from 1 to the next number."""
    return float(ml_dtypes.finfo(dtype).eps)


def is_float(dtype: Any) -> bool:
    return np.dtype(dtype).name in FLOATS


def samples(dtype: Any, size: int, seed: int, low: float = -4.0, high: float = 4.0) -> Any:
    """Numbers in [low, high) (integers: small ones, clipped to what the dtype holds). No
    denormals: modules that flush them are compared with NumPy, which does not."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return random.integers(0, 2, size).astype(np.bool_)
    if dtype.kind in "iu":
        bottom = max(int(low * 10), np.iinfo(dtype).min)
        return random.integers(bottom, int(high * 10), size).astype(dtype)
    if dtype.kind == "c":
        return (random.uniform(low, high, size) + 1j * random.uniform(low, high, size)).astype(
            dtype
        )
    values = random.uniform(low, high, size)
    values[np.abs(values) < 1e-3] = 1e-3
    return values.astype(dtype)


def ulps(got: Any, reference: Any) -> float:
    """Largest distance of `got` from the float64 `reference`, in units of got's last place at the
    reference rounded to its dtype; infinities and NaNs must agree."""
    rounded = reference.astype(got.dtype)
    wide, exact = got.astype(np.float64), reference.astype(np.float64)
    special = ~np.isfinite(rounded.astype(np.float64))
    same = (wide == rounded.astype(np.float64)) | (np.isnan(wide) & np.isnan(exact))
    if not same[special].all():
        return float("inf")
    info = ml_dtypes.finfo(got.dtype)
    spacing = np.maximum(
        2.0 ** np.floor(np.log2(np.maximum(np.abs(exact), float(info.tiny)))) * float(info.eps),
        float(info.tiny) * float(info.eps),
    )
    error = np.abs(wide - exact)[~special] / spacing[~special]
    return float(error.max(initial=0.0))
