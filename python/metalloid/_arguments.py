# SPDX-License-Identifier: Apache-2.0
"""From Python values to what a kernel's argument slots hold, with every mismatch an error that
shows the MSL signature and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from metalloid import _core
from metalloid._buffer import Buffer
from metalloid._errors import ArgumentError
from metalloid._types import ElementType, element_type


@dataclass(frozen=True)
class Argument:
    """An argument of a kernel as its caller sees it."""

    name: str
    index: int  # [[buffer(index)]]
    kind: str  # "buffer" (a pointer) or "constant" (a reference: one value)
    type: str  # MSL spelling of the element
    access: str  # "read", "write" or "read_write"
    size: int  # bytes of one element
    optional: bool = False  # bound only when a function constant asks for it

    @staticmethod
    def all_of(reflection: _core.Reflection) -> tuple[Argument, ...]:
        found = [
            Argument(
                name=a.name or f"buffer{a.location}",
                index=a.location,
                kind="constant" if a.buffer_size else "buffer",
                type=a.type_name,
                access=a.access,
                size=a.buffer_size or a.type_size,
                optional=not a.active or not a.used,
            )
            for a in reflection.arguments
            if a.kind == "buffer"
        ]
        return tuple(sorted(found, key=lambda a: a.index))


def signature_text(name: str, reflection: _core.Reflection, marked: str | None = None) -> str:
    """kernel void name(device const float* x [[buffer(0)]], …); `marked` gets a caret line."""
    lines = []
    for a in reflection.arguments:
        if a.kind == "built_in":
            text = f"{a.type_name} {a.name} [[{a.built_in}]]"
        else:
            space = {1: "device", 2: "constant", 3: "threadgroup"}.get(a.address_space, "")
            const = "const " if a.access == "read" and a.address_space == 1 else ""
            sign = "&" if a.buffer_size else "*"
            attribute = "threadgroup" if a.kind == "threadgroup" else a.kind
            text = f"{space} {const}{a.type_name}{sign} {a.name} [[{attribute}({a.location})]]"
        lines.append(f"    {text}")
        if marked is not None and a.name == marked:
            lines.append("    " + "^" * len(text))
    return f"kernel void {name}(\n" + "\n".join(lines) + ")"


class Bound(NamedTuple):
    """A value ready to be bound: an array used in place, a Buffer, or bytes."""

    value: np.ndarray[Any, Any] | Buffer | bytes

    def native(self, device: _core.Device) -> Any:
        if isinstance(self.value, Buffer):
            return self.value._buf
        if isinstance(self.value, bytes):
            return self.value
        return device.wrap(self.value.ctypes.data, self.value.nbytes, self.value)


class _Refusal(Exception):
    """Why a value does not fit; bind() adds the kernel, the argument and the signature."""


def bind(
    name: str,
    reflection: _core.Reflection,
    arguments: Sequence[Argument],
    positional: Sequence[Any],
    named: Mapping[str, Any],
) -> list[Bound | None]:
    """Slots by [[buffer(n)]] index; ArgumentError for anything missing, unknown or unfit."""

    def refuse(why: str, marked: str | None = None) -> ArgumentError:
        return ArgumentError(f"{name}: {why}\n{signature_text(name, reflection, marked)}")

    if len(positional) > len(arguments):
        raise refuse(f"takes {len(arguments)} arguments, got {len(positional)}")
    values: dict[str, Any] = {a.name: v for a, v in zip(arguments, positional, strict=False)}
    known = {a.name for a in arguments}
    for key, value in named.items():
        if key not in known:
            raise refuse(f"has no argument {key!r}")
        if key in values:
            raise refuse(f"argument {key!r} is given twice", key)
        values[key] = value

    slots: list[Bound | None] = [None] * (max((a.index for a in arguments), default=-1) + 1)
    for argument in arguments:
        if argument.name not in values or values[argument.name] is None:
            if argument.optional:
                continue
            raise refuse(f"argument {argument.name!r} is missing", argument.name)
        try:
            slots[argument.index] = Bound(_convert(argument, values[argument.name]))
        except _Refusal as refusal:
            raise refuse(f"argument {argument.name!r}: {refusal}", argument.name) from None
    return slots


def _convert(argument: Argument, value: Any) -> np.ndarray[Any, Any] | Buffer | bytes:
    element = element_type(argument.type)
    if isinstance(value, Buffer):
        if element is not None and value.dtype != element.dtype:
            raise _Refusal(
                f"needs {element.dtype.name} elements, got a Buffer of {value.dtype.name}; "
                f"use .astype(np.{element.dtype.name})"
            )
        if value.nbytes < argument.size:
            raise _Refusal(f"needs {argument.size} bytes, got a Buffer of {value.nbytes}")
        return value
    if argument.kind == "constant":
        return _one_value(argument, element, value)
    return _array(argument, element, value)


def _one_value(argument: Argument, element: ElementType | None, value: Any) -> bytes:
    """Bytes of a `constant T&` argument."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _sized(argument, bytes(value))
    if element is None:  # a struct: taken as NumPy lays it out
        array = np.asarray(value)
        if array.dtype.kind not in "Vu" and array.dtype.names is None:
            raise _Refusal(
                f"is a struct {argument.type} of {argument.size} bytes; pass a structured NumPy "
                "value or bytes"
            )
        return _sized(argument, array.tobytes())
    array = np.asarray(value)
    if array.size != element.lanes and argument.size != array.size * element.dtype.itemsize:
        raise _Refusal(f"needs {element.lanes} value(s) of {element.dtype.name}, got {array.size}")
    data = _checked(array, element).tobytes()
    return _sized(argument, data + bytes(max(0, argument.size - len(data))))


