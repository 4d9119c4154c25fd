# SPDX-License-Identifier: Apache-2.0
"""metalloid cache: the disk cache of compiled kernels."""

from __future__ import annotations

import argparse
from typing import Any

from metalloid import _core


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("cache", help="the disk cache")
    parser.add_argument("action", choices=("info", "clear"))
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    if options.action == "clear":
        print(f"removed {_core.clear_cache()} entries")
        return 0
    folder, entries, size, limit = _core.cache_info()
    print(f"folder   {folder or 'none (no home folder, or switched off)'}")
    print(f"entries  {entries}")
    print(f"size     {size / 1e6:.1f} MB of {limit / 1e6:.0f} MB")
    return 0
