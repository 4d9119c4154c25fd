# SPDX-License-Identifier: Apache-2.0
"""The air library as machine code, called from NumPy.

For every function of the bitcode a loop over arrays is written in LLVM IR beside it, so that no C
calling convention comes in between; `llc` makes the whole a shared object for this machine.
"""

import ctypes
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# LLVM's scalar types and the NumPy types of their bits; bfloat is kept as its bits, bool as a byte.
NUMPY_TYPES = {
    "float": np.dtype(np.float32),
    "half": np.dtype(np.float16),
    "bfloat": np.dtype(np.uint16),
    "i1": np.dtype(np.uint8),
    "i8": np.dtype(np.uint8),
    "i16": np.dtype(np.uint16),
    "i32": np.dtype(np.uint32),
    "i64": np.dtype(np.uint64),
    "ptr": np.dtype(np.void),
}
DEFINE = re.compile(
    r"^define (?:\w+ )*?(?P<result>[^@]+) @(?P<name>air\.[\w.]+)\((?P<parameters>.*)\)"
)
FLUSH, KEEP = 0x9FC0, 0x1F80  # MXCSR with and without flush-to-zero and denormals-are-zero.


@dataclass(frozen=True)
class Type:
    """An LLVM type: a scalar, or a vector of `width` of them."""

    scalar: str
    width: int

    @staticmethod
    def parse(text):
        vector = re.match(r"<(\d+) x (\w+)>", text.strip())
        if vector:
            return Type(vector[2], int(vector[1]))
        return Type(text.split()[0], 1)

    def spelled(self, scalar=None):
        scalar = scalar or self.scalar
        return scalar if self.width == 1 else f"<{self.width} x {scalar}>"

    @property
    def stride(self):
        """Elements from one vector to the next in memory."""
        return {1: 1, 2: 2, 3: 4, 4: 4}[self.width]

    @property
    def numpy(self):
        return NUMPY_TYPES[self.scalar]


@dataclass(frozen=True)
class Function:
    name: str
    result: Type
    parameters: tuple[Type, ...]

    @property
    def second_result(self):
        """The type stored through the pointer of frexp, modf and sincos, or None."""
        if self.parameters and self.parameters[-1].scalar == "ptr":
            is_exponent = "frexp" in self.name
            return Type("i32" if is_exponent else self.result.scalar, self.result.width)
        return None


def parse_functions(llvm_text):
    functions = {}
    for line in llvm_text.splitlines():
        if match := DEFINE.match(line):
            split = re.split(r",(?![^<]*>)", match["parameters"])
            parameters = tuple(Type.parse(part) for part in split if part.strip())
            function = Function(match["name"], Type.parse(match["result"]), parameters)
            functions[function.name] = function
    return functions


def loop_text(function):
    """A loop: `loop.NAME(n, result, [second result,] arguments…)`, all but n pointers to arrays."""
    second = function.second_result
    inputs = [p for p in function.parameters if p.scalar != "ptr"]
    pointers = ["ptr %out"] + (["ptr %second"] if second else [])
    pointers += [f"ptr %in{i}" for i in range(len(inputs))]
    body = []
    for i, parameter in enumerate(inputs):
        is_bool = parameter.scalar == "i1"
        memory = parameter.spelled("i8" if is_bool else None)
        body.append(f"%p{i} = getelementptr {memory}, ptr %in{i}, i64 %i")
        body.append(f"%{'b' if is_bool else 'a'}{i} = load {memory}, ptr %p{i}, align 1")
        if is_bool:
            body.append(f"%a{i} = trunc {memory} %b{i} to {parameter.spelled()}")
    arguments = [f"{p.spelled()} %a{i}" for i, p in enumerate(inputs)]
    if second:
        body.append(f"%q = getelementptr {second.spelled()}, ptr %second, i64 %i")
        arguments.append("ptr %q")
    result = function.result
    call = f"call {result.spelled()} @{function.name}({', '.join(arguments)})"
    memory, value = result.spelled(), "%r"
    body.append(f"%r = {call}")
    if result.scalar == "i1":
        memory, value = result.spelled("i8"), "%w"
        body.append(f"%w = zext {result.spelled()} %r to {memory}")
    body.append(f"%o = getelementptr {memory}, ptr %out, i64 %i")
    body.append(f"store {memory} {value}, ptr %o, align 1")
    declared = ", ".join(p.spelled() for p in function.parameters)
    lines = "\n  ".join(body)
    return f"""
declare {result.spelled()} @{function.name}({declared})
define void @loop.{function.name}(i64 %n, {", ".join(pointers)}) {{
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  {lines}
  %next = add i64 %i, 1
  br label %test
exit:
  ret void
}}
"""


