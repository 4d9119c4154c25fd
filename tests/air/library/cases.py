# SPDX-License-Identifier: Apache-2.0
"""What every library function must compute: the test column of src/air/functions.def names a case.

A Float case compares with a reference in long double, in ulps; an Integer one with what Python's
integers give.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Wide = np.longdouble


@dataclass(frozen=True)
class Float:
    """Floats in, float out: `reference` of wide arrays; at most `ulps` of float (`half_ulps` of
    half) away, fast forms 1e-5 relative or absolute unless `fast_ulps` is given."""

    reference: Callable
    ulps: float
    half_ulps: float = 0.51
    fast_ulps: float | None = None
    ranges: tuple = ()
    arity: int = 1
    # The number whose ulp counts, where it is not the result (sums that cancel).
    magnitude: Callable | None = None


@dataclass(frozen=True)
class Predicate:
    """Floats in, bools out."""

    reference: Callable
    arity: int = 1


@dataclass(frozen=True)
class Integer:
    """Python integers in, one out, taken modulo the width; `reference(bits, signed, *values)`."""

    reference: Callable
    arity: int = 1
    extra: tuple = ()  # Ranges of further i32 parameters.


@dataclass(frozen=True)
class Other:
    """Checked by a function of its own in check.py."""

    name: str
    options: dict = field(default_factory=dict)


# References. NumPy's long double functions are the C library's, right to well below a float's ulp.
def number_of(choose):
    """fmin and fmax: the operand that is a number."""
    return lambda a, b: np.where(np.isnan(b), a, np.where(np.isnan(a), b, choose(a, b)))


fmin, fmax = number_of(np.minimum), number_of(np.maximum)


def clamp(x, low, high):
    return fmin(fmax(x, low), high)


def half_turns(function):
    """sin, cos, tan of pi x, the argument reduced exactly first."""

    def call(x):
        rest = np.fmod(x, 2)
        quarter = np.rint(2 * rest)
        angle = Wide(np.pi) * (rest - quarter / 2) + PI_LOW * (rest - quarter / 2)
        sine, cosine = np.sin(angle), np.cos(angle)
        turn = np.mod(quarter, 4)
        sines = np.select([turn == 0, turn == 1, turn == 2], [sine, cosine, -sine], -cosine)
        cosines = np.select([turn == 0, turn == 1, turn == 2], [cosine, 0 - sine, -cosine], sine)
        values = {"sin": sines, "cos": cosines, "tan": sines / cosines}
        return np.where(np.isfinite(x), values[function], np.nan)

    return call


PI_LOW = Wide(1.2246467991473531772e-16)  # pi - float64(pi)


def fmedian3(a, b, c):
    return fmax(fmin(a, b), fmin(fmax(a, b), c))


def smoothstep(low, high, x):
    t = clamp((x - low) / (high - low), Wide(0), Wide(1))
    return t * t * (3 - 2 * t)


def sign(x):
    return np.where(np.isnan(x), 0, np.sign(x))


def fract(x):
    return x - np.floor(x)


def round_away(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def power(x, y):
    return np.where((x == 1) | (y == 0), 1, np.power(x, y))


def powr(x, y):
    return np.where(x < 0, np.nan, power(x, y))


def dot(a, b):
    return (a * b).sum(axis=1)


def length(a):
    return np.sqrt((a * a).sum(axis=1))


def normalize(a):
    size = length(a)[:, None]
    return a / np.where(size == 0, 1, size)


def reflect(incident, normal):
    return incident - 2 * dot(incident, normal)[:, None] * normal


def refract(incident, normal, eta):
    eta = eta[:, None]
    cosine = dot(normal, incident)[:, None]
    k = 1 - eta * eta * (1 - cosine * cosine)
    bent = eta * incident - (eta * cosine + np.sqrt(k)) * normal
    return np.where(k < 0, 0, bent)


def sizes_of(*vectors):
    """An upper bound of what a sum of products of these vectors' elements passes through."""
    product = Wide(1)
    for vector in vectors:
        product = product * np.abs(vector).max(axis=1)
    return product


def for_each_element(function):
    return lambda *vectors: function(*vectors)[:, None] * np.ones_like(vectors[0])


