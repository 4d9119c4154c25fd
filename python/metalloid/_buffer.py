# SPDX-License-Identifier: Apache-2.0
"""Device memory with a shape and a dtype."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metalloid._storage import StorageMode
from metalloid._types import msl_scalar_name

if TYPE_CHECKING:
    from metalloid import _core
    from metalloid._device import Device


class Buffer:
    """`size` elements of `dtype` in device memory, C-ordered as `shape`.

    Made by Device.buffer and Device.empty. Arithmetic with another Buffer of the same size and
    dtype, or with a number, runs on the device and gives a new Buffer; `/` on integers truncates,
    as Metal's does. Comparisons give bool Buffers. In-place operators keep the memory.
    """

    __hash__ = None  # type: ignore[assignment]  # like ndarray: == gives a Buffer
    __array_priority__ = 1000  # numpy scalars on the left defer to us

    def __init__(
        self, device: Device, native: _core.Buffer, shape: tuple[int, ...], dtype: np.dtype[Any]
    ) -> None:
        self._device = device
        self._buf = native
        self.shape = shape
        self.dtype = dtype

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def storage(self) -> StorageMode:
        return StorageMode(self._buf.storage)

    @property
    def mtl_ptr(self) -> int:
        """Address of the MTL::Buffer, borrowed."""
        return self._buf.mtl_ptr

    @property
    def contents(self) -> np.ndarray[Any, Any]:
        """The elements, flat. Shared memory: a live, writable view that keeps the memory alive.
        Private and managed memory: a read-only copy."""
        if self.storage is StorageMode.SHARED:
            return np.frombuffer(memoryview(self._buf), dtype=self.dtype, count=self.size)
        copy = np.frombuffer(self._device._read(self._buf), dtype=self.dtype, count=self.size)
        copy.flags.writeable = False
        return copy

    def numpy(self) -> np.ndarray[Any, Any]:
        """`contents` in `shape`."""
        return self.contents.reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) != self.dtype:
            if copy is False:
                raise ValueError(
                    f"Buffer: {self.dtype.name} to {np.dtype(dtype).name} needs a copy"
                )
            return array.astype(dtype)
        return array.copy() if copy else array

    def reshape(self, *shape: Any) -> Buffer:
        """The same memory seen in another shape; one axis may be -1."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        try:
            new = _resolve(self.size, wanted)
        except ValueError:
            raise ValueError(
                f"cannot reshape Buffer of size {self.size} into shape {tuple(wanted)}"
            ) from None
        return self._like(self._buf, new, self.dtype)

    def astype(self, dtype: Any) -> Buffer:
        """Converted on the device with Metal's rules (floats to integers truncate)."""
        from metalloid import operators

        return operators.convert(self, self._device._storable(np.dtype(dtype)))

    def to_storage(self, mode: StorageMode) -> Buffer:
        """In memory of `mode`; self where it is there already."""
        if mode == self.storage:
            return self
        out = self._device.empty(self.shape, self.dtype, storage=mode)
        self._device.copy_buffer(self, out)
        return out

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __repr__(self) -> str:
        suffix = (
            "" if self.storage is StorageMode.SHARED else f", storage={self.storage.name.lower()}"
        )
        return f"Buffer(shape={self.shape}, dtype={self.dtype.name}{suffix})"

    def _like(self, native: _core.Buffer, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Buffer:
        return type(self)(self._device, native, shape, dtype)

    def _binary(self, other: Any, operation: str, reflected: bool = False) -> Any:
        from metalloid import operators

        return operators.binary(self, other, operation, reflected)

    def _in_place(self, other: Any, operation: str) -> Any:
        from metalloid import operators

        result = operators.binary(self, other, operation, out=self)
        return NotImplemented if result is NotImplemented else self

    def __add__(self, other: Any) -> Any:
        return self._binary(other, "add")

    def __radd__(self, other: Any) -> Any:
        return self._binary(other, "add", True)

    def __sub__(self, other: Any) -> Any:
        return self._binary(other, "sub")

    def __rsub__(self, other: Any) -> Any:
        return self._binary(other, "sub", True)

    def __mul__(self, other: Any) -> Any:
        return self._binary(other, "mul")

    def __rmul__(self, other: Any) -> Any:
        return self._binary(other, "mul", True)

    def __truediv__(self, other: Any) -> Any:
        return self._binary(other, "div")

    def __rtruediv__(self, other: Any) -> Any:
        return self._binary(other, "div", True)

    def __neg__(self) -> Any:
        return self._binary(-1, "mul")

    def __iadd__(self, other: Any) -> Any:
        return self._in_place(other, "add")

    def __isub__(self, other: Any) -> Any:
        return self._in_place(other, "sub")

    def __imul__(self, other: Any) -> Any:
        return self._in_place(other, "mul")

    def __itruediv__(self, other: Any) -> Any:
        return self._in_place(other, "div")

    def __eq__(self, other: Any) -> Any:
        return self._binary(other, "eq")

    def __ne__(self, other: Any) -> Any:
        return self._binary(other, "ne")

    def __lt__(self, other: Any) -> Any:
        return self._binary(other, "lt")

    def __le__(self, other: Any) -> Any:
        return self._binary(other, "le")

    def __gt__(self, other: Any) -> Any:
        return self._binary(other, "gt")

    def __ge__(self, other: Any) -> Any:
        return self._binary(other, "ge")

    @property
    def msl_type(self) -> str:
        """MSL's name of the element type."""
        return msl_scalar_name(self.dtype)


def _resolve(size: int, shape: Any) -> tuple[int, ...]:
    """`shape` with its -1 filled in; ValueError where it does not hold `size` elements."""
    shape = tuple(int(n) for n in shape)
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) == 1 and known > 0 and size % known == 0:
        return tuple(size // known if n == -1 else n for n in shape)
    if any(n < 0 for n in shape) or math.prod(shape) != size:
        raise ValueError(shape)
    return shape
