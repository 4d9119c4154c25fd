# SPDX-License-Identifier: Apache-2.0
"""Metal compute for every machine: compile Metal kernels and run them on NumPy arrays.

>>> import numpy as np, metalloid
>>> lib = metalloid.compile(source)
>>> lib.axpy(x, y, a=2.0)            # NumPy arrays in place, no copy on the CPU

`compile` and `load` are the short way. `Device`, `Buffer` and `Pipeline` give control over memory
and queues. `metalloid.mtlpy` has mtlpy's names and defaults.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metalloid._buffer import Buffer as Buffer
    from metalloid._device import Device as Device
    from metalloid._device import list_devices as list_devices
    from metalloid._device import print_info as print_info
    from metalloid._errors import ArgumentError as ArgumentError
    from metalloid._errors import CompileError as CompileError
    from metalloid._library import Kernel as Kernel
    from metalloid._library import Library as Library
    from metalloid._library import compile as compile
    from metalloid._library import load as load
    from metalloid._pipeline import Pipeline as Pipeline
    from metalloid._storage import StorageMode as StorageMode

_HOMES = {
    "ArgumentError": "_errors",
    "Buffer": "_buffer",
    "CompileError": "_errors",
    "Device": "_device",
    "Kernel": "_library",
    "Library": "_library",
    "Pipeline": "_pipeline",
    "StorageMode": "_storage",
    "compile": "_library",
    "list_devices": "_device",
    "load": "_library",
    "print_info": "_device",
}
_MODULES = ("mtlpy", "operators", "shader")

__all__ = [*sorted(_HOMES), *_MODULES]
__version__ = "0.1.0"


# Lazy: build tools import this package only to find its folder.
def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f"metalloid.{_HOMES[name]}"), name)
    elif name in _MODULES:
        value = importlib.import_module(f"metalloid.{name}")
    else:
        raise AttributeError(f"module 'metalloid' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
