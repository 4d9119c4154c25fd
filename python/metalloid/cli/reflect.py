# SPDX-License-Identifier: Apache-2.0
"""metalloid reflect: what the kernels of a source or an archive take."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from metalloid import Kernel
from metalloid.cli import inputs


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("reflect", help="print kernels, arguments and function constants")
    parser.add_argument("file", help="a .metallib or a .metal source")
    parser.add_argument("kernel", nargs="?", help="only this kernel; without it, the names")
    parser.add_argument("--json", action="store_true")
    inputs.add_source_options(parser)
    parser.set_defaults(call=run)


def run(options: argparse.Namespace) -> int:
    library = inputs.open_library(options, options.file)
    if options.kernel is None:
        print(json.dumps(library.names) if options.json else "\n".join(library.names))
        return 0
    kernel = library[options.kernel]
    if options.json:
        print(json.dumps(_described(kernel), indent=2))
        return 0
    print(kernel.signature)
    for name, index, type_name in kernel.constants:
        print(f"constant {type_name} {name} [[function_constant({index})]]")
    return 0


def _described(kernel: Kernel) -> dict[str, Any]:
    return {
        "name": kernel.name,
        "arguments": [asdict(argument) for argument in kernel.args],
        "constants": [
            {"name": name, "index": index, "type": type_name}
            for name, index, type_name in kernel.constants
        ],
    }
