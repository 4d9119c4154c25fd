# SPDX-License-Identifier: Apache-2.0
"""Exceptions with enough in them for a person and for an editor."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(r"^(.+?):(\d+):(\d+): (error|warning|note): (.*)$", re.MULTILINE)


class Diagnostic(NamedTuple):
    """One line of the compiler: severity is "error", "warning" or "note"; lines count from 1."""

    severity: str
    file: str
    line: int
    column: int
    message: str


class CompileError(RuntimeError):
    """MSL source or AIR was refused.

    The text starts "Shader compilation failed: " and holds every diagnostic with its caret;
    `filename`, `lineno`, `offset` and `msg` are those of the first error, as in SyntaxError.
    """

    def __init__(self, text: str) -> None:
        super().__init__(f"Shader compilation failed: {text}")
        self.diagnostics = tuple(
            Diagnostic(severity, file, int(line), int(column), message)
            for file, line, column, severity, message in _LINE.findall(text)
        )
        first = next((d for d in self.diagnostics if d.severity == "error"), None)
        self.filename = first.file if first else None
        self.lineno = first.line if first else None
        self.offset = first.column if first else None
        self.msg = first.message if first else text


class ArgumentError(TypeError):
    """A kernel was called with something it does not take.

    The text names the kernel and the argument, says what to do, and ends with the MSL signature,
    the argument marked.
    """
