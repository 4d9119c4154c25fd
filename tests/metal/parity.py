# SPDX-License-Identifier: Apache-2.0
"""Compares our public headers with Apple's metal-cpp and writes docs/compatibility.md.

  parity.py --clang clang++-22 [--write]

Both sets of headers are parsed by Clang; classes, methods, default arguments, enum values and
constants are compared. It fails where ours contradict Apple's (another value, another base, another
signature), or where the table is not the one that is checked in. What ours lack is no failure: the
table says so. Apple's headers are taken from METALLOID_FETCHED; without them this is skipped.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FETCHED = Path(os.environ.get("METALLOID_FETCHED", ROOT / ".cache/fetched"))
APPLE = FETCHED / "mlx/include/metal_cpp"
TABLE = ROOT / "docs/compatibility.md"

# What ours add on purpose: closures for compilers without blocks.
ADDED = {
    "MTL::Device": {
        "newBuffer(const void *, UInteger, ResourceOptions, "
        "const function<void (void *, UInteger)> &) -> Buffer *"
    }
}
# Parts of Apple's API by the names of their classes, for the list of what is absent.
AREAS = {
    "Textures and samplers": r"Texture|Sampler|PixelFormat|SharedTextureHandle",
    "Rendering": r"Render|Vertex|Tile|Mesh|Depth|Stencil|Rasterization|Drawable|Parallel|Attribute|"
    r"StageInput|BufferLayout",
    "Ray tracing": r"AccelerationStructure|Intersection|MotionKeyframe",
    "Indirect command buffers and argument encoders": r"Indirect|ArgumentEncoder|"
    r"ArgumentDescriptor",
    "Function pointers, stitching, dynamic libraries": r"Visible|Stitch|FunctionHandle|"
    r"DynamicLibrary|FunctionReflection",
    "Counters, logs, captures": r"Counter|Log|Capture|SampleBuffer|EncoderInfo|Pass",
    "File input and output": r"IO",
    "Tensors": r"Tensor",
    "Residency, archives, views": r"Residency|BinaryArchive|View|ResourceState|"
    r"PipelineBuffer|Sparse",
    "Shared event listeners": r"Listener",
}


@dataclass
class Class:
    base: str = ""
    methods: set = field(default_factory=set)


@dataclass
class Api:
    classes: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)  # enumerators
    functions: set = field(default_factory=set)


def documents(text):
    decoder, position = json.JSONDecoder(), 0
    while (position := text.find("{", position)) >= 0:
        document, position = decoder.raw_decode(text, position)
        yield document


def plain(type_text):
    """A type without namespaces and elaborations, so that the same type reads the same."""
    type_text = re.sub(r"\b(class|struct|enum) ", "", type_text)
    type_text = re.sub(r"\b[A-Za-z_]\w*::", "", type_text)
    return type_text.replace("_Class", "T").replace("_Object", "T").replace("_KeyType", "T")


def signature(method):
    parameters, defaults = [], []
    for node in method.get("inner", []):
        if node["kind"] == "ParmVarDecl":
            parameters.append(plain(node["type"]["qualType"]))
            defaults.append("init" in node)
    written = [p + (" = …" if d else "") for p, d in zip(parameters, defaults, strict=True)]
    function_type = method["type"]["qualType"]
    result = plain(function_type[: function_type.index("(")].strip())
    const = " const" if re.search(r"\) const\b", function_type) else ""
    static = "static " if method.get("storageClass") == "static" else ""
    return f"{static}{method['name']}({', '.join(written)}){const} -> {result}"


def read_class(api, space, record):
    entry = api.classes.setdefault(f"{space}::{record['name']}", Class())
    bases = record.get("bases", [])
    entry.base = plain(bases[0]["type"]["qualType"]) if bases else ""
    access = "public" if record["tagUsed"] == "struct" else "private"
    for node in record.get("inner", []):
        if node["kind"] == "AccessSpecDecl":
            access = node["access"]
        elif access == "public" and not node.get("isImplicit"):
            if node["kind"] == "FunctionTemplateDecl":
                node = next((n for n in node["inner"] if n["kind"] == "CXXMethodDecl"), node)
            if node["kind"] == "CXXMethodDecl":
                entry.methods.add(signature(node))


def read_enum(api, space, enum):
    following = 0
    for node in enum.get("inner", []):
        if node["kind"] != "EnumConstantDecl":
            continue
        expressions = [n for n in node.get("inner", []) if "value" in n]
        value = int(expressions[0]["value"]) if expressions else following
        api.values[f"{space}::{node['name']}"] = value
        following = value + 1


def read_api(clang, *includes):
    api = Api()
    for space in ("NS", "MTL"):
        command = [
            clang,
            "-std=c++20",
            "-fsyntax-only",
            "-fblocks",
            "-w",
            *includes,
            "-xc++",
            "-",
            "-Xclang",
            "-ast-dump=json",
            "-Xclang",
            f"-ast-dump-filter={space}::",
        ]
        text = subprocess.run(
            command,
            input="#include <Metal/Metal.hpp>\n",
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for node in documents(text):
            if node["kind"] == "ClassTemplateDecl":
                node = next(n for n in node["inner"] if n["kind"] == "CXXRecordDecl")
            if node["kind"] == "CXXRecordDecl" and node.get("completeDefinition"):
                read_class(api, space, node)
            elif node["kind"] == "EnumDecl":
                read_enum(api, space, node)
            elif node["kind"] == "FunctionDecl":
                api.functions.add(f"{space}::{signature(node)}")
    return api


def is_private(name):
    return "Private" in name or name.split("::")[1].startswith("_")


def contradictions(apple, ours):
    for name, value in ours.values.items():
        if name not in apple.values:
            yield f"{name} is no enumerator of metal-cpp"
        elif apple.values[name] != value:
            yield f"{name} is {value}, in metal-cpp {apple.values[name]}"
    for name, entry in ours.classes.items():
        if is_private(name) or name not in apple.classes:
            if not is_private(name) and name != "NS::Root":
                yield f"{name} is no class of metal-cpp"
            continue
        theirs = apple.classes[name]
        if name == "NS::SharedPtr":
            continue  # Its templates are constrained in other words; tests compare what they do.
        if entry.base != theirs.base and name != "NS::Object":
            yield f"{name} derives from {entry.base}, in metal-cpp from {theirs.base}"
        for method in sorted(entry.methods - theirs.methods - ADDED.get(name, set())):
            yield f"{name}::{method} is no method of metal-cpp"


def area_of(name):
    return next((a for a, pattern in AREAS.items() if re.search(pattern, name)), "Others")


def table(apple, ours):
    shared = sorted(n for n in ours.classes if n in apple.classes and apple.classes[n].methods)
    present = sum(len(ours.classes[n].methods & apple.classes[n].methods) for n in shared)
    total = sum(len(apple.classes[n].methods) for n in shared)
    values = [v for v in ours.values if v in apple.values]
    lines = [
        "# Compatibility with metal-cpp",
        "",
        "<!-- Written by tests/metal/parity.py --write; a test compares it with the headers. -->",
        "",
        "Metalloid's headers (`include/Metal`, `include/Foundation`) have the names, signatures "
        "and",
        "values of Apple's metal-cpp, for compute. Clang reads both; this is the difference.",
        "",
        f"- {len(shared)} classes, with {present} of the {total} methods they have in metal-cpp;",
        f"- {len(values)} enumerators, all with metal-cpp's values;",
        "- nothing that contradicts metal-cpp. What is absent does not compile; what compiles but",
        "  asks for something that is not built gives an `NS::Error` that names it.",
        "",
        "Beyond metal-cpp: closures as `std::function` where metal-cpp takes a block alone",
        "(`MTL::Device::newBuffer`), and `<metalloid/Metalloid.hpp>`.",
        "",
        "## Classes",
        "",
        "| class | methods | absent |",
        "|---|--:|---|",
    ]
    for name in shared:
        theirs, mine = apple.classes[name].methods, ours.classes[name].methods
        absent = sorted({re.sub(r"\(.*", "", m.removeprefix("static ")) for m in theirs - mine})
        listed = ", ".join(f"`{m}`" for m in absent)
        lines.append(f"| {name} | {len(theirs & mine)} of {len(theirs)} | {listed} |")
    lines += ["", "## Absent classes", "", "| part of Metal | classes |", "|---|---|"]
    missing = {}
    for name in sorted(apple.classes):
        if name not in ours.classes and not is_private(name) and apple.classes[name].methods:
            missing.setdefault(area_of(name), []).append(name)
    for area, names in sorted(missing.items()):
        lines.append(f"| {area} | {', '.join(f'`{n}`' for n in names)} |")
    lines.append("| Metal 4 | all of namespace `MTL4` |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--write", action="store_true", help="write the table")
    arguments = parser.parse_args()
    if not APPLE.is_dir():
        print(f"SKIPPED: no {APPLE}; run tools/fetch.py or set METALLOID_FETCHED")
        return 0
    apple = read_api(arguments.clang, f"-isystem{ROOT / 'tests/metal/apple'}", f"-isystem{APPLE}")
    ours = read_api(arguments.clang, f"-isystem{ROOT / 'include'}")
    found = list(contradictions(apple, ours))
    print("\n".join(found))
    text = table(apple, ours)
    if arguments.write:
        TABLE.write_text(text)
    elif not TABLE.exists() or TABLE.read_text() != text:
        print(f"{TABLE} is not current: run tests/metal/parity.py --write")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
