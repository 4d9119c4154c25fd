# SPDX-License-Identifier: Apache-2.0
"""One check a kind of case. Each raises Wrong, or gives what it measured."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from cases import Float, Integer, Other, Predicate, smoothstep
from formats import FLOAT, FORMATS, pairs, samples, ulp_errors

# Infinities and NaN are compared like other numbers; how they came about is no news.
np.seterr(all="ignore")

Wide = np.longdouble
FAST_LIMIT = 1e-5


class Wrong(Exception):
    """A function gave what it must not."""


@dataclass
class Measured:
    """The greatest error of one function, in ulps, or for fast forms relative or absolute."""

    error: float = 0
    inputs: tuple = ()


def integer_type(name):
    """(bits, signed) of "air.min.s.v4i16"."""
    parts = name.split(".")
    bits = int(parts[-1].split("i")[-1])
    return bits, "s" in parts


def tolerance(case, name, fmt):
    is_fast = name.startswith("air.fast_")
    if fmt is not FLOAT:
        return case.half_ulps + 0.1 * (is_fast and case.half_ulps > 0)
    return case.fast_ulps if is_fast and case.ulps > 0.5 else case.ulps  # None: FAST_LIMIT.


def errors_of(case, fmt, results, exact, arguments):
    if case.magnitude is None:
        return ulp_errors(fmt, results, exact)
    unit = fmt.ulp(np.maximum(case.magnitude(*arguments), np.abs(exact)))
    errors = np.abs(results - exact) / unit
    # Where the terms themselves leave the format, so may the result.
    ordinary = np.isfinite(results) & np.isfinite(exact)
    return np.where(ordinary, errors, 0).astype(np.float64)


def fast_errors(fmt, results, exact):
    """The lesser of relative and absolute error; NaN and infinity must be met, but infinity may
    stand for what is all but too large."""
    absolute = np.abs(results - exact)
    error = np.minimum(absolute, absolute / np.abs(exact))
    same = (np.isnan(results) & np.isnan(exact)) | (results == exact)
    same |= np.isinf(results) & (np.abs(exact) > fmt.largest * (1 - FAST_LIMIT))
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error)).astype(np.float64)


def measure(case, library, name, arguments, fmt, flush=False):
    """Calls `name` and compares with the case's reference."""
    wide = [fmt.values(a).astype(Wide) for a in arguments]
    results = fmt.values(library.call(name, *arguments, flush=flush))
    exact = case.reference(*wide)
    limit = tolerance(case, name, fmt)
    if limit is None:
        limit, errors = FAST_LIMIT, fast_errors(fmt, results, fmt.round(exact))
    else:
        errors = errors_of(case, fmt, results, exact, wide)
    if flush:
        errors = np.where(flushed_is_fine(fmt, results, exact, arguments), 0, errors)
    worst = np.unravel_index(np.argmax(errors), errors.shape)
    row = worst[0]
    measured = Measured(
        float(errors[worst]), tuple(np.ravel([fmt.values(a)[row] for a in arguments]))
    )
    if not measured.error <= limit:
        raise Wrong(
            f"{name}{measured.inputs}{' flushing' if flush else ''} gives {results[worst]}, not"
            f" {fmt.round(exact)[worst]}: {measured.error:.4g}, at most {limit} allowed"
        )
    return measured


def flushed_is_fine(fmt, results, exact, arguments):
    """A result that flushing may have made 0, or an input that it may have read as 0."""
    normal = 2.0**fmt.min_exponent
    tiny = [(np.abs(fmt.values(a)) < normal) & (fmt.values(a) != 0) for a in arguments]
    return np.logical_or.reduce(tiny) | ((np.abs(exact) <= normal) & (np.abs(results) <= normal))


