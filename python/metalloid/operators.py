# SPDX-License-Identifier: Apache-2.0
"""Element-wise functions and reductions of Buffers, run on the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from metalloid import shader
from metalloid._buffer import Buffer


def binary(
    a: Buffer, b: Any, operation: str, reflected: bool = False, out: Buffer | None = None
) -> Any:
    """a op b (or b op a) for "add" … "ge"; `b` a Buffer or a number; into `out` where given."""
    compares = operation in shader.COMPARE
    symbol = shader.COMPARE[operation] if compares else shader.BINARY[operation]
    result = np.dtype(np.bool_) if compares else a.dtype
    if isinstance(b, Buffer):
        _check_pair(a, b)
        source = shader.binary_kernel(operation, symbol, a.msl_type, _msl(result))
        second: Any = b._buf
    elif isinstance(b, (bool, int, float, np.generic)):
        source = shader.scalar_kernel(operation, symbol, a.msl_type, reflected, _msl(result))
        second = scalar_bytes(b, a.dtype, f"Buffer {operation}")
    else:
        return NotImplemented
    if out is None:
        out = a._device.empty(a.shape, result, storage=a.storage)
    a._device._element_wise(source, operation, [a._buf, second, out._buf], a.size)
    return out


def scalar_bytes(value: Any, dtype: np.dtype[Any], operation: str) -> bytes:
    """`value` as one `dtype` element; OverflowError where an integer type cannot hold it."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if not info.min <= int(value) <= info.max:
            raise OverflowError(
                f"{operation}: {value} does not fit {dtype.name} ({info.min} … {info.max})"
            )
        value = int(value)
    return np.array(value, dtype=dtype).tobytes()


def _check_pair(a: Buffer, b: Buffer) -> None:
    if a._device is not b._device:
        raise ValueError(
            "Buffers belong to different Device instances; make both on the same Device"
        )
    if a.size != b.size:
        raise ValueError(f"Buffer size mismatch: {a.size} != {b.size}")
    if a.dtype != b.dtype:
        raise TypeError(f"Buffer dtype mismatch: {a.dtype.name} != {b.dtype.name}; use astype")


def _msl(dtype: np.dtype[Any]) -> str:
    from metalloid._types import msl_scalar_name

    return msl_scalar_name(dtype)


def _unary(name: str, a: Buffer) -> Buffer:
    out = a._device.empty(a.shape, a.dtype)
    a._device._element_wise(shader.unary_kernel(name, a.msl_type), name, [a._buf, out._buf], a.size)
    return out


def sqrt(a: Buffer) -> Buffer:
    """Square root of every element, in shared memory."""
    return _unary("sqrt", a)


def cos(a: Buffer) -> Buffer:
    """Cosine of every element (radians), in shared memory."""
    return _unary("cos", a)


def sin(a: Buffer) -> Buffer:
    """Sine of every element (radians), in shared memory."""
    return _unary("sin", a)


def tan(a: Buffer) -> Buffer:
    """Tangent of every element (radians), in shared memory."""
    return _unary("tan", a)


def exp(a: Buffer) -> Buffer:
    """e to the power of every element, in shared memory."""
    return _unary("exp", a)


def log(a: Buffer) -> Buffer:
    """Natural logarithm of every element, in shared memory."""
    return _unary("log", a)


def convert(a: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Every element converted to `dtype` with Metal's rules, in memory of the same kind."""
    out = a._device.empty(a.shape, dtype, storage=a.storage)
    source = shader.cast_kernel(a.msl_type, _msl(dtype))
    a._device._element_wise(source, "cast", [a._buf, out._buf], a.size)
    return out


def _reduce(name: str, a: Buffer) -> Any:
    """The pairwise tree, level by level: its rounding error grows with log2(n) only."""
    if a.size == 0:
        raise ValueError(f"operators.{name}: the Buffer has no elements")
    current, count = a._buf, a.size
    source = shader.reduce_kernel(name, a.msl_type)
    while count > 1:
        half = (count + 1) // 2
        out = a._device.empty(half, a.dtype)
        length = np.uint32(count).tobytes()
        a._device._element_wise(source, name, [current, out._buf, length], half)
        current, count = out._buf, half
    if current is a._buf:
        return a.contents[0].item()
    return np.frombuffer(memoryview(current), dtype=a.dtype, count=1)[0].item()


def sum(a: Buffer) -> Any:
    """Sum as a Python scalar; integers wrap in their own dtype."""
    return _reduce("sum", a)


def max(a: Buffer) -> Any:
    """Largest element as a Python scalar."""
    return _reduce("max", a)


def min(a: Buffer) -> Any:
    """Smallest element as a Python scalar."""
    return _reduce("min", a)


def mean(a: Buffer) -> float:
    """Arithmetic mean as a float."""
    return float(sum(a)) / a.size
