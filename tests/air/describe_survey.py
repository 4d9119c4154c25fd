# SPDX-License-Identifier: Apache-2.0
"""Reflection against the metadata itself: MLX's archive, kernel by kernel, field by field.

One side is air::describe (through metalloid-opt). The other reads the archive in Python and the
metadata from llvm-dis's text, sharing no code with the product.

    describe_survey.py METALLOID_OPT LLVM_DIS [--every N]
"""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def read_archive(path: Path) -> dict[str, tuple[int, int]]:
    """Where each function's bitcode lies: name -> (offset, size)."""
    data = path.read_bytes()
    list_offset = struct.unpack_from("<Q", data, 0x18)[0]
    bitcode_offset = struct.unpack_from("<Q", data, 0x48)[0]
    (count,) = struct.unpack_from("<I", data, list_offset)
    position = list_offset + 4
    functions = {}
    for _ in range(count):
        end = position + struct.unpack_from("<I", data, position)[0]
        position += 4
        tags = {}
        while (tag := data[position : position + 4]) != b"ENDT":
            (size,) = struct.unpack_from("<H", data, position + 4)
            tags[tag] = data[position + 6 : position + 6 + size]
            position += 6 + size
        offset = bitcode_offset + struct.unpack_from("<QQQ", tags[b"OFFT"])[2]
        functions[tags[b"NAME"].rstrip(b"\0").decode()] = (
            offset,
            struct.unpack("<Q", tags[b"MDSZ"])[0],
        )
        position = end
    return functions


OPERAND = re.compile(r'\s*(?:!"((?:[^"\\]|\\.)*)"|!(\d+)|i\d+ (-?\d+|true|false)|([^,]+))')


class Metadata:
    """The metadata nodes of a module's text. Operands are str, int, a node's list, or a Value."""

    class Value(str):
        """An operand that is a function or variable."""

    def __init__(self, text: str) -> None:
        self.lines = dict(re.findall(r"^!([\w.]+) = (?:distinct )?!\{(.*)\}$", text, re.M))
        self.text = text

    def node(self, name: str) -> list:
        operands = []
        for text, node, number, value in OPERAND.findall(self.lines.get(name, "")):
            if node:
                operands.append(self.node(node))
            elif number:
                operands.append(
                    {"true": 1, "false": 0}.get(number) if number.isalpha() else int(number)
                )
            elif value:
                operands.append(self.Value(value.strip()))
            else:
                operands.append(text)
        return operands


def struct_members(operands: list) -> list[dict]:
    members = []
    position = 0
    nested = []
    while position < len(operands):
        if operands[position] == "air.struct_type_info":
            nested = struct_members(operands[position + 1])
            position += 2
            continue
        offset, size, length, type_name, name = operands[position : position + 5]
        members.append(
            {
                "name": name,
                "typeName": type_name,
                "offset": offset,
                "size": size,
                "arrayLength": length,
                "members": nested,
            }
        )
        nested = []
        position += 5
    return members


KINDS = {
    "air.buffer": "buffer",
    "air.indirect_buffer": "indirect_buffer",
    "air.texture": "texture",
    "air.sampler": "sampler",
}
ACCESSES = {"air.read": "read", "air.write": "write", "air.read_write": "read_write"}
FIELDS = {
    "air.address_space": "addressSpace",
    "air.buffer_size": "bufferSize",
    "air.arg_type_size": "typeSize",
    "air.arg_type_align_size": "typeAlign",
    "air.arg_type_name": "typeName",
    "air.arg_name": "name",
}


def argument(operands: list) -> dict:
    result = {
        "parameter": operands[0],
        "kind": None,
        "builtIn": "",
        "name": "",
        "typeName": "",
        "location": -1,
        "arrayLength": 1,
        "access": "read",
        "addressSpace": 0,
        "bufferSize": 0,
        "typeSize": 0,
        "typeAlign": 0,
        "unused": False,
        "constantName": "",
        "active": True,
        "members": [],
    }
    rest = iter(operands[1:])
    for tag in rest:
        if tag == "air.location_index":
            result["location"] = next(rest)
            result["arrayLength"] = next(rest)
        elif tag in FIELDS:
            result[FIELDS[tag]] = next(rest)
        elif tag == "air.struct_type_info":
            result["members"] = struct_members(next(rest))
        elif tag == "air.function_constant":
            result["constantName"] = next(rest)[2]
        elif tag == "air.arg_unused":
            result["unused"] = True
        elif tag in ACCESSES:
            result["access"] = ACCESSES[tag]
        elif result["kind"] is None:
            result["kind"] = KINDS.get(tag, "built_in")
            if result["kind"] == "built_in":
                result["builtIn"] = tag.removeprefix("air.")
        else:
            raise ValueError(f"unexpected operand {tag!r}")
    if result["kind"] == "buffer" and result["addressSpace"] == 3:
        result["kind"] = "threadgroup"
    return result