def check_float(case, library, name, count):
    function = library.functions[name]
    fmt = FORMATS[function.result.scalar]
    width = function.parameters[0].width
    if width > 1:
        arguments = random_vectors(fmt, function, count // 16)
    elif case.arity == 1:
        arguments = [samples(fmt, count, 1, case.ranges if fmt is FLOAT else ())]
    else:
        arguments = pairs(fmt, count // 2, 1, case.ranges, case.arity)
    measured = measure(case, library, name, arguments, fmt)
    if fmt is FLOAT and width == 1:
        measure(case, library, name, [a[: 1 << 16] for a in arguments], fmt, flush=True)
    return measured


def random_vectors(fmt, function, count):
    random = np.random.default_rng(7)
    arrays = []
    for parameter in function.parameters:
        spread = 2.0 ** random.integers(-4, 4, (count, 1))
        values = random.uniform(-1, 1, (count, parameter.width)) * spread
        array = fmt.array(fmt.round(values))
        arrays.append(array[:, 0] if parameter.width == 1 else array)
    return arrays


def check_predicate(case, library, name, count):
    fmt = FORMATS[library.functions[name].parameters[0].scalar]
    arguments = [samples(fmt, count, 1)] if case.arity == 1 else pairs(fmt, count, 1)
    expect_equal(name, arguments, library.call(name, *arguments), case.reference(*arguments))


def expect_equal(name, arguments, results, expected):
    """Equal bits; NaN equals NaN."""
    results, expected = np.asarray(results), np.asarray(expected)
    differ = results != expected
    if results.dtype.kind == "f":
        sign_differs = np.signbit(results) != np.signbit(expected)
        differ = (differ | sign_differs) & ~(np.isnan(results) & np.isnan(expected))
    if differ.any():
        row = np.argwhere(differ)[0][0]
        inputs = [np.asarray(a)[row] for a in arguments]
        raise Wrong(f"{name}{tuple(inputs)} gives {results[row]}, not {expected[row]}")


def integers(bits, signed, count, seed):
    """Python integers of the type: limits, powers of two and their neighbours, random ones."""
    low = -(2 ** (bits - 1)) if signed else 0
    random = np.random.default_rng(seed)
    values = [0, 1, 2, 3, -1, -2] + [2**k + d for k in range(bits) for d in (-1, 0, 1)]
    sizes = random.integers(1, bits + 1, count)
    values += [int.from_bytes(random.bytes(8), "little") >> (64 - int(s)) for s in sizes]
    order = random.permutation(len(values))
    return [(values[i] - low) % 2**bits + low for i in order]


def check_integer(case, library, name, count):
    bits, signed = integer_type(name)
    columns = [integers(bits, signed, 2000, seed) for seed in range(case.arity)]
    random = np.random.default_rng(5)
    columns += [random.integers(low, high, len(columns[0])).tolist() for low, high in case.extra]
    unsigned = np.dtype(f"u{bits // 8}")
    types = [unsigned] * case.arity + [
        p.numpy for p in library.functions[name].parameters[case.arity :]
    ]
    arrays = [
        np.array([v % 2 ** (8 * t.itemsize) for v in c], t)
        for c, t in zip(columns, types, strict=True)
    ]
    expected = [case.reference(bits, signed, *row) % 2**bits for row in zip(*columns, strict=True)]
    expect_equal(name, columns, library.call(name, *arrays), np.array(expected, unsigned))


def check_vectors(library, name, scalar):
    """Every element of a vector form is the scalar's result."""
    function, base = library.functions[name], library.functions[scalar]
    random = np.random.default_rng(3)
    width = function.result.width
    arguments = []
    for parameter, element in zip(function.parameters, base.parameters, strict=True):
        if parameter.scalar == "ptr":
            continue
        if element.scalar in FORMATS:
            fmt = FORMATS[element.scalar]
            values = random.choice(samples(fmt, 100, 1, [(-2, 2)]), (50, parameter.width))
        else:
            values = random.integers(0, 256, (50, parameter.width)).astype(element.numpy)
            values = values % 2 if element.scalar == "i1" else values
        arguments.append(values if parameter.width > 1 else values[:, 0])
    results = library.call(name, *arguments)
    for column in range(width):
        elements = [a[:, column].copy() if a.ndim > 1 else a for a in arguments]
        expected = library.call(scalar, *elements)
        pairs_ = (
            zip(results, expected, strict=True)
            if isinstance(results, tuple)
            else [(results, expected)]
        )
        for result, exact in pairs_:
            expect_equal(name, elements, result[:, column], exact)


# Functions with a check of their own.


def check_convert(library, name, count):
    to_kind, to_type, from_kind, from_type = name.split(".")[2:]
    function = library.functions[name]
    if function.result.width > 1:
        return
    source, target = function.parameters[0], function.result
    if from_kind == "f":
        fmt = FORMATS[source.scalar]
        inputs = samples(fmt, 512, 1, [(-300, 300), (-70000, 70000), (-5e9, 5e9), (-2e19, 2e19)])
        exact = [float(v) for v in fmt.values(inputs)]
    else:
        bits, signed = int(from_type[1:]), from_kind == "s"
        exact = [0, 1] if bits == 1 else integers(bits, signed, 1024, 1)
        inputs = np.array([v % 2**bits for v in exact], source.numpy)
    results = library.call(name, inputs)
    if to_kind == "f":
        fmt = FORMATS[target.scalar]
        expected = fmt.array([round_exactly(fmt, v) for v in exact])
        if fmt.name == "bfloat":
            results, expected = fmt.values(results), fmt.values(expected)
    else:
        bits, signed = int(to_type[1:]), to_kind == "s"
        expected = [to_integer(v, bits, signed, from_kind == "f") % 2**bits for v in exact]
    expect_equal(name, [exact], results, expected)


def round_exactly(fmt, value):
    """A Python number to the nearest of `fmt`, ties to even, in exact arithmetic."""
    if isinstance(value, float):
        return float(fmt.round(value))
    if value == 0:
        return 0.0
    exponent = max(abs(value).bit_length() - fmt.precision, 0)
    rounded = round(Fraction(value, 2**exponent)) * 2**exponent
    return float("inf") * (1 if value > 0 else -1) if abs(rounded) > fmt.largest else float(rounded)


def to_integer(value, bits, signed, from_float):
    if bits == 1:
        return int(value != 0)
    if not from_float:
        return value
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    if np.isnan(value):
        return 0
    if np.isinf(value):
        return high if value > 0 else low
    return min(max(int(value), low), high)


def check_fma(library, name, count):
    fmt = FORMATS[library.functions[name].result.scalar]
    arguments = pairs(fmt, 4096, 1, [(-2, 2)], 3)
    exact = []
    for a, b, c in zip(*[fmt.values(x) for x in arguments], strict=True):
        exact.append(exact_fma(fmt, float(a), float(b), float(c)))
    results = fmt.values(library.call(name, *arguments))
    # The smallest products of bfloats are no floats either: their last bit is not promised.
    least = 2.0 ** (fmt.min_exponent + 16) if fmt.name == "bfloat" else 0
    exact = np.where(np.abs(exact) < least, results, exact)
    zero = np.zeros(1)  # The sign of a zero that cancellation made is not compared.
    expect_equal(name, arguments, results + zero, exact + zero)


def exact_fma(fmt, a, b, c):
    if not (np.isfinite(a) and np.isfinite(b) and np.isfinite(c)):
        return float(np.float64(a) * b + c)
    value = Fraction(a) * Fraction(b) + Fraction(c)
    if value == 0:
        return 0.0
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= abs(value) < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, fmt.min_exponent) - fmt.precision + 1)
    rounded = round(value / unit) * unit
    return float("inf") * (1 if value > 0 else -1) if abs(rounded) > fmt.largest else float(rounded)


