# SPDX-License-Identifier: Apache-2.0
from typing import Any

class CompileFailed(RuntimeError): ...

class Buffer:
    length: int
    data_ptr: int
    mtl_ptr: int
    storage: int
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Device:
    name: str
    mtl_ptr: int
    max_threads_per_threadgroup: int
    max_threadgroup_memory: int
    def __init__(self, index: int) -> None: ...
    def buffer(self, length: int, storage: int) -> Buffer: ...
    def wrap(self, address: int, length: int, owner: object) -> Buffer: ...
    def queue(self) -> Queue: ...
    def compile(
        self,
        source: str,
        math: int,
        version: int,
        macros: list[tuple[str, str]],
        folders: list[str],
    ) -> Library: ...
    def load(self, path: str) -> Library: ...

class Argument:
    parameter: int
    kind: str
    built_in: str
    name: str
    type_name: str
    location: int
    access: str
    address_space: int
    buffer_size: int
    type_size: int
    used: bool
    active: bool
    components: int

class FunctionConstant:
    name: str
    type_name: str
    index: int
    required: bool

class Reflection:
    name: str
    arguments: list[Argument]
    constants: list[FunctionConstant]
    max_total_threads: int
    static_threadgroup_bytes: int
    fast_math: bool
    language_version: str
    air_version: str

class Pipeline:
    reflection: Reflection
    max_threads: int
    execution_width: int
    static_threadgroup_bytes: int

class Library:
    names: list[str]
    def reflection(self, name: str) -> Reflection: ...
    def pipeline(self, name: str, constants: list[tuple[Any, Any]]) -> Pipeline: ...
    def emit(
        self,
        name: str,
        stage: str,
        threads: tuple[int, int, int],
        constants: list[tuple[Any, Any]],
    ) -> str: ...

class Queue:
    def run(
        self,
        pipeline: Pipeline,
        buffers: list[Any],
        threadgroup_lengths: list[int],
        threads: tuple[int, int, int],
        threadgroup: tuple[int, int, int],
        wait: bool,
    ) -> tuple[float, float]: ...
    def copy(
        self,
        source: Buffer,
        source_offset: int,
        destination: Buffer,
        destination_offset: int,
        size: int,
        wait: bool,
    ) -> None: ...

def device_names() -> list[str]: ...
def environment() -> list[tuple[str, str]]: ...
def cache_info() -> tuple[str, int, int, int]: ...
def clear_cache() -> int: ...
def try_compile(library: Library, name: str, threads: int) -> tuple[bool, str]: ...
def write_archive(kernels: list[tuple[Library, str]]) -> bytes: ...
