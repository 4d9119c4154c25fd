# SPDX-License-Identifier: Apache-2.0
"""The command `metalloid`: compile, reflect, run, survey, devices, cache."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from metalloid.cli import cache, compile_file, reflect, run_kernel, survey


def _devices(_: argparse.Namespace) -> int:
    from metalloid import print_info

    print_info()
    return 0


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="metalloid", description="Metal compute kernels on this machine."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (compile_file, reflect, run_kernel, survey, cache):
        module.add_parser(commands)
    devices = commands.add_parser("devices", help="list devices, cache and compiler")
    devices.set_defaults(call=_devices)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; an error is one message on stderr and exit code 1 (2 for usage)."""
    options = parser().parse_args(arguments)
    try:
        return options.call(options)
    except (RuntimeError, TypeError, ValueError, KeyError, OSError) as error:
        text = error.args[0] if isinstance(error, KeyError) else error
        print(f"metalloid {options.command}: {text}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