def check_frexp(library, name, count):
    fmt = FORMATS[library.functions[name].result.scalar]
    inputs = samples(fmt, count, 1)
    mantissas, exponents = library.call(name, inputs)
    expected, expected_exponents = np.frexp(fmt.values(inputs))
    expected_exponents = np.where(np.isfinite(expected), expected_exponents, 0)
    expect_equal(name, [inputs], fmt.values(mantissas), expected)
    expect_equal(name, [inputs], exponents.view(np.int32), expected_exponents)


def check_ilogb(library, name, count):
    fmt = FORMATS[library.functions[name].parameters[0].scalar]
    inputs = samples(fmt, count, 1)
    values = fmt.values(inputs)
    expected = np.where(np.isfinite(values), np.frexp(values)[1] - 1, 2**31 - 1)
    expected = np.where(values == 0, -(2**31), expected)
    expect_equal(name, [inputs], library.call(name, inputs).view(np.int32), expected)


def check_isnormal(library, name, count):
    fmt = FORMATS[library.functions[name].parameters[0].scalar]
    inputs = samples(fmt, count, 1)
    values = fmt.values(inputs)
    expected = np.isfinite(values) & (np.abs(values) >= 2.0**fmt.min_exponent)
    expect_equal(name, [inputs], library.call(name, inputs), expected)


