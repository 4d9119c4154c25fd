# SPDX-License-Identifier: Apache-2.0
"""Where a buffer's memory lives: MTL::StorageMode."""

from __future__ import annotations

import enum


class StorageMode(enum.IntEnum):
    """Values are Metal's own."""

    SHARED = 0  # one memory for host and device; `contents` is live
    MANAGED = 1  # host copy and device copy; one memory on the CPU device
    PRIVATE = 2  # device only; `contents` is a snapshot
