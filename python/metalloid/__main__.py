# SPDX-License-Identifier: Apache-2.0
"""python -m metalloid: the command line, and where a C++ build finds the CMake package."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    if sys.argv[1:] == ["--cmake-dir"]:  # no native code: also right in a cross build
        print(Path(__file__).parent / "lib" / "cmake" / "metalloid")
        return 0
    from metalloid.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
