# SPDX-License-Identifier: Apache-2.0
"""Float formats as bits, errors in units of the last place, and inputs worth trying."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Format:
    """A binary float format; `values` and `bits` go between float64 and its bit patterns."""

    name: str
    precision: int  # Bits of the significand, the hidden one included.
    min_exponent: int  # Of the smallest normal number.
    max_exponent: int
    dtype: np.dtype

    @property
    def largest(self):
        return (2 - 2.0 ** (1 - self.precision)) * 2.0**self.max_exponent

    def ulp(self, x):
        """The distance of neighbours at |x|, in long double."""
        _, exponent = np.frexp(np.abs(x).astype(np.longdouble))
        exponent = np.clip(exponent - 1, self.min_exponent, self.max_exponent)
        return np.ldexp(np.longdouble(1), exponent - (self.precision - 1))

    def round(self, x):
        """x (float64 or long double) to the nearest number of this format, as float64."""
        x = np.asarray(x, np.longdouble)
        unit = self.ulp(x)
        rounded = np.where(np.isfinite(x), np.rint(x / unit) * unit, x)
        rounded = np.where(np.abs(rounded) > self.largest, np.sign(x) * np.inf, rounded)
        return rounded.astype(np.float64)

    def values(self, array):
        """What an array in this format (bfloat: its bits) is worth, as float64."""
        if self.name == "bfloat":
            return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        return array.astype(np.float64)

    def array(self, values):
        """float64 values of this format as an array in it."""
        if self.name == "bfloat":
            return (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return np.asarray(values).astype(self.dtype)


FLOAT = Format("float", 24, -126, 127, np.dtype(np.float32))
HALF = Format("half", 11, -14, 15, np.dtype(np.float16))
BFLOAT = Format("bfloat", 8, -126, 127, np.dtype(np.uint16))
FORMATS = {f.name: f for f in (FLOAT, HALF, BFLOAT)}


def ulp_errors(fmt, results, exact):
    """How far `results` (float64) are from `exact`, in ulps of `fmt`. NaN and infinity must be met
    exactly; beyond the largest number, infinity counts as the next number."""
    beyond = np.longdouble(2.0 ** (fmt.max_exponent + 1))
    target = np.clip(np.asarray(exact, np.longdouble), -beyond, beyond)
    given = np.clip(np.asarray(results, np.longdouble), -beyond, beyond)
    errors = np.abs(given - target) / fmt.ulp(target)
    same = (np.isnan(given) & np.isnan(target)) | (given == target)
    return np.where(same, 0, np.where(np.isnan(errors), np.inf, errors)).astype(np.float64)


SPECIAL = [0.0, 1.0, 0.5, 2.0, 3.0, 1.5, 2.5, 10.0, 0.1, np.pi, np.pi / 2, np.pi / 4, 2 / 3, 4 / 3]
SPECIAL += [88.72, 88.73, 87.33, 103.9, 104.0, 127.0, 128.0, 149.0, 150.0, 38.5, 45.0, 1e5, 100001]
SPECIAL += [2.0**24, 2.0**31, 2.0**23 + 1, 8388607.5, np.inf, np.nan]


def specials(fmt):
    """Zeros, subnormals, neighbours of ones, limits, infinities, NaN; both signs."""
    least = 2.0 ** (fmt.min_exponent - fmt.precision + 1)
    normal = 2.0**fmt.min_exponent
    step = 2.0 ** (1 - fmt.precision)
    values = [*SPECIAL, least, 3 * least, normal - least, normal, normal + least, fmt.largest]
    values += [1 + step, 1 - step / 2, 0.5 + step / 2, 2 - step]
    values = fmt.array(fmt.round(values))
    return np.concatenate([values, fmt.array(-fmt.values(values))])


def samples(fmt, count, seed, ranges=()):
    """Specials, random bit patterns, and numbers uniform in each of `ranges`. For the 16-bit
    formats and no ranges, all of the patterns."""
    if fmt.precision < 24 and not ranges:
        return np.arange(65536, dtype=np.uint32).astype(np.uint16).view(fmt.dtype)
    random = np.random.default_rng(seed)
    unsigned = np.dtype(f"u{fmt.dtype.itemsize}")
    parts = [specials(fmt)]
    parts.append(random.integers(0, 2 ** (8 * unsigned.itemsize), count, unsigned).view(fmt.dtype))
    for low, high in ranges:
        parts.append(fmt.array(fmt.round(random.uniform(low, high, count))))
    return np.concatenate(parts)


def pairs(fmt, count, seed, ranges=(), arity=2):
    """`arity` arrays: every combination of specials, then random ones."""
    special = specials(fmt)
    if arity > 2:
        special = special[:: 1 + len(special) // 12]
    grid = [g.ravel() for g in np.meshgrid(*[special] * arity)]
    columns = []
    for i, combined in enumerate(grid):
        tail = samples(fmt, count, seed + i, ranges or [(-4, 4)])
        columns.append(np.concatenate([combined, tail[len(special) :]]))
    length = min(map(len, columns))
    return [c[:length] for c in columns]
