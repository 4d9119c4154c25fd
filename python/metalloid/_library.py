# SPDX-License-Identifier: Apache-2.0
"""compile() and load(): libraries whose kernels are called like functions on NumPy arrays."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from metalloid import _core
from metalloid._arguments import Argument, bind, infer_grid, signature_text
from metalloid._device import _device_index
from metalloid._errors import CompileError
from metalloid._extent import as_extent, default_threadgroup

_MATH = ("safe", "relaxed", "fast")
_native_devices: dict[int, tuple[_core.Device, _core.Queue]] = {}
_native_lock = threading.Lock()


def _native_device(device: Any) -> tuple[_core.Device, _core.Queue]:
    """The device that kernels of `compile` and `load` run on; one queue each for the process."""
    if hasattr(device, "_dev"):
        return device._dev, device._queue
    index = _device_index(device)
    with _native_lock:
        if index not in _native_devices:
            native = _core.Device(index)
            _native_devices[index] = (native, native.queue())
        return _native_devices[index]


def compile_native(
    device: _core.Device,
    source: str,
    *,
    math: str,
    defines: Mapping[str, Any] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    language: str = "3.2",
) -> _core.Library:
    """Compiles on `device`; CompileError with diagnostics where the source is refused."""
    if math not in _MATH:
        raise ValueError(f"compile: math is {math!r}, not one of {', '.join(_MATH)}")
    major, _, minor = language.partition(".")
    if not (major.isdigit() and minor.isdigit()):
        raise ValueError(f"compile: language is {language!r}, not a version such as '3.2'")
    macros = [(str(k), "1" if v is True else str(v)) for k, v in (defines or {}).items()]
    folders = [os.fspath(folder) for folder in include]
    version = int(major) << 16 | int(minor)
    try:
        return device.compile(source, _MATH.index(math), version, macros, folders)
    except _core.CompileFailed as error:
        raise CompileError(str(error)) from None


def compile(
    source: str,
    *,
    math: str = "safe",
    defines: Mapping[str, Any] | None = None,
    include: Sequence[str | os.PathLike[str]] = (),
    language: str = "3.2",
    device: Any = None,
) -> Library:
    """Compiles MSL source.

    math: "safe" (the default here; the same bits on every machine), "relaxed" or "fast" (the
    default of the Metal API). defines: macros, name to value. include: folders for #include.
    language: MSL version. device: a Device, an index, or None for the default.
    Raises CompileError whose text shows each diagnostic with its caret.
    """
    native, queue = _native_device(device)
    library = compile_native(
        native, source, math=math, defines=defines, include=include, language=language
    )
    return Library(library, native, queue)


def load(path: str | os.PathLike[str], *, device: Any = None) -> Library:
    """Opens a .metallib, also one that Apple's compiler made. Kernels are compiled when first
    used. Raises OSError where the file cannot be read, CompileError where it is no archive."""
    native, queue = _native_device(device)
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError(f"load: no file {path!r}")
    try:
        return Library(native.load(path), native, queue)
    except _core.CompileFailed as error:
        raise CompileError(f"load {path!r}: {error}") from None


class Library:
    """Kernels by name: lib["name"], lib.name, iteration over names, len."""

    def __init__(self, native: _core.Library, device: _core.Device, queue: _core.Queue) -> None:
        self._native = native
        self._device = device
        self._queue = queue
        self._kernels: dict[str, Kernel] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Kernel names, in the library's order."""
        return tuple(self._native.names)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    def __getitem__(self, name: str) -> Kernel:
        kernel = self._kernels.get(name)
        if kernel is None:
            if name not in self._known:
                raise KeyError(f"no kernel {name!r} here; {_nearby(name, self.names)}")
            kernel = self._kernels[name] = Kernel(self, name)
        return kernel

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self):
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(n for n in self.names if n.isidentifier())]

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:4]) + (", …" if len(self.names) > 4 else "")
        return f"Library({len(self.names)} kernels: {shown})"


