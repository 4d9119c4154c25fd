# SPDX-License-Identifier: Apache-2.0
"""Kernels that Apple compiled, run from MLX's archive against NumPy: every family of the table.

By default METALLOID_KERNELS (5) spread over each family; 0 runs them all.
"""

from __future__ import annotations

import os
from pathlib import Path

import metalloid
import pytest

from .families import FAMILIES, spread

ARCHIVE = Path(os.environ.get("METALLOID_FETCHED", ".cache/fetched")) / "mlx.metallib"

pytestmark = pytest.mark.skipif(
    not ARCHIVE.exists(), reason=f"no {ARCHIVE}; run tools/fetch.py (./dev test does)"
)


@pytest.fixture(scope="module")
def library():
    return metalloid.load(ARCHIVE)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.title)
def test_family_agrees_with_numpy(library, family):
    names = spread(library.names, family, 5)
    assert names, f"no kernel of the archive matches {family.pattern.pattern}"
    failures = []
    for name in names:
        try:
            family.check(library, family.pattern.match(name))
        except AssertionError as error:
            failures.append(str(error))
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
    assert not failures, f"{len(failures)} kernels:\n" + "\n".join(failures[:40])
