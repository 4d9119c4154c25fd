# SPDX-License-Identifier: Apache-2.0
"""mtlpy's Device: float64 becomes float32, math is fast, pipelines are kept in an archive."""

from __future__ import annotations

import contextlib
import os
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from metalloid import _core
from metalloid._device import Device as BaseDevice
from metalloid._pipeline import Pipeline


class Device(BaseDevice):
    """As mtlpy.Device.

    cache_path: None for mtlpy's place (~/Library/Caches/mtlpy/pipelines.metallib, HOME read now),
    False for none, or a path. The archive holds the AIR of every kernel compiled here, in Apple's
    container; flush_cache, leaving a `with` block, and the end of the Device write it.
    """

    _math = "fast"

    def __init__(
        self, index: int | str | None = None, cache_path: str | bool | None = None
    ) -> None:
        if cache_path is True:
            raise TypeError(
                "cache_path=True is not a valid value -- pass a path, None for the default place, "
                "or False for no archive"
            )
        super().__init__(index)
        self._archive = _archive_path(cache_path)
        # also at exit, before the interpreter takes the modules apart
        weakref.finalize(self, _flush, self._archive, self._pipelines)

    @property
    def pipeline_cache_path(self) -> str:
        """Where the archive is written; "" where there is none."""
        return str(self._archive) if self._archive else ""

    def _storable(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        return super()._storable(np.dtype(np.float32) if dtype == np.float64 else dtype)

    def flush_cache(self, path: str | os.PathLike[str] | None = None) -> None:
        """Writes the archive now; best effort, never raises."""
        _flush(Path(path) if path is not None else self._archive, self._pipelines)

    def __exit__(self, *_: object) -> None:
        self.flush_cache()


def _flush(target: Path | None, pipelines: dict[tuple[str, str], Pipeline]) -> None:
    if target is not None and pipelines:
        with contextlib.suppress(OSError, RuntimeError):
            _write_archive(target, list(pipelines.items()))


def _archive_path(cache_path: str | bool | None) -> Path | None:
    if cache_path is False:
        return None
    if cache_path is None:
        return Path.home() / "Library" / "Caches" / "mtlpy" / "pipelines.metallib"
    return Path(str(cache_path))


def _write_archive(target: Path, pipelines: list[tuple[tuple[str, str], Pipeline]]) -> None:
    """Renamed into place, so that devices and processes sharing the path never see half a file."""
    data = _core.write_archive([(p._library, name) for (_, name), p in pipelines])
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, scratch = tempfile.mkstemp(dir=target.parent, prefix=".pipelines-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(scratch, target)
    except BaseException:
        os.unlink(scratch)
        raise
