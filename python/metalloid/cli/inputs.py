# SPDX-License-Identifier: Apache-2.0
"""Opening what a command is given: a .metal source or a .metallib, and constants like N=3."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import metalloid
from metalloid import Library


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Options that only matter for MSL source."""
    parser.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]")
    parser.add_argument("-I", dest="include", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--math", choices=("safe", "relaxed", "fast"), default="safe")
    parser.add_argument("--std", default="3.2", metavar="VERSION", help="MSL version (3.2)")


def add_constant_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-c",
        dest="constants",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a function constant, by name or index",
    )


def open_library(options: argparse.Namespace, file: str) -> Library:
    """Compiles a source file (its folder is searched for includes) or opens an archive."""
    path = Path(file)
    if path.suffix == ".metallib":
        return metalloid.load(path)
    defines = dict(text.partition("=")[::2] for text in options.defines)
    return metalloid.compile(
        path.read_text(),
        math=options.math,
        language=options.std,
        defines={name: value or "1" for name, value in defines.items()},
        include=[str(path.parent), *options.include],
    )


def parse_constants(texts: list[str]) -> dict[Any, Any]:
    """["N=3", "1=true"] as {"N": 3, 1: True}."""
    constants: dict[Any, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"constant {text!r} is not NAME=VALUE")
        constants[int(name) if name.isdigit() else name] = _number(value)
    return constants


def _number(text: str) -> bool | int | float:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text, 0)
    except ValueError:
        return float(text)
