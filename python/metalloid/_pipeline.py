# SPDX-License-Identifier: Apache-2.0
"""A compiled kernel that takes Buffers by position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metalloid import _core
from metalloid._buffer import Buffer
from metalloid._extent import as_extent, default_threadgroup


class Pipeline:
    """One kernel with its device's queue; made by Device.compile."""

    def __init__(self, native: _core.Pipeline, queue: _core.Queue, library: _core.Library) -> None:
        self._native = native
        self._queue = queue
        self._library = library
        used = [a.location for a in native.reflection.arguments if a.kind == "buffer" and a.used]
        self._last_buffer = max(used, default=-1)

    @property
    def thread_execution_width(self) -> int:
        """Threads of a SIMD-group: 32."""
        return self._native.execution_width

    @property
    def max_threads_per_threadgroup(self) -> int:
        return self._native.max_threads

    def run(
        self,
        buffers: Sequence[Buffer],
        grid: Any,
        wait: bool = True,
        threadgroup: Any = None,
    ) -> tuple[float, float]:
        """Runs over `grid` threads (an int or up to three, x first; the last threadgroups may be
        partial). Buffer i is bound to [[buffer(i)]].

        Returns the device's start and end time in seconds, or (0.0, 0.0) with wait=False; work of
        one Device runs in the order of its calls. RuntimeError where a buffer that the kernel
        reads is not given or the threadgroup does not fit; releases the GIL while waiting.
        """
        if len(buffers) <= self._last_buffer:
            raise RuntimeError(
                f"Kernel reads buffer argument(s) up to index {self._last_buffer}, but only "
                f"{len(buffers)} buffer(s) were passed to run() -- an unbound buffer argument is "
                "undefined behavior in Metal, not a safe no-op."
            )
        arguments = [b if b is None else b._buf for b in buffers]
        extent = as_extent(grid, "Pipeline.run: grid")
        return self._run_native(arguments, extent, threadgroup, wait)

    def _run_native(
        self, arguments: list[Any], grid: tuple[int, int, int], threadgroup: Any, wait: bool
    ) -> tuple[float, float]:
        size = self._threadgroup(threadgroup) if threadgroup is not None else self._default(grid)
        return self._queue.run(self._native, arguments, [], grid, size, wait)

    def _threadgroup(self, wanted: Any) -> tuple[int, int, int]:
        size = as_extent(wanted, "Pipeline.run: threadgroup")
        total, width = math.prod(size), self.thread_execution_width
        limit = self.max_threads_per_threadgroup
        if total == 0:
            raise RuntimeError(f"threadgroup size {size} is empty")
        if total > limit:
            raise RuntimeError(
                f"threadgroup size {size} = {total} threads exceeds this pipeline's "
                f"max_threads_per_threadgroup ({limit})"
            )
        if total % width:
            raise RuntimeError(
                f"threadgroup size {size} = {total} threads must be a multiple of this pipeline's "
                f"thread_execution_width ({width})"
            )
        return size

    def _default(self, grid: tuple[int, int, int]) -> tuple[int, int, int]:
        return default_threadgroup(grid, self.max_threads_per_threadgroup)
