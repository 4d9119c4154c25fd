# SPDX-License-Identifier: Apache-2.0
"""Devices: where buffers live and kernels run."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from metalloid import _core
from metalloid._buffer import Buffer
from metalloid._pipeline import Pipeline
from metalloid._storage import StorageMode


def list_devices() -> list[str]:
    """Names of this machine's devices; position i is Device(i). The first is the default."""
    return list(_core.device_names())


def print_info() -> None:
    """Prints version, devices, which one is the default and why, the cache and the compiler."""
    import metalloid

    names = list_devices()
    reason = "METALLOID_DEVICE" if "METALLOID_DEVICE" in os.environ else "the first of the machine"
    print(f"metalloid {metalloid.__version__}")
    for index, name in enumerate(names):
        print(f"device {index}: {name}{'  (default: ' + reason + ')' if index == 0 else ''}")
    for key, value in _core.environment():
        print(f"{key}: {value}")


class Device:
    """One compute device: `Device()` the default, `Device(i)` the i-th of list_devices().

    Buffers and pipelines belong to the Device that made them. Compiled pipelines are kept for the
    life of the Device; images are kept on disk for later processes. Thread-safe.
    """

    _math = "safe"
    _buffer_type: type[Buffer] = Buffer

    def __init__(self, index: int | str | None = None) -> None:
        self._dev = _core.Device(_device_index(index))
        self._queue = self._dev.queue()
        self._pipelines: dict[tuple[str, str], Pipeline] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._dev.name

    @property
    def mtl_ptr(self) -> int:
        """Address of the MTL::Device, borrowed."""
        return self._dev.mtl_ptr

    @property
    def max_threads_per_threadgroup(self) -> int:
        return self._dev.max_threads_per_threadgroup

    @property
    def pipeline_cache_size(self) -> int:
        """Number of pipelines compiled through this Device."""
        return len(self._pipelines)

    def _storable(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """The dtype that memory will have; TypeError where Metal has none."""
        if dtype == np.float64:
            raise TypeError(
                "Device: Metal has no 64-bit float; convert with .astype(np.float32) "
                "(metalloid.mtlpy converts by itself)"
            )
        if dtype.hasobject:
            raise TypeError(f"Device: dtype {dtype} holds Python objects, not bytes")
        if not dtype.isnative:
            raise TypeError(
                f"Device: dtype {dtype.str} is byte-swapped; use .astype(np.{dtype.name})"
            )
        return dtype

    def buffer(
        self, data: Any, dtype: Any = None, storage: StorageMode = StorageMode.SHARED
    ) -> Buffer:
        """A Buffer holding a copy of an array (or of anything np.asarray takes), in C order; or,
        for an int n, n uninitialised elements (as `empty`)."""
        if isinstance(data, (int, np.integer)) and not isinstance(data, (bool, np.bool_)):
            return self.empty(int(data), np.float32 if dtype is None else dtype, storage=storage)
        array = np.asarray(data, dtype=dtype)
        array = np.ascontiguousarray(array).reshape(array.shape)
        array = array.astype(self._storable(array.dtype), copy=False)
        shared = self.empty(array.shape, array.dtype)
        shared.contents[:] = array.reshape(-1)
        return shared if storage == StorageMode.SHARED else shared.to_storage(storage)

    def empty(
        self,
        shape: int | Sequence[int],
        dtype: Any = np.float32,
        storage: StorageMode = StorageMode.SHARED,
    ) -> Buffer:
        """A Buffer of `shape` (an int, or several) elements of `dtype`; zeroed memory."""
        dtype = self._storable(np.dtype(dtype))
        sizes = tuple(int(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,)))
        if any(n < 0 for n in sizes):
            raise ValueError(f"Device.empty: shape {sizes} has a negative size")
        length = dtype.itemsize
        for n in sizes:
            length *= n
        return self._buffer_type(self, self._dev.buffer(length, int(storage)), sizes, dtype)

    def compile(self, source: str, function_name: str) -> Pipeline:
        """The kernel `function_name` of MSL `source`, ready to run; equal calls share one Pipeline.

        Raises CompileError for source that does not compile, RuntimeError for a missing function.
        """
        key = (source, function_name)
        with self._lock:
            found = self._pipelines.get(key)
        if found is not None:
            return found
        from metalloid._library import compile_native

        library = compile_native(self._dev, source, math=self._math)
        if function_name not in library.names:
            known = ", ".join(library.names) or "none"
            raise RuntimeError(
                f"Function not found in shader: {function_name} (kernels there: {known})"
            )
        pipeline = Pipeline(library.pipeline(function_name, []), self._queue, library)
        with self._lock:
            return self._pipelines.setdefault(key, pipeline)

    def copy_buffer(
        self,
        src: Buffer,
        dst: Buffer,
        *,
        src_offset: int = 0,
        dst_offset: int = 0,
        size_bytes: int | None = None,
        wait: bool = True,
    ) -> None:
        """Copies bytes on the device, in the order of its other work; by default the rest of
        `src`. Offsets and size in bytes."""
        if src._device is not self or dst._device is not self:
            raise ValueError("copy_buffer: both Buffers must belong to this Device")
        size = src.nbytes - src_offset if size_bytes is None else size_bytes
        for what, buffer, offset in (("src", src, src_offset), ("dst", dst, dst_offset)):
            if offset < 0 or size < 0 or offset + size > buffer.nbytes:
                name = "source" if what == "src" else "destination"
                raise RuntimeError(
                    f"copy_buffer: {what}_offset + size_bytes exceeds {name} buffer's size_bytes "
                    f"({offset} + {size} > {buffer.nbytes})"
                )
        self._queue.copy(src._buf, src_offset, dst._buf, dst_offset, size, wait)

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __repr__(self) -> str:
        return f"Device({self.name!r})"

    def _read(self, native: _core.Buffer) -> bytes:
        """A copy of memory that the host cannot see."""
        shared = self._dev.buffer(native.length, int(StorageMode.SHARED))
        self._queue.copy(native, 0, shared, 0, native.length, True)
        return bytes(shared)

    def _element_wise(self, source: str, name: str, arguments: list[Any], size: int) -> None:
        """Runs a kernel of `shader` over a 1-D grid of `size` threads and waits."""
        if size:
            self.compile(source, name)._run_native(arguments, (size, 1, 1), None, True)


def _device_index(index: int | str | None) -> int:
    if index is None:
        return 0
    count = len(_core.device_names())
    if isinstance(index, str):
        if index == "cpu":
            return 0
        raise RuntimeError(f"Device: no device {index!r}; devices: {', '.join(list_devices())}")
    if not 0 <= index < count:
        raise RuntimeError(
            f"GPU index {index} out of range: {count} device(s) "
            "(see metalloid.list_devices() for available devices)"
        )
    return index