FLOATS = {
    "acos": Float(np.arccos, 2, ranges=((-1, 1),)),
    "acosh": Float(np.arccosh, 3, ranges=((1, 3),)),
    "asin": Float(np.arcsin, 2.5, ranges=((-1, 1),)),
    "asinh": Float(np.arcsinh, 3, ranges=((-3, 3),)),
    "atan": Float(np.arctan, 2, ranges=((-3, 3),)),
    "atan2": Float(np.arctan2, 3, arity=2),
    "atanh": Float(np.arctanh, 3, ranges=((-1, 1),)),
    "ceil": Float(np.ceil, 0, 0),
    "clamp": Float(clamp, 0, 0, arity=3),
    "copysign": Float(np.copysign, 0, 0, arity=2),
    "cos": Float(np.cos, 2, ranges=((-10, 10), (-1e5, 1e5))),
    "cosh": Float(np.cosh, 2, ranges=((-90, 90),)),
    "cospi": Float(half_turns("cos"), 2, ranges=((-10, 10),)),
    "divide": Float(np.divide, 0.5, arity=2),
    "exp": Float(np.exp, 2, ranges=((-104, 89), (-1, 1))),
    "exp10": Float(lambda x: np.power(Wide(10), x), 2, ranges=((-46, 39), (-1, 1))),
    "exp2": Float(np.exp2, 2, ranges=((-150, 128), (-1, 1))),
    "fabs": Float(np.abs, 0, 0),
    "fdim": Float(lambda a, b: np.where(a <= b, 0, a - b), 0.5, arity=2),
    "floor": Float(np.floor, 0, 0),
    "fmax": Float(fmax, 0, 0, arity=2),
    "fmax3": Float(lambda a, b, c: fmax(fmax(a, b), c), 0, 0, arity=3),
    "fmedian3": Float(fmedian3, 0, 0, arity=3),
    "fmin": Float(fmin, 0, 0, arity=2),
    "fmin3": Float(lambda a, b, c: fmin(fmin(a, b), c), 0, 0, arity=3),
    "fmod": Float(np.fmod, 0, 0, arity=2),
    "fract": Float(fract, 1, 1),
    "log": Float(np.log, 2, ranges=((0.5, 2),)),
    "log10": Float(np.log10, 2, ranges=((0.5, 2),)),
    "log2": Float(np.log2, 2, ranges=((0.5, 2),)),
    "mix": Float(
        lambda a, b, t: a + (b - a) * t,
        2,
        2,
        fast_ulps=2,
        arity=3,
        magnitude=lambda a, b, t: np.maximum(np.abs(a), np.abs((b - a) * t)),
    ),
    "pow": Float(power, 2, ranges=((0, 3), (-20, 20)), arity=2),
    "powr": Float(powr, 2, ranges=((0, 3), (-20, 20)), arity=2),
    "recip": Float(np.reciprocal, 0.5),
    "rint": Float(np.rint, 0, 0),
    "round": Float(round_away, 0, 0),
    "rsqrt": Float(lambda x: 1 / np.sqrt(x), 1.5),
    "saturate": Float(lambda x: clamp(x, Wide(0), Wide(1)), 0, 0),
    "sign": Float(sign, 0, 0),
    "sin": Float(np.sin, 2, ranges=((-10, 10), (-1e5, 1e5))),
    "sinh": Float(np.sinh, 3, ranges=((-90, 90), (-1.5, 1.5))),
    "sinpi": Float(half_turns("sin"), 2, ranges=((-10, 10),)),
    "sqrt": Float(np.sqrt, 0.5),
    "step": Float(lambda edge, x: np.where(x < edge, 0, 1), 0, 0, arity=2),
    "tan": Float(np.tan, 3.5, ranges=((-10, 10), (-1e5, 1e5))),
    "tanh": Float(np.tanh, 2, ranges=((-10, 10), (-1, 1))),
    "tanpi": Float(half_turns("tan"), 4, ranges=((-10, 10),)),
    "trunc": Float(np.trunc, 0, 0),
}

# Vectors in; the error counts in ulps of the terms, which may cancel.
GEOMETRY = {
    "cross": Float(
        lambda a, b: np.cross(a, b), 2, 1, arity=2, magnitude=for_each_element(sizes_of)
    ),
    "distance": Float(lambda a, b: length(a - b), 3, 1, arity=2),
    "distance_squared": Float(lambda a, b: dot(a - b, a - b), 6, 1, arity=2),
    "dot": Float(dot, 4, 1, arity=2, magnitude=sizes_of),
    "length": Float(length, 2.5, 1),
    "length_squared": Float(lambda a: dot(a, a), 3, 1),
    "normalize": Float(normalize, 4, 1),
    "reflect": Float(
        reflect,
        12,
        2,
        fast_ulps=12,
        arity=2,
        magnitude=for_each_element(lambda i, n: 1 + sizes_of(i, n, n)),
    ),
}

PREDICATES = {
    "isfinite": Predicate(np.isfinite),
    "isinf": Predicate(np.isinf),
    "isnan": Predicate(np.isnan),
    "isordered": Predicate(lambda a, b: ~(np.isnan(a) | np.isnan(b)), 2),
    "isunordered": Predicate(lambda a, b: np.isnan(a) | np.isnan(b), 2),
    "signbit": Predicate(np.signbit),
}


