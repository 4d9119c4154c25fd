#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the polynomials of the air library: minimax coefficients, already rounded to float.

Prints each polynomial's coefficients, lowest power first, with the relative error it reaches in
exact arithmetic. The numbers are pasted into the sources; run this again to try another degree.

    python3 fit.py [NAME...]
"""

import sys

import numpy as np

Real = np.longdouble
LN2 = np.log(Real(2))
PI = np.arctan(Real(1)) * 4


def minimax(target, weight, low, high, powers):
    """Coefficients c of sum(c[i] x**powers[i]) that minimise max |weight * (sum - target)|, each
    rounded to float in turn, lowest power first, the others refitted after it."""
    nodes = np.cos(PI * (np.arange(400, dtype=Real) + Real(0.5)) / 400)
    x = (high + low) / 2 + (high - low) / 2 * nodes
    x = x[np.abs(x) > 1e-4 * (high - low)]
    y, w = target(x), np.abs(weight(x))
    fixed = []
    while len(fixed) < len(powers):
        rest = y - sum((c * x**p for c, p in zip(fixed, powers, strict=False)), Real(0) * x)
        c = reweighted(x, rest, w, powers[len(fixed) :])
        fixed.append(Real(np.float32(c[0])))
    error = w * np.abs(sum(c * x**p for c, p in zip(fixed, powers, strict=True)) - y)
    return fixed, float(error.max())


def reweighted(x, y, w, powers):
    """Lawson's iteration: least squares, weights grown where the error is large."""
    scale = np.abs(x).max()
    basis = np.stack([(x / scale) ** p for p in powers], axis=1)
    lawson = np.ones_like(x)
    for _ in range(60):
        root = (np.sqrt(lawson) * w)[:, None]
        c = solve(basis * root, y * root[:, 0])
        error = w * np.abs(basis @ c - y)
        lawson *= error / error.max()
        lawson /= lawson.mean()
    return c / scale ** np.array(powers, dtype=Real)


def solve(a, b):
    """Least squares by Householder's QR in long double, which numpy.linalg does not offer."""
    a, b = a.copy(), b.copy()
    n = a.shape[1]
    for k in range(n):
        v = a[k:, k].copy()
        v[0] += np.copysign(np.sqrt((v * v).sum()), v[0])
        v /= np.sqrt((v * v).sum())
        a[k:] -= 2 * np.outer(v, v @ a[k:])
        b[k:] -= 2 * v * (v @ b[k:])
    c = np.zeros(n, dtype=Real)
    for k in reversed(range(n)):
        c[k] = (b[k] - a[k, k + 1 :] @ c[k + 1 :]) / a[k, k]
    return c


def odd(function, first, limit, count):
    """function(x) = first*x + x**3 P(x**2) for |x| <= limit, relative to the function."""
    return (
        lambda x: (function(x) - first * x) / x**3,
        lambda x: x**3 / function(x),
        Real(1e-3) * limit,
        Real(limit),
        [2 * i for i in range(count)],
    )


def short_hex(value):
    """0x1.8p-2f, without the zeros that float.hex() pads with."""
    mantissa, exponent = float(value).hex().split("p")
    return f"{mantissa.rstrip('0')}p{exponent}f"


HALF_LN2 = Real(0.3467)
LOG_LOW, LOG_HIGH = Real(2) / 3 - 1, Real(4) / 3 - 1
FITS = {
    # exp(r) = 1 + r + r**2 P(r)
    "exp": (
        lambda r: (np.expm1(r) - r) / r**2,
        lambda r: r**2 / np.exp(r),
        -HALF_LN2,
        HALF_LN2,
        range(5),
    ),
    "fast_exp": (
        lambda r: (np.expm1(r) - r) / r**2,
        lambda r: r**2 / np.exp(r),
        -HALF_LN2,
        HALF_LN2,
        range(4),
    ),
    # exp2(r) = 1 + r P(r)
    "exp2": (
        lambda r: np.expm1(r * LN2) / r,
        lambda r: r / np.exp2(r),
        Real(-0.5001),
        Real(0.5001),
        range(6),
    ),
    # log(1 + f) = f - f**2 / 2 + f**3 P(f)
    "log": (
        lambda f: (np.log1p(f) - f + f**2 / 2) / f**3,
        lambda f: f**3 / np.log1p(f),
        LOG_LOW,
        LOG_HIGH,
        range(8),
    ),
    "fast_log": (
        lambda f: (np.log1p(f) - f + f**2 / 2) / f**3,
        lambda f: f**3 / np.log1p(f),
        LOG_LOW,
        LOG_HIGH,
        range(6),
    ),
    "sin": odd(np.sin, 1, PI / 4 * Real(1.001), 3),
    # cos(r) = 1 - r**2 / 2 + r**4 P(r**2)
    "cos": (
        lambda r: (np.cos(r) - 1 + r**2 / 2) / r**4,
        lambda r: r**4 / np.cos(r),
        Real(1e-2),
        PI / 4 * Real(1.001),
        [0, 2, 4],
    ),
    "tan": odd(np.tan, 1, PI / 4 * Real(1.001), 7),
    "asin": odd(np.arcsin, 1, 0.5, 5),
    "atan": odd(np.arctan, 1, 1.0, 9),
    "sinh": odd(np.sinh, 1, 1.0, 4),
    "tanh": odd(np.tanh, 1, 0.55, 5),
    # sin(pi r) = pi r + r**3 P(r**2) and cos(pi r) = 1 + r**2 P(r**2)
    "sinpi": odd(lambda r: np.sin(PI * r), PI, 0.2501, 4),
    "cospi": (
        lambda r: (np.cos(PI * r) - 1) / r**2,
        lambda r: r**2 / np.cos(PI * r),
        Real(1e-3),
        Real(0.2501),
        [0, 2, 4, 6],
    ),
    # atanh(s) = s + s**3 / 3 + s**5 P(s**2), for log(m) = 2 atanh((m - 1) / (m + 1))
    "atanh": (
        lambda s: (np.arctanh(s) - s - s**3 / 3) / s**5,
        lambda s: s**5 / np.arctanh(s),
        Real(1e-2),
        Real(0.2),
        [0, 2, 4],
    ),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or FITS:
        function, weight, low, high, powers = FITS[name]
        coefficients, error = minimax(function, weight, low, high, list(powers))
        print(f"{name}: relative error 2^{np.log2(error):.1f}")
        print("  " + ", ".join(short_hex(c) for c in coefficients))
