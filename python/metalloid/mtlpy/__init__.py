# SPDX-License-Identifier: Apache-2.0
"""mtlpy's names with mtlpy's defaults, for programs written against that package.

Differences from `metalloid` itself: float64 arrays become float32, math is fast, and compiled
pipelines are also written to ~/Library/Caches/mtlpy/pipelines.metallib when a Device ends.
What mtlpy has and this has not (textures, heaps, command buffers, events, captures, surfaces)
raises NotImplementedError naming it.
"""

from __future__ import annotations

from typing import Any

from metalloid import operators, shader
from metalloid._buffer import Buffer
from metalloid._device import list_devices
from metalloid._pipeline import Pipeline
from metalloid._storage import StorageMode
from metalloid.mtlpy.device import Device

__all__ = ["Buffer", "Device", "Pipeline", "StorageMode", "list_devices", "operators", "shader"]

_MISSING = (
    *("BinaryArchive", "Capture", "CaptureScope", "Event", "Fence", "Frame", "Heap", "Queue"),
    *("Sampler", "SharedEvent", "SharedEventHandle", "Surface", "Texture"),
)


def __getattr__(name: str) -> Any:
    if name in _MISSING:
        raise NotImplementedError(f"mtlpy.{name} is not supported by metalloid yet")
    raise AttributeError(f"module 'metalloid.mtlpy' has no attribute {name!r}")
