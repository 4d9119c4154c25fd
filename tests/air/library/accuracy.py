# SPDX-License-Identifier: Apache-2.0
"""Checks every function of the air library, and writes the table of what was measured.

    accuracy.py LIBRARY.bc LLVM_BIN FOLDER [--samples N] [--only TEST...] [--write docs/accuracy.md]

LIBRARY.bc is the whole library (build/src/air/library/air_library.bc), FOLDER where machine code
may be kept. Fails where a row of the table has no case, or a function is beyond its bound.
"""

import argparse
import re
import sys
import time
from pathlib import Path

from cases import CASES, FLOATS, GEOMETRY
from check import Wrong, check, check_vectors
from native import Library

ROOT = Path(__file__).resolve().parents[3]
ROW = re.compile(r'AIR_FUNCTION\("([^"]+)",\s*(Plain|WithFast),\s*"[^"]*",\s*(\w+),\s*"(\w+)"\)')
VECTOR = re.compile(r"\.v[234](?=[a-z])")


PREFACE = """\
# Accuracy of the air functions

Greatest error measured, in units in the last place (ulp) of the result's type, against long double.
Float: {count:,} random bit patterns, as many numbers in the ranges where the function varies, and
special values; half: every input of functions of one argument. 0.5 is the nearest number always; 0
is exact. Fast forms (`air.fast_...`, what fast math calls): the greatest relative or absolute
error, whichever is less, unless ulps are named. Of vectors the ulp is that of the greatest term,
since terms may cancel. Infinities and NaN are met exactly. Float functions are also checked under
flush-to-zero.

Written by `tests/air/library/accuracy.py --write docs/accuracy.md`; the bounds that the tests hold
the functions to are in `tests/air/library/cases.py`.

| function | float | worst at | half | fast float |
|---|---|---|---|---|"""


def table_rows():
    """(name pattern, with fast forms, home, test) of each row of functions.def."""
    text = (ROOT / "src/air/functions.def").read_text()
    rows = [
        (name, forms == "WithFast", home, test) for name, forms, home, test in ROW.findall(text)
    ]
    written = len(re.findall(r"^AIR_FUNCTION\(", text, re.MULTILINE))
    if len(rows) != written:
        raise Wrong(f"functions.def has {written} rows, of which {len(rows)} were understood")
    return rows


def names_of(row, library):
    """The library's functions that a row stands for. The C++ test of the table proves that the
    patterns match; here the fixed beginning and the number of words decide."""
    pattern, with_fast, _, _ = row
    words = pattern.split(".")
    fixed = [w for w in words if "{" not in w]
    is_conversion = words[0] == "convert"
    signed = "{sign}" in words
    for name in library.functions:
        parts = name.removeprefix("air.").removeprefix("fast_").split(".")
        is_fast = name.startswith("air.fast_")
        if is_fast and not with_fast:
            continue
        if is_conversion:
            if parts[0] == "convert":
                yield name
            continue
        has_sign = len(parts) > 1 and parts[1] in "su"
        if parts[: len(fixed)] == fixed and len(parts) == len(words) and has_sign == signed:
            yield name


def check_row(row, library, count):
    """{scalar name: Measured}, and a list of what is wrong."""
    case = CASES[row[3]]
    measured, wrong = {}, []
    for name in names_of(row, library):
        scalar = VECTOR.sub(".", name)
        try:
            if scalar != name and scalar in library.functions:
                if not name.startswith("air.is_uniform"):
                    check_vectors(library, name, scalar)
            elif result := check(case, library, name, count):
                measured[name] = result
        except Wrong as error:
            wrong.append(str(error))
    return measured, wrong


def document(measured, count):
    """The page: one line a function, float, half and fast."""
    lines = [PREFACE.format(count=count)]
    for test in [*FLOATS, *GEOMETRY]:
        found = measured.get(test, {})
        label = f"{test}" + (" (v4)" if test in GEOMETRY else "")
        label = "cross (v3)" if test == "cross" else label
        suffix = {"cross": "v3"}.get(test, "v4" if test in GEOMETRY else "")
        exact, half, fast = (
            found.get(f"air.{prefix}{test}.{suffix}{kind}")
            for prefix, kind in (("", "f32"), ("", "f16"), ("fast_", "f32"))
        )
        if exact is None or half is None or fast is None:
            raise Wrong(f"{test} was not measured")
        in_ulps = CASES[test].ulps <= 0.5 or CASES[test].fast_ulps is not None
        fast_text = f"{fast.error:.2g}" + (" ulp" if in_ulps and fast.error else "")
        at = ", ".join(f"{x:.9g}" for x in exact.inputs) if exact.error and not suffix else ""
        lines.append(f"| {label} | {exact.error:.3g} | {at} | {half.error:.3g} | {fast_text} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("llvm_bin")
    parser.add_argument("folder")
    parser.add_argument("--samples", type=int, default=1 << 17)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()

    library = Library(options.library, options.llvm_bin, options.folder)
    rows = [row for row in table_rows() if row[2] == "Library"]
    missing = sorted({row[3] for row in rows} - CASES.keys())
    wrong = [f"functions.def names the case {test}, which cases.py lacks" for test in missing]
    measured, checked = {}, set()
    for row in rows:
        if row[3] in missing or (options.only and row[3] not in options.only):
            continue
        start = time.monotonic()
        measured[row[3]], found = check_row(row, library, options.samples)
        checked.update(names_of(row, library))
        wrong += found
        worst = max((m.error for m in measured[row[3]].values()), default=0)
        print(f"{row[3]:22} {worst:8.3g}  {time.monotonic() - start:5.1f} s", flush=True)
    if not options.only:
        wrong += [f"{name} is in no row" for name in sorted(library.functions.keys() - checked)]
    print(f"{len(checked)} functions checked, {len(wrong)} wrong")
    for line in wrong:
        print("wrong:", line)
    if options.write and not wrong:
        options.write.write_text(document(measured, options.samples))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
