# SPDX-License-Identifier: Apache-2.0
"""MSL source of the element-wise kernels behind Buffer's operators.

Each function takes MSL's name of the element type and returns a source string whose kernel has the
name of the function without "_kernel".
"""

from __future__ import annotations

BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNARY = ("sqrt", "cos", "sin", "tan", "exp", "log")
REDUCE = {"sum": "a + b", "max": "max(a, b)", "min": "min(a, b)"}

_HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"


def element_wise(name: str, parameters: list[str], statement: str) -> str:
    """A kernel `name` over a 1-D grid `id`; `parameters` become buffers 0, 1, …"""
    declared = "".join(f"    {text} [[buffer({i})]],\n" for i, text in enumerate(parameters))
    return (
        f"{_HEADER}kernel void {name}(\n{declared}    uint id [[thread_position_in_grid]])\n"
        f"{{\n    {statement}\n}}\n"
    )


def binary_kernel(name: str, symbol: str, t: str, result: str | None = None) -> str:
    """c[id] = a[id] symbol b[id]."""
    return element_wise(
        name,
        [f"device const {t}* a", f"device const {t}* b", f"device {result or t}* c"],
        f"c[id] = a[id] {symbol} b[id];",
    )


def scalar_kernel(
    name: str, symbol: str, t: str, reflected: bool = False, result: str | None = None
) -> str:
    """c[id] = a[id] symbol scalar, or scalar symbol a[id] where reflected."""
    expression = f"scalar {symbol} a[id]" if reflected else f"a[id] {symbol} scalar"
    return element_wise(
        name,
        [f"device const {t}* a", f"constant {t}& scalar", f"device {result or t}* c"],
        f"c[id] = {expression};",
    )


def unary_kernel(name: str, t: str) -> str:
    """b[id] = name(a[id])."""
    return element_wise(
        name, [f"device const {t}* a", f"device {t}* b"], f"b[id] = metal::{name}(a[id]);"
    )


def cast_kernel(source: str, target: str) -> str:
    """b[id] = target(a[id])."""
    return element_wise(
        "cast", [f"device const {source}* a", f"device {target}* b"], f"b[id] = {target}(a[id]);"
    )


def reduce_kernel(name: str, t: str) -> str:
    """A step of a pairwise tree: out[id] = op(x[2 id], x[2 id + 1]); an odd last one is copied."""
    return element_wise(
        name,
        [f"device const {t}* x", f"device {t}* out", "constant uint& count"],
        f"{t} a = x[2 * id];\n"
        f"    if (2 * id + 1 < count) {{ {t} b = x[2 * id + 1]; a = {REDUCE[name]}; }}\n"
        f"    out[id] = a;",
    )


def _named(name: str, symbol: str):
    def kernel(t: str) -> str:
        return binary_kernel(name, symbol, t)

    kernel.__name__ = f"{name}_kernel"
    kernel.__doc__ = f"c[id] = a[id] {symbol} b[id] as kernel `{name}`."
    return kernel


add_kernel = _named("add", "+")
sub_kernel = _named("sub", "-")
mul_kernel = _named("mul", "*")
div_kernel = _named("div", "/")


def sqrt_kernel(t: str) -> str:
    """b[id] = sqrt(a[id]) as kernel `sqrt`."""
    return unary_kernel("sqrt", t)
