# SPDX-License-Identifier: Apache-2.0
"""The front end's metadata against Apple's: MLX's kernels, field by field, in the same order.

One side compiles instantiations of MLX's kernel headers (tests/msl/mlx/*.metal, or the files that
are given); the other is what Apple's compiler wrote into MLX's archive for the kernel of the same
name. Skips where METALLOID_FETCHED holds no archive.

    archive_metadata.py METALLOID_MSL LLVM_DIS [--verbose] [FILE.metal ...]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "air"))
from describe_survey import SKIPPED, Metadata, read_archive  # noqa: E402

LEAST_KERNELS = 200


def plain(operand):
    """A node without what may differ: names of globals are the module's own matter."""
    if isinstance(operand, list):
        return [plain(each) for each in operand]
    return "@" if isinstance(operand, Metadata.Value) else operand


def descriptions(text: str) -> dict[str, dict]:
    """What the metadata of a module's text says, by kernel."""
    metadata = Metadata(text)
    constants = {node[2]: plain(node) for node in metadata.node("air.function_constants")}
    module = {
        "triple": re.search(r'^target triple = "(.*)"', text, re.M)[1],
        "data layout": re.search(r'^target datalayout = "(.*)"', text, re.M)[1],
        "air.version": metadata.node("air.version"),
        "air.language_version": metadata.node("air.language_version"),
        "air.compile_options": metadata.node("air.compile_options"),
    }
    signatures = dict(re.findall(r'^define [^@\n]*@"?([^"(]*)"?\((.*)\) [^()\n]*\{$', text, re.M))
    result = {}
    for node in metadata.node("air.kernel"):
        name = re.fullmatch(r'ptr @"?([^"]*)"?', node[0])[1]
        result[name] = {
            **module,
            "types": re.findall(
                r"(?:^|, )(ptr addrspace\(\d\)|<\d x i\d+>|i\d+)", signatures[name]
            ),
            "outputs": plain(node[1]),
            "arguments": [plain(each) for each in node[2]],
            "limits": plain(node[3:]),
            "constants": constants,
        }
    return result


def differences(ours: dict, apples: dict) -> list[tuple[str, str]]:
    """Kind and text of each field that is not Apple's."""
    found = []
    for field, expected in apples.items():
        got = ours[field]
        if field == "constants":  # a module of one kernel lists only those that it reads
            got = {name: got.get(name) for name in expected}
        if field == "arguments" and len(got) == len(expected):
            for one, other in zip(got, expected, strict=True):
                if one != other:
                    kind = "unused" if unmarked(one) == unmarked(other) else field
                    found.append((kind, f"{one}\n    Apple: {other}"))
        elif got != expected:
            found.append((field, f"{field} {got}\n    Apple: {expected}"))
    return found


def unmarked(argument: list) -> list:
    return [operand for operand in argument if operand != "air.arg_unused"]


class Archive:
    def __init__(self, path: Path, llvm_dis: str) -> None:
        self.data = path.read_bytes()
        self.functions = read_archive(path)
        self.llvm_dis = llvm_dis

    def text(self, name: str) -> str:
        offset, size = self.functions[name]
        with tempfile.NamedTemporaryFile(suffix=".bc") as file:
            file.write(self.data[offset : offset + size])
            file.flush()
            return subprocess.run(
                [self.llvm_dis, file.name, "-o", "-"], check=True, capture_output=True, text=True
            ).stdout


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("metalloid_msl")
    parser.add_argument("llvm_dis")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--least", type=int, default=LEAST_KERNELS)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()

    fetched = Path(os.environ.get("METALLOID_FETCHED", HERE.parents[1] / ".cache" / "fetched"))
    if not (fetched / "mlx.metallib").exists():
        print(f"SKIPPED: no {fetched}/mlx.metallib; ./dev fetch brings it")
        return SKIPPED
    archive = Archive(fetched / "mlx.metallib", arguments.llvm_dis)

    compared = 0
    faults = Counter()
    for file in arguments.files or sorted((HERE / "mlx").glob("*.metal")):
        run = subprocess.run(
            # The options that Apple's compiler had for the archive.
            [
                arguments.metalloid_msl,
                "-std=3.1",
                "-math=safe",
                f"-I{fetched}/mlx/include",
                str(file),
            ],
            capture_output=True,
            text=True,
        )
        if run.returncode:
            print(f"{file.name}: does not compile\n{run.stderr[:2000]}")
            faults["compile"] += 1
            continue
        kernels = descriptions(run.stdout)
        unknown = [name for name in kernels if name not in archive.functions]
        if unknown:
            print(f"{file.name}: not in the archive: {' '.join(unknown[:8])}")
            faults["name"] += len(unknown)
        names = [name for name in kernels if name in archive.functions]
        with ThreadPoolExecutor(2) as pool:
            for name, text in zip(names, pool.map(archive.text, names), strict=True):
                found = differences(kernels[name], descriptions(text)[name])
                compared += 1
                faults.update({kind for kind, _ in found})
                for kind, difference in found:
                    if arguments.verbose or faults[kind] <= 3:
                        print(f"{name}: {kind}\n    ours:  {difference}")
    print(f"{compared} kernels compared; faults: {dict(faults) or 'none'}")
    return 1 if faults or compared < arguments.least else 0


if __name__ == "__main__":
    sys.exit(main())