# What llc calls to round to bfloat, and how to set the rounding and denormal mode.
SUPPORT = """
define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %upper = lshr i32 %bits, 16
  %odd = and i32 %upper, 1
  %bias = add i32 %odd, 32767
  %rounded = add i32 %bits, %bias
  %shifted = lshr i32 %rounded, 16
  %isnan = fcmp uno float %x, 0.0
  %quiet = or i32 %upper, 64
  %chosen = select i1 %isnan, i32 %quiet, i32 %shifted
  %short = trunc i32 %chosen to i16
  %result = bitcast i16 %short to bfloat
  ret bfloat %result
}
declare void @llvm.x86.sse.ldmxcsr(ptr)
define void @set_control(ptr %word) {
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  ret void
}
"""


class Library:
    """All functions of the bitcode at `path`; machine code is made in `folder` where stale."""

    def __init__(self, path, llvm_bin, folder):
        path, folder, llvm_bin = Path(path), Path(folder), Path(llvm_bin)
        folder.mkdir(parents=True, exist_ok=True)

        def tool(name, *arguments):
            command = [str(llvm_bin / name), *map(str, arguments)]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout

        self.functions = parse_functions(tool("llvm-dis", path, "-o", "-"))
        shared = folder / "air_functions.so"
        sources = [path, Path(__file__)]
        if not shared.exists() or shared.stat().st_mtime < max(s.stat().st_mtime for s in sources):
            loops = folder / "loops.ll"
            loops.write_text("".join(map(loop_text, self.functions.values())) + SUPPORT)
            tool("llvm-link", path, loops, "-o", folder / "linked.bc")
            options = ["-mtriple=x86_64-linux-gnu", "-mcpu=x86-64-v3", "-relocation-model=pic"]
            object_file = folder / "linked.o"
            tool("llc", "-O1", *options, "-filetype=obj", folder / "linked.bc", "-o", object_file)
            tool("clang", "-shared", object_file, "-o", shared, "-lm")
        self.code = ctypes.CDLL(str(shared))

    def call(self, name, *arguments, flush=False):
        """`name` of arrays, one row an element; vectors have `width` columns. With `flush`, under
        flush-to-zero. Gives the result, or for functions with two a pair."""
        function = self.functions[name]
        inputs = [p for p in function.parameters if p.scalar != "ptr"]
        assert len(inputs) == len(arguments), f"{name} takes {len(inputs)} arguments"
        count = max((len(a) for a in arguments), default=1)
        rows = [into_rows(a, t) for a, t in zip(arguments, inputs, strict=True)]
        outputs = [np.zeros((count, function.result.stride), function.result.numpy)]
        if second := function.second_result:
            outputs.append(np.zeros((count, second.stride), second.numpy))
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in outputs + rows]
        if flush:
            self.set_control(FLUSH)
        self.code[f"loop.{name}"](ctypes.c_int64(count), *pointers)
        if flush:
            self.set_control(KEEP)
        types = [function.result] + ([second] if second else [])
        results = [
            o[:, 0] if t.width == 1 else o[:, : t.width]
            for o, t in zip(outputs, types, strict=True)
        ]
        return results[0] if len(results) == 1 else tuple(results)

    def set_control(self, word):
        self.code.set_control(ctypes.byref(ctypes.c_uint32(word)))


def into_rows(array, type_):
    array = np.asarray(array)
    rows = np.zeros((len(array), type_.stride), type_.numpy)
    rows[:, : type_.width] = array.reshape(len(array), type_.width).view(type_.numpy)
    return rows