def check_ldexp(library, name, count):
    fmt = FORMATS[library.functions[name].result.scalar]
    inputs = samples(fmt, 4096, 1, [(-2, 2)])
    random = np.random.default_rng(2)
    shifts = random.integers(-320, 320, len(inputs)).astype(np.int32)
    shifts[:8] = [2**31 - 1, -(2**31), 0, 1, -1, 300, -300, 127]
    exact = np.ldexp(fmt.values(inputs).astype(Wide), np.clip(shifts, -2000, 2000))
    results = fmt.values(library.call(name, inputs, shifts))
    expect_equal(name, [inputs, shifts], results, fmt.round(exact))


def check_modf(library, name, count):
    fmt = FORMATS[library.functions[name].result.scalar]
    inputs = samples(fmt, count, 1, [(-100, 100)])
    parts, wholes = library.call(name, inputs)
    expected, expected_wholes = np.modf(fmt.values(inputs))
    expect_equal(name, [inputs], fmt.values(parts), expected)
    expect_equal(name, [inputs], fmt.values(wholes), expected_wholes)


def check_nextafter(library, name, count):
    fmt = FORMATS[library.functions[name].result.scalar]
    x, y = pairs(fmt, 4096, 1)
    expect_equal(name, [x, y], library.call(name, x, y), np.where(x == y, y, np.nextafter(x, y)))


def check_sincos(library, name, count):
    """The same bits as the functions one by one."""
    fmt = FORMATS[library.functions[name].result.scalar]
    inputs = samples(fmt, 1 << 14, 1, [(-10, 10)])
    sines, cosines = library.call(name, inputs)
    expect_equal(name, [inputs], sines, library.call(name.replace("sincos", "sin"), inputs))
    expect_equal(name, [inputs], cosines, library.call(name.replace("sincos", "cos"), inputs))


def check_smoothstep(library, name, count):
    fmt = FORMATS[library.functions[name].result.scalar]
    random = np.random.default_rng(1)
    low = fmt.array(fmt.round(random.uniform(-1, 1, 4096)))
    high = fmt.array(fmt.round(random.uniform(1.5, 3, 4096)))
    x = fmt.array(fmt.round(random.uniform(-2, 4, 4096)))
    exact = smoothstep(*[fmt.values(a).astype(Wide) for a in (low, high, x)])
    error = np.abs(fmt.values(library.call(name, low, high, x)) - exact).max()
    # Absolute, of a result between 0 and 1; the operands' rounding counts thrice.
    if not error <= 8 * 2.0**-fmt.precision:
        raise Wrong(f"{name}: absolute error {error}")


def check_faceforward(library, name, count):
    function = library.functions[name]
    fmt = FORMATS[function.result.scalar]
    normal, incident, reference = random_vectors(fmt, function, 1024)
    turned = (fmt.values(incident) * fmt.values(reference)).sum(axis=1) < 0
    expected = np.where(turned[:, None], normal, -normal)
    expect_equal(name, [normal], library.call(name, normal, incident, reference), expected)


def check_refract(library, name, count):
    function = library.functions[name]
    fmt = FORMATS[function.result.scalar]
    random = np.random.default_rng(4)
    unit = random.normal(size=(2, 1024, function.result.width))
    unit /= np.sqrt((unit**2).sum(axis=2, keepdims=True))
    incident, normal = (fmt.array(fmt.round(u)) for u in unit)
    eta = fmt.array(fmt.round(random.uniform(0.5, 1.5, 1024)))
    i, n, e = (fmt.values(a) for a in (incident, normal, eta))
    cosine = (i * n).sum(axis=1)
    k = 1 - e * e * (1 - cosine**2)
    bent = e[:, None] * i - ((e * cosine) + np.sqrt(k))[:, None] * n
    expected = np.where((k < 0)[:, None], 0, bent)
    clear = np.abs(k) > 0.05  # The square root magnifies errors near 0.
    results = fmt.values(library.call(name, incident, normal, eta))
    error = np.abs(results - expected)[clear].max()
    if not error <= 40 * 2.0**-fmt.precision:
        raise Wrong(f"{name}: absolute error {error}")