def limits(bits, signed):
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def saturated(function):
    def call(bits, signed, *values):
        low, high = limits(bits, signed)
        return min(max(function(*values), low), high)

    return call


def low24(signed, x):
    x &= 0xFFFFFF
    return x - 2**24 if signed and x >= 2**23 else x


def rotate(bits, signed, x, amount):
    amount %= bits
    return x << amount | x >> (bits - amount)


def trailing_zeros(bits, x):
    return (x & -x).bit_length() - 1 if x else bits


def extract_bits(bits, signed, x, offset, count):
    field_ = (x % 2**bits >> offset) & (2**count - 1)
    is_negative = signed and count and count <= bits and field_ >> (count - 1)
    return field_ - 2**count if is_negative else field_


def insert_bits(bits, signed, base, x, offset, count):
    mask = (2**count - 1) << offset
    return (base & ~mask) | (x << offset & mask)


def reference(function, arity, extra=()):
    return Integer(lambda bits, signed, *values: function(*values), arity, extra)


INTEGERS = {
    "abs": reference(abs, 1),
    "abs_diff": reference(lambda a, b: abs(a - b), 2),
    "add_sat": Integer(saturated(lambda a, b: a + b), 2),
    "clamp_int": reference(lambda x, low, high: min(max(x, low), high), 3),
    "clz": Integer(lambda bits, signed, x, flag: bits - x.bit_length(), 1, ((0, 2),)),
    "ctz": Integer(lambda bits, signed, x, flag: trailing_zeros(bits, x), 1, ((0, 2),)),
    "extract_bits": Integer(extract_bits, 1, ((0, 70), (0, 70))),
    "hadd": reference(lambda a, b: (a + b) >> 1, 2),
    "insert_bits": Integer(insert_bits, 2, ((0, 70), (0, 70))),
    "mad24": Integer(lambda bits, s, a, b, c: low24(s, a) * low24(s, b) + c, 3),
    "mad_hi": Integer(lambda bits, signed, a, b, c: (a * b >> bits) + c, 3),
    "mad_sat": Integer(saturated(lambda a, b, c: a * b + c), 3),
    "max": reference(max, 2),
    "max3": reference(max, 3),
    "median3": reference(lambda a, b, c: sorted((a, b, c))[1], 3),
    "min": reference(min, 2),
    "min3": reference(min, 3),
    "mul24": Integer(lambda bits, s, a, b: low24(s, a) * low24(s, b), 2),
    "mul_hi": Integer(lambda bits, signed, a, b: a * b >> bits, 2),
    "popcount": reference(lambda x: x.bit_count(), 1),
    "reverse_bits": Integer(lambda bits, signed, x: int(f"{x:0{bits}b}"[::-1], 2), 1),
    "rhadd": reference(lambda a, b: (a + b + 1) >> 1, 2),
    "rotate": Integer(rotate, 2),
    "sub_sat": Integer(saturated(lambda a, b: a - b), 2),
}


def packed(*fields, signed=False, srgb=False):
    """(offset, bits) of each element, first to last."""
    return {"fields": fields, "signed": signed, "srgb": srgb}


FOUR8 = ((0, 8), (8, 8), (16, 8), (24, 8))
TWO16 = ((0, 16), (16, 16))
RGB10A2 = ((0, 10), (10, 10), (20, 10), (30, 2))
RGB565 = ((11, 5), (5, 6), (0, 5))
PACKED = {
    "unorm4x8": packed(*FOUR8),
    "snorm4x8": packed(*FOUR8, signed=True),
    "unorm4x8_srgb": packed(*FOUR8, srgb=True),
    "unorm2x16": packed(*TWO16),
    "snorm2x16": packed(*TWO16, signed=True),
    "unorm10a2": packed(*RGB10A2),
    "snorm10a2": packed(*RGB10A2, signed=True),
    "unorm565": packed(*RGB565),
}

OTHERS = {
    name: Other(name)
    for name in (
        *("all", "any", "convert", "faceforward", "fma", "frexp", "get_simdgroup_size", "ilogb"),
        *("is_uniform", "isnormal", "ldexp", "modf", "nextafter", "normalize_predicate", "refract"),
        *("sincos", "smoothstep"),
    )
}
OTHERS |= {f"pack_{name}": Other("pack", options) for name, options in PACKED.items()}
OTHERS |= {f"unpack_{name}": Other("unpack", options) for name, options in PACKED.items()}

CASES = FLOATS | GEOMETRY | PREDICATES | INTEGERS | OTHERS
