# SPDX-License-Identifier: Apache-2.0
"""metalloid survey: compiles every kernel of an archive and says what fails and why."""

from __future__ import annotations

import argparse
import json
import os
import re
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import metalloid
from metalloid import _core


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("survey", help="compile every kernel of an archive")
    parser.add_argument("file", help="a .metallib")
    parser.add_argument("--match", default="", help="only names that this regular expression finds")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th kernel")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--threadgroup", type=int, default=256)
    parser.add_argument("--json", metavar="FILE", help="write the result")
    parser.set_defaults(call=run)


class Outcome:
    """Counts as the kernels come in; safe to share between threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.compiled: list[str] = []
        self.fallback: list[str] = []
        self.failed: list[dict[str, str]] = []

    def add(self, name: str, fell_back: bool, error: str) -> None:
        with self.lock:
            if error:
                self.failed.append({"kernel": name, "reason": error})
            else:
                self.compiled.append(name)
                if fell_back:
                    self.fallback.append(name)


def run(options: argparse.Namespace) -> int:
    os.environ["METALLOID_CACHE_PATH"] = ""  # thousands of images that nobody will run
    library = metalloid.load(options.file)
    names = [n for n in library.names if re.search(options.match, n)][:: options.every]
    outcome, start = Outcome(), time.monotonic()

    def survey_one(name: str) -> None:
        fell_back, error = _core.try_compile(library._native, name, options.threadgroup)
        outcome.add(name, fell_back, error)

    with ThreadPoolExecutor(options.jobs) as workers:
        _with_progress(workers.map(survey_one, names), len(names))
    seconds = time.monotonic() - start
    _report(outcome, len(names), seconds)
    if options.json:
        Path(options.json).write_text(json.dumps(_summary(outcome, len(names), seconds), indent=1))
    return 0 if not outcome.failed else 1


def _with_progress(results: Any, total: int) -> None:
    try:
        from rich.progress import track
    except ImportError:
        for _ in results:
            pass
        return
    for _ in track(results, total=total, description="compiling"):
        pass


def _summary(outcome: Outcome, total: int, seconds: float) -> dict[str, Any]:
    return {
        "total": total,
        "compiled": len(outcome.compiled),
        "fallback": len(outcome.fallback),
        "failed": outcome.failed,
        "seconds": round(seconds, 1),
    }


def _report(outcome: Outcome, total: int, seconds: float) -> None:
    print(
        f"{len(outcome.compiled)} of {total} kernels compiled in {seconds:.0f} s "
        f"({len(outcome.fallback)} with fibers), {len(outcome.failed)} failed"
    )
    reasons = Counter(_kind(entry["reason"]) for entry in outcome.failed)
    for reason, count in reasons.most_common():
        print(f"{count:7}  {reason}")


def _kind(reason: str) -> str:
    """A reason without its numbers and names, so that equal causes count together."""
    first = reason.splitlines()[0] if reason else ""
    return re.sub(r"'[^']*'|%[\w.]+|\b\d+\b", "…", first)[:160]