def check_bool_vector(library, name, count):
    width = library.functions[name].parameters[0].width
    inputs = np.array([[row >> i & 1 for i in range(width)] for row in range(2**width)], np.uint8)
    expected = inputs.all(axis=1) if ".all." in name else inputs.any(axis=1)
    expect_equal(name, [inputs], library.call(name, inputs), expected)


def check_constant(expected):
    def check(library, name, count):
        function = library.functions[name]
        inputs = [np.zeros((1, p.width), p.numpy) for p in function.parameters]
        expect_equal(name, inputs, library.call(name, *inputs), [expected])

    return check


def check_normalize_predicate(library, name, count):
    inputs = np.arange(256, dtype=np.uint8)
    expect_equal(name, [inputs], library.call(name, inputs), inputs != 0)


def srgb_encode(x):
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.power(x, 1 / 2.4) - 0.055)


def srgb_decode(x):
    return np.where(x <= 0.04045, x / 12.92, np.power((x + 0.055) / 1.055, 2.4))


def check_pack(library, name, count, fields, signed, srgb):
    """Within half a step (and an sRGB curve's error) of the element times its greatest value."""
    function = library.functions[name]
    fmt = FORMATS[function.parameters[0].scalar]
    random = np.random.default_rng(6)
    values = random.uniform(-1.2, 1.2, (4096, len(fields)))
    values[: 2 * len(SPECIAL_ELEMENTS)] = np.repeat(SPECIAL_ELEMENTS, 2)[:, None]
    inputs = fmt.array(fmt.round(values))
    results = library.call(name, inputs).astype(np.int64)
    for column, (offset, bits) in enumerate(fields):
        greatest = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
        exact = np.nan_to_num(fmt.values(inputs)[:, column], nan=0.0, posinf=1, neginf=-1)
        exact = np.clip(exact, -1 if signed else 0, 1)
        if srgb and column < 3:
            exact = srgb_encode(exact)
        given = results >> offset & (2**bits - 1)
        given = np.where(signed & (given > greatest), given - 2**bits, given)
        error = np.abs(given - exact * greatest)
        if not error.max() <= 0.5 + (1e-3 if srgb else 2e-2 * (bits == 16)):
            row = int(np.argmax(error))
            raise Wrong(f"{name}({fmt.values(inputs)[row]}) gives {given[row]} at bit {offset}")


SPECIAL_ELEMENTS = [0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 0.5, -0.5]


def check_unpack(library, name, count, fields, signed, srgb):
    function = library.functions[name]
    fmt = FORMATS[function.result.scalar]
    dtype = function.parameters[0].numpy
    inputs = np.random.default_rng(8).integers(0, 2 ** (8 * dtype.itemsize), 4096, np.uint64)
    results = fmt.values(library.call(name, inputs.astype(dtype)))
    for column, (offset, bits) in enumerate(fields):
        greatest = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
        value = (inputs >> np.uint64(offset) & np.uint64(2**bits - 1)).astype(np.int64)
        value = np.where(signed & (value > greatest), value - 2**bits, value)
        exact = np.maximum(value / greatest, -1)
        if srgb and column < 3:
            exact = srgb_decode(exact)
        error = ulp_errors(fmt, results[:, column], exact).max()
        if not error <= (8 if srgb and fmt is FLOAT else 0.51):
            raise Wrong(f"{name}: {error} ulps at bit {offset}")


OTHER_CHECKS = {
    "all": check_bool_vector,
    "any": check_bool_vector,
    "convert": check_convert,
    "faceforward": check_faceforward,
    "fma": check_fma,
    "frexp": check_frexp,
    "get_simdgroup_size": check_constant(32),
    "ilogb": check_ilogb,
    "is_uniform": check_constant(1),
    "isnormal": check_isnormal,
    "ldexp": check_ldexp,
    "modf": check_modf,
    "nextafter": check_nextafter,
    "normalize_predicate": check_normalize_predicate,
    "pack": check_pack,
    "refract": check_refract,
    "sincos": check_sincos,
    "smoothstep": check_smoothstep,
    "unpack": check_unpack,
}


def check(case, library, name, count):
    """Checks one scalar function, or one that exists for vectors only."""
    match case:
        case Float():
            return check_float(case, library, name, count)
        case Predicate():
            return check_predicate(case, library, name, count)
        case Integer():
            return check_integer(case, library, name, count)
        case Other():
            return OTHER_CHECKS[case.name](library, name, count, **case.options)