def _nearby(name: str, names: Sequence[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, names, n=3)
    return f"did you mean {', '.join(close)}?" if close else f"it has {len(names)} kernels"


class Kernel:
    """One kernel of a Library. Call it: k(x, y, a=2.0, grid=…).

    Arguments follow the MSL signature, by position or name. Buffers take C-contiguous NumPy
    arrays of the element type (used in place), Buffers, or anything with DLPack on the CPU;
    `constant T&` arguments take numbers, converted after a range check. Keywords:
    grid: threads, x first; by default the shape of the first array the kernel writes.
    threadgroup: threads of one threadgroup. constants: function constants by name or index.
    threadgroup_memory: bytes, by [[threadgroup(n)]] index. wait: False returns at once (the
    arrays must then stay alive and untouched until a later waited call of the same library).
    """

    def __init__(
        self, library: Library, name: str, constants: tuple[tuple[Any, Any], ...] = ()
    ) -> None:
        self._library = library
        self._name = name
        self._constants = constants
        self._specialised: dict[tuple[tuple[Any, Any], ...], Kernel] = {}

    @property
    def name(self) -> str:
        return self._name

    @cached_property
    def _reflection(self) -> _core.Reflection:
        return self._pipeline.reflection if self._constants else self._unspecialised

    @cached_property
    def _unspecialised(self) -> _core.Reflection:
        return self._library._native.reflection(self._name)

    @cached_property
    def _pipeline(self) -> _core.Pipeline:
        try:
            return self._library._native.pipeline(self._name, list(self._constants))
        except _core.CompileFailed as error:
            raise CompileError(f"{self._name}: {error}") from None

    @cached_property
    def args(self) -> tuple[Argument, ...]:
        """The arguments that a caller gives, in the order of their [[buffer(n)]] indices."""
        return Argument.all_of(self._reflection)

    @property
    def constants(self) -> tuple[tuple[str, int, str], ...]:
        """Function constants: (name, index, MSL type)."""
        return tuple((c.name, c.index, c.type_name) for c in self._unspecialised.constants)

    @property
    def signature(self) -> str:
        """The MSL signature."""
        return signature_text(self._name, self._reflection)

    def specialise(self, constants: Mapping[Any, Any]) -> Kernel:
        """This kernel with function constants given, by name or index; kept for later calls."""
        key = tuple(sorted(constants.items(), key=lambda item: str(item[0])))
        kernel = self._specialised.get(key)
        if kernel is None:
            kernel = self._specialised[key] = Kernel(self._library, self._name, key)
        return kernel

    def __call__(
        self,
        *positional: Any,
        grid: Any = None,
        threadgroup: Any = None,
        constants: Mapping[Any, Any] | None = None,
        threadgroup_memory: Mapping[int, int] | None = None,
        wait: bool = True,
        **named: Any,
    ) -> None:
        if constants:
            return self.specialise(constants)(
                *positional,
                grid=grid,
                threadgroup=threadgroup,
                threadgroup_memory=threadgroup_memory,
                wait=wait,
                **named,
            )
        bound = bind(self._name, self._reflection, self.args, positional, named)
        extent = (
            infer_grid(self._name, self._reflection, self.args, bound)
            if grid is None
            else as_extent(grid, f"{self._name}: grid")
        )
        size = (
            default_threadgroup(extent, self._pipeline.max_threads)
            if threadgroup is None
            else as_extent(threadgroup, f"{self._name}: threadgroup")
        )
        natives = [None if b is None else b.native(self._library._device) for b in bound]
        memory = threadgroup_memory or {}
        lengths = [memory.get(i, 0) for i in range(max(memory, default=-1) + 1)]
        self._library._queue.run(self._pipeline, natives, lengths, extent, size, wait)
        return None

    def __repr__(self) -> str:
        return f"<kernel {self.signature}>"
