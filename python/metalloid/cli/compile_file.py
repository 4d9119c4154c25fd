# SPDX-License-Identifier: Apache-2.0
"""metalloid compile: MSL source to a .metallib, to AIR text or to assembly."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from metalloid import _core
from metalloid.cli import inputs


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("compile", help="compile MSL source")
    parser.add_argument("file", help="a .metal source (or, for air and asm, a .metallib)")
    parser.add_argument("-o", dest="output", default="-", help="output file (- for stdout)")
    parser.add_argument("--emit", choices=("metallib", "air", "asm"), default="metallib")
    parser.add_argument("--kernel", help="air and asm of one kernel (the first where not given)")
    parser.add_argument(
        "--threadgroup", type=int, nargs="+", default=[256], help="asm: threadgroup size"
    )
    inputs.add_source_options(parser)
    inputs.add_constant_option(parser)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    library = inputs.open_library(options, options.file)
    if not library.names:
        raise ValueError(f"{options.file} has no kernels")
    if options.emit == "metallib":
        data = _core.write_archive([(library._native, name) for name in library.names])
    else:
        kernel = library[options.kernel or library.names[0]]
        threads = tuple([*options.threadgroup, 1, 1][:3])
        constants = list(inputs.parse_constants(options.constants).items())
        data = library._native.emit(kernel.name, options.emit, threads, constants).encode()
    if options.output == "-":
        sys.stdout.buffer.write(data)
    else:
        Path(options.output).write_bytes(data)
    return 0
