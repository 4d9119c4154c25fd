# SPDX-License-Identifier: Apache-2.0
"""Fetches from PyPI what the demo and the tests read: MLX's archive and headers, mtlpy's suites.

usage: fetch.py FOLDER

FOLDER afterwards holds mlx.metallib, mlx/ (include/ of the same wheel), mtlpy-0.6.0/ and
mtlpy-0.1.0/. What is there already is kept.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

MLX = "mlx-metal==0.32.4"
MTLPY = ("0.6.0", "0.1.0")


def download(folder: Path, *arguments: str) -> Path:
    """Runs `pip download` for one distribution and returns the file it wrote."""
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-d", str(folder), *arguments], check=True)
    (file,) = folder.iterdir()
    return file


def fetch_mlx(target: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        wheel = download(
            Path(scratch), "--platform", "macosx_14_0_arm64", "--only-binary=:all:", MLX
        )
        with zipfile.ZipFile(wheel) as archive:
            headers = [n for n in archive.namelist() if n.startswith("mlx/include/")]
            archive.extractall(target, [*headers, "mlx/lib/mlx.metallib"])
    (target / "mlx/lib/mlx.metallib").rename(target / "mlx.metallib")


def fetch_mtlpy(target: Path, version: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        sdist = download(Path(scratch), "--no-binary=mtlpy", f"mtlpy=={version}")
        with tarfile.open(sdist) as archive:
            archive.extractall(target, [m for m in archive if m.isfile() and ".." not in m.name])


def main() -> None:
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    if not (target / "mlx.metallib").exists():
        print(f"fetching {MLX} (45 MB) …")
        fetch_mlx(target)
    for version in MTLPY:
        if not (target / f"mtlpy-{version}").exists():
            fetch_mtlpy(target, version)


if __name__ == "__main__":
    main()
