# SPDX-License-Identifier: Apache-2.0
"""The same kernels compiled from MLX's headers by our front end: right against NumPy, and equal bit
for bit to what Apple's AIR gives."""

from __future__ import annotations

import os
from pathlib import Path

import metalloid
import numpy as np
import pytest

from .families import FAMILIES, spread
from .sources import RULES, source_of

FETCHED = Path(os.environ.get("METALLOID_FETCHED", ".cache/fetched"))

pytestmark = pytest.mark.skipif(
    not FETCHED.exists(), reason=f"no {FETCHED}; run tools/fetch.py (./dev test does)"
)


@pytest.fixture(scope="module")
def archive():
    return metalloid.load(FETCHED / "mlx.metallib")


@pytest.mark.parametrize(
    "family", [f for f in FAMILIES if f.title in RULES], ids=lambda family: family.title
)
def test_our_front_end_agrees_with_apple_s(archive, family):
    names = spread(archive.names, family, 2)
    library = metalloid.compile(
        source_of(family, names), math="safe", include=[FETCHED / "mlx" / "include"]
    )
    failures = []
    for name in names:
        match = family.pattern.match(name)
        try:
            ours, apples = family.check(library, match), family.check(archive, match)
            for one, other in zip(ours, apples, strict=True):
                same = np.array_equal(one.view(np.uint8), other.view(np.uint8))
                assert same, f"{name}: differs from Apple's in {(one != other).sum()} elements"
        except AssertionError as error:
            failures.append(str(error))
        except Exception as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
    assert not failures, f"{len(failures)} kernels:\n" + "\n".join(failures[:40])