SIZES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8}


def threadgroup_bytes(text: str) -> int | None:
    """Total of the threadgroup variables where all are plain arrays of plain types."""
    total = 0
    for declaration in re.findall(r"^@.* addrspace\(3\) global (.*)$", text, re.M):
        match = re.match(r"((?:\[\d+ x )*)(\w+)\]* .*align (\d+)$", declaration)
        if not match or match[2] not in SIZES:
            return None
        size = SIZES[match[2]]
        for count in re.findall(r"\d+", match[1]):
            size *= int(count)
        align = int(match[3])
        total = (total + align - 1) // align * align + size
    return total


def description(text: str) -> dict:
    metadata = Metadata(text)
    (kernel,) = metadata.node("air.kernel")
    name = re.fullmatch(r'ptr @"?([^"]*)"?', kernel[0])[1]
    limits = {node[0]: node[1:] for node in kernel[3:]}
    options = {node[0] for node in metadata.node("air.compile_options")}
    constants = [
        {"name": node[2], "typeName": node[1], "index": node[3], "required": bool(node[4])}
        for node in metadata.node("air.function_constants")
    ]
    language = metadata.node("air.language_version")[0]
    return {
        "name": name,
        "arguments": [argument(node) for node in kernel[2]],
        "constants": constants,
        "maxTotalThreads": limits.get("air.max_work_group_size", [1024])[0],
        "requiredThreads": limits.get("air.required_threads_per_threadgroup", [0, 0, 0]),
        "staticThreadgroupBytes": threadgroup_bytes(text),
        "fastMath": "air.compile.fast_math_enable" in options,
        "flushDenormals": "air.compile.denorms_disable" in options,
        "hasDebugInfo": bool(metadata.node("llvm.dbg.cu")),
        "languageVersion": ".".join(map(str, language[1:])),
        "airVersion": ".".join(map(str, metadata.node("air.version")[0])),
        "sourceFile": (metadata.node("air.source_file_name") or [[""]])[0][0],
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("metalloid_opt")
    parser.add_argument("llvm_dis")
    parser.add_argument("--every", type=int, default=1, help="check each N-th kernel")
    options = parser.parse_args()
    root = Path(__file__).parents[2]
    path = Path(os.environ.get("METALLOID_FETCHED", root / ".cache/fetched")) / "mlx.metallib"
    if not path.exists():
        print(f"SKIPPED: no {path}; run tools/fetch.py or set METALLOID_FETCHED")
        return SKIPPED

    command = [options.metalloid_opt, path, "--stage=describe", f"--every={options.every}"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    ours = {kernel["name"]: kernel for kernel in map(json.loads, lines)}

    functions = read_archive(path)
    names = list(functions)[:: options.every]
    failures = []
    skipped_bytes = 0

    def theirs(name: str) -> dict:
        offset, size = functions[name]
        with path.open("rb") as archive, tempfile.NamedTemporaryFile(suffix=".bc") as bitcode:
            archive.seek(offset)
            bitcode.write(archive.read(size))
            bitcode.flush()
            command = [options.llvm_dis, bitcode.name, "-o", "-"]
            return description(
                subprocess.run(command, check=True, capture_output=True, text=True).stdout
            )

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, expected in zip(names, pool.map(theirs, names), strict=True):
            if expected["staticThreadgroupBytes"] is None:
                del expected["staticThreadgroupBytes"]
                skipped_bytes += 1
            found = ours.get(name, {})
            for field, value in expected.items():
                if found.get(field) != value:
                    failures.append(f"{name}: {field}: {found.get(field)} is not {value}")
    for failure in failures[:20]:
        print(failure)
    print(
        f"{len(names)} kernels compared, {len(failures)} fields differ"
        f" (threadgroup memory of structs not compared in {skipped_bytes})"
    )
    if len(ours) != len(names):
        print(f"{len(ours)} kernels described, not {len(names)}")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
