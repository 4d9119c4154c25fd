# SPDX-License-Identifier: Apache-2.0
"""Sizes of grids and threadgroups."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_extent(value: Any, what: str) -> tuple[int, int, int]:
    """An int or up to three of them, x first, padded with 1; numpy integers are welcome."""
    parts = value if isinstance(value, (tuple, list, np.ndarray)) else (value,)
    if not 1 <= len(parts) <= 3:
        raise ValueError(f"{what}: needs 1 to 3 numbers, got {len(parts)}")
    try:
        numbers = [int(n.__index__()) for n in parts]
    except AttributeError:
        raise TypeError(f"{what}: needs integers, got {value!r}") from None
    if any(n < 0 for n in numbers):
        raise ValueError(f"{what}: {tuple(numbers)} has a negative number")
    x, y, z = [*numbers, 1, 1][:3]
    return x, y, z


def default_threadgroup(grid: tuple[int, int, int], limit: int) -> tuple[int, int, int]:
    """256 threads (less where the kernel's limit is less), x first in whole SIMD-groups: a size
    that keeps every core busy and few images alive."""
    limit = min(limit, 256)
    if limit < 32:
        return (max(limit, 1), 1, 1)
    if grid[1] == 1 and grid[2] == 1:
        return (limit // 32 * 32, 1, 1)
    return (32, limit // 32, 1)
