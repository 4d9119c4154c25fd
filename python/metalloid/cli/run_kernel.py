# SPDX-License-Identifier: Apache-2.0
"""metalloid run: one kernel on .npy files."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from metalloid import ArgumentError
from metalloid.cli import inputs


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "run",
        help="run a kernel on .npy files",
        description="Arguments are given as NAME=file.npy, NAME=zeros:SHAPE or NAME=number; files "
        "of arguments that the kernel writes are written back (or to --save NAME=file.npy).",
    )
    parser.add_argument("file", help="a .metallib or a .metal source")
    parser.add_argument("kernel")
    parser.add_argument("arguments", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--grid", type=int, nargs="+", help="threads, x first")
    parser.add_argument("--threadgroup", type=int, nargs="+")
    parser.add_argument("--save", action="append", default=[], metavar="NAME=FILE")
    inputs.add_source_options(parser)
    inputs.add_constant_option(parser)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    library = inputs.open_library(options, options.file)
    kernel = library[options.kernel]
    types = {argument.name: argument for argument in kernel.args}
    values: dict[str, Any] = {}
    files: dict[str, str] = {}
    for text in options.arguments:
        name, equals, value = text.partition("=")
        if not equals or name not in types:
            raise ArgumentError(f"{text!r} is not NAME=VALUE for one of {', '.join(types)}")
        if value.endswith(".npy"):
            files[name] = value
        values[name] = _value(types[name].type, value)
    kernel(
        grid=options.grid,
        threadgroup=options.threadgroup,
        constants=inputs.parse_constants(options.constants),
        **values,
    )
    written = {n: f for n, f in files.items() if types[n].access != "read"}
    written.update(text.split("=", 1) for text in options.save)
    for name, file in written.items():
        np.save(file, values[name])
        print(f"{name}: {values[name].dtype.name} {values[name].shape} -> {file}")
    return 0


def _value(type_name: str, text: str) -> Any:
    from metalloid._types import element_type

    if text.endswith(".npy"):
        return np.load(text)
    if text.startswith("zeros:"):
        element = element_type(type_name)
        if element is None:
            raise ArgumentError(f"zeros: {type_name} is no NumPy type; pass a .npy file")
        return np.zeros([int(n) for n in text[6:].split("x")], dtype=element.dtype)
    return inputs._number(text)