def _checked(array: np.ndarray[Any, Any], element: ElementType) -> np.ndarray[Any, Any]:
    """Numbers as `element.dtype`, refused where one does not fit."""
    dtype = element.dtype
    if array.dtype.kind not in "biuf" and array.dtype.name != "bfloat16":
        raise _Refusal(f"needs a number for {dtype.name}, got {array.dtype.name}")
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        for number in array.reshape(-1).tolist():
            if isinstance(number, float) and not number.is_integer():
                raise _Refusal(f"{number!r} is no integer; {dtype.name} is needed")
            if not info.min <= number <= info.max:
                raise _Refusal(f"{number} does not fit {dtype.name} ({info.min} … {info.max})")
    with np.errstate(over="ignore"):
        converted = array.astype(dtype)
    if dtype.kind == "f" and bool((np.isinf(converted) & np.isfinite(array)).any()):
        raise _Refusal(f"{array.tolist()} does not fit {dtype.name}")
    return converted


def _sized(argument: Argument, data: bytes) -> bytes:
    if len(data) != argument.size:
        raise _Refusal(f"needs {argument.size} bytes for {argument.type}, got {len(data)}")
    return data


def _array(argument: Argument, element: ElementType | None, value: Any) -> Any:
    """An array used in place: right dtype, C-contiguous, writable where written."""
    if isinstance(value, (bool, int, float, np.generic)):
        raise _Refusal(f"is a pointer to {argument.type}: pass an array, got the number {value!r}")
    if isinstance(value, (bytes, memoryview, bytearray)):
        array: Any = np.frombuffer(value, dtype=np.uint8)
    elif isinstance(value, np.ndarray):
        array = value
    elif hasattr(value, "__dlpack__"):
        array = np.from_dlpack(value)
    else:
        raise _Refusal(f"needs an array or a Buffer, got {type(value).__name__}")
    if element is not None and array.dtype != element.dtype and not _is_raw(array):
        raise _Refusal(_dtype_advice(array, element))
    if element is not None and element.lanes > 1 and array.nbytes % element.stride:
        raise _Refusal(
            f"{argument.type} takes {element.stride} bytes an element; {array.nbytes} bytes are "
            "not a multiple"
        )
    if not array.flags.c_contiguous:
        raise _Refusal("the array is not C-contiguous; pass np.ascontiguousarray(...)")
    if argument.access != "read" and not array.flags.writeable:
        raise _Refusal("the kernel writes here and the array is read-only; pass a copy")
    return array


def _is_raw(array: np.ndarray[Any, Any]) -> bool:
    """uint8 and void arrays stand for bytes of any type."""
    return array.dtype == np.uint8 or array.dtype.kind == "V"


def _dtype_advice(array: np.ndarray[Any, Any], element: ElementType) -> str:
    wanted = element.dtype.name
    if not array.dtype.isnative:
        return f"the array is byte-swapped ({array.dtype.str}); use .astype(np.{wanted})"
    return f"needs {wanted}, got {array.dtype.name}; use .astype(np.{wanted})"


def infer_grid(
    name: str,
    reflection: _core.Reflection,
    arguments: Sequence[Argument],
    bound: Sequence[Bound | None],
) -> tuple[int, int, int]:
    """Threads from the shape of the first array that the kernel writes: as many axes as
    thread_position_in_grid has components, x the last axis."""
    axes = 0
    for a in reflection.arguments:
        if a.kind == "built_in" and a.built_in == "thread_position_in_grid":
            axes = max(axes, a.components)
    written = [bound[a.index] for a in arguments if a.kind == "buffer" and a.access != "read"]
    shapes = [b.value.shape for b in written if b is not None and not isinstance(b.value, bytes)]
    if axes == 0 or not shapes:
        raise ArgumentError(
            f"{name}: the grid cannot be told from the arguments; pass grid=…\n"
            f"{signature_text(name, reflection)}"
        )
    if axes == 1:
        return (int(np.prod(shapes[0], dtype=np.int64)), 1, 1)
    if len(shapes[0]) != axes:
        raise ArgumentError(
            f"{name}: its grid has {axes} axes and the first array it writes has shape "
            f"{tuple(shapes[0])}; pass grid=…\n{signature_text(name, reflection)}"
        )
    x, y, z = [*reversed(shapes[0]), 1, 1][:3]
    return int(x), int(y), int(z)
