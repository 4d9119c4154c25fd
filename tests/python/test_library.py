# SPDX-License-Identifier: Apache-2.0
"""compile(), Library and Kernel: right results on NumPy arrays, and errors that say what to do."""

from __future__ import annotations

import metalloid
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void axpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 constant float& a [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] += a * x[i];
}

kernel void transpose(device const int* x, device int* out, constant uint& rows,
                      uint2 p [[thread_position_in_grid]], uint2 size [[threads_per_grid]]) {
  out[p.y * size.x + p.x] = x[p.x * rows + p.y];
}

kernel void bytes(device const uchar* x, device ulong* out, constant uchar& add,
                  uint i [[thread_position_in_grid]]) {
  out[i] = ulong(x[i]) + add;
}

struct Range { float low; int steps; };
kernel void ramp(device float* out, constant Range& range, uint i [[thread_position_in_grid]]) {
  out[i] = range.low + float(i % uint(range.steps));
}

kernel void sums(device const float* x, device float* out, threadgroup float* shared,
                 uint i [[thread_position_in_grid]], uint local [[thread_index_in_threadgroup]],
                 uint group [[threadgroup_position_in_grid]]) {
  shared[local] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (local == 0) {
    float sum = 0;
    for (uint k = 0; k < 64; ++k)
      sum += shared[k];
    out[group] = sum;
  }
}

constant int added [[function_constant(3)]];
constant bool doubled [[function_constant(4)]];
kernel void biased(device const int* x, device int* out, uint i [[thread_position_in_grid]]) {
  out[i] = (doubled ? 2 * x[i] : x[i]) + added;
}

kernel void halves(device const half* x, device half* out, uint i [[thread_position_in_grid]]) {
  out[i] = x[i] * 2.0h;
}
"""


@pytest.fixture(scope="module")
def lib():
    return metalloid.compile(SOURCE)


def test_arrays_are_used_in_place_by_position_and_by_name(lib):
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    lib.axpy(x, y, a=2)
    np.testing.assert_array_equal(y, 2 * x + 1)
    lib["axpy"](x=x, a=-2.0, y=y)
    np.testing.assert_array_equal(y, np.ones(1000))


@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 255, 256, 257, 1023, 4097])
def test_every_size_of_a_grid(lib, size):
    x, y = np.arange(size + 1, dtype=np.float32), np.zeros(size + 1, np.float32)
    lib.axpy(x, y, a=1.0, grid=size)
    np.testing.assert_array_equal(y[:size], x[:size])
    assert y[size] == 0, "a thread outside the grid ran"


def test_grid_of_two_axes_follows_the_written_array(lib):
    x = np.arange(35 * 21, dtype=np.int32).reshape(35, 21)
    out = np.zeros((21, 35), np.int32)
    lib.transpose(x.reshape(-1), out, rows=21)
    np.testing.assert_array_equal(out, x.T)


def test_grid_zero_does_nothing(lib):
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    lib.axpy(x, y, a=1.0, grid=0)
    assert not y.any()


def test_struct_arguments_take_structured_values(lib):
    out = np.zeros(10, np.float32)
    value = np.array((0.5, 4), dtype=[("low", "<f4"), ("steps", "<i4")])
    lib.ramp(out, value)
    np.testing.assert_array_equal(out, 0.5 + np.arange(10) % 4)


def test_threadgroup_memory_argument(lib):
    x, out = np.arange(256, dtype=np.float32), np.zeros(4, np.float32)
    lib.sums(x, out, grid=256, threadgroup=64, threadgroup_memory={0: 64 * 4})
    np.testing.assert_array_equal(out, x.reshape(4, 64).sum(1))


def test_function_constants_by_name_and_index(lib):
    x, out = np.arange(5, dtype=np.int32), np.zeros(5, np.int32)
    lib.biased(x, out, constants={"added": 7, "doubled": True})
    np.testing.assert_array_equal(out, 2 * x + 7)
    lib.biased(x, out, constants={3: -1, 4: False})
    np.testing.assert_array_equal(out, x - 1)


def test_missing_function_constant_is_named(lib):
    with pytest.raises(RuntimeError, match="added"):
        lib.biased(np.zeros(4, np.int32), np.zeros(4, np.int32))
    with pytest.raises((RuntimeError, ValueError), match="nosuch"):
        lib.biased(np.zeros(4, np.int32), np.zeros(4, np.int32), constants={"nosuch": 1})


def test_half_arrays(lib):
    x, out = np.arange(50, dtype=np.float16), np.zeros(50, np.float16)
    lib.halves(x, out)
    np.testing.assert_array_equal(out, 2 * x)


def test_buffers_mix_with_arrays(lib):
    device = metalloid.Device()
    y = device.buffer(np.ones(8, np.float32))
    lib.axpy(np.arange(8, dtype=np.float32), y, a=1.0, grid=8)
    np.testing.assert_array_equal(y.contents, np.arange(8) + 1)


@pytest.mark.parametrize(
    "call,words",
    [
        (lambda k, x, y: k(x, y), "'a' is missing"),
        (lambda k, x, y: k(x, y, 1.0, 2.0), "takes 3 arguments, got 4"),
        (lambda k, x, y: k(x, y, a=1.0, b=2.0), "no argument 'b'"),
        (lambda k, x, y: k(x.astype(np.float64), y, a=1.0), r"\.astype\(np\.float32\)"),
        (lambda k, x, y: k(x[::2], y, a=1.0), "ascontiguousarray"),
        (lambda k, x, y: k(x.astype(">f4"), y, a=1.0), "byte-swapped"),
        (lambda k, x, y: k(3.0, y, a=1.0), "pass an array"),
        (lambda k, x, y: k(x, y, a="two"), "needs a number"),
        (lambda k, x, y: k(x, y, a=1e300), "does not fit float32"),
    ],
)
def test_wrong_arguments_say_what_to_do_and_mark_the_argument(lib, call, words):
    x, y = np.zeros(8, np.float32), np.zeros(8, np.float32)
    with pytest.raises(metalloid.ArgumentError, match=words) as caught:
        call(lib.axpy, x, y)
    assert "kernel void axpy(" in str(caught.value)


def test_read_only_arrays_are_fine_to_read_and_refused_to_write(lib):
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    x.flags.writeable = False
    lib.axpy(x, y, a=1.0)
    y.flags.writeable = False
    with pytest.raises(metalloid.ArgumentError, match="read-only"):
        lib.axpy(x, y, a=1.0)


@pytest.mark.parametrize("value", [-1, 256, 1.5])
def test_scalars_are_converted_after_a_range_check(lib, value):
    with pytest.raises(metalloid.ArgumentError, match="add"):
        lib.bytes(np.zeros(4, np.uint8), np.zeros(4, np.uint64), add=value)


def test_unknown_kernels_are_answered_with_near_names(lib):
    with pytest.raises(KeyError, match="axpy"):
        lib["axpi"]
    with pytest.raises(AttributeError, match="axpy"):
        _ = lib.axpi


def test_signature_and_arguments_are_the_source_s(lib):
    kernel = lib["axpy"]
    assert [(a.name, a.index, a.type, a.access) for a in kernel.args] == [
        ("x", 0, "float", "read"),
        ("y", 1, "float", "read_write"),
        ("a", 2, "float", "read"),
    ]
    assert "device const float* x [[buffer(0)]]" in kernel.signature


def test_compile_errors_carry_line_and_column():
    with pytest.raises(metalloid.CompileError) as caught:
        metalloid.compile(
            "#include <metal_stdlib>\nkernel void k(device float* x) {\n  y[0] = 1;\n}"
        )
    assert caught.value.lineno == 3
    assert caught.value.offset == 3
    assert "y" in caught.value.msg
    assert "^" in str(caught.value)


def test_defines_and_includes(tmp_path):
    (tmp_path / "scale.h").write_text("#define SCALE 3\n")
    source = """
#include <metal_stdlib>
#include "scale.h"
kernel void k(device int* x, uint i [[thread_position_in_grid]]) { x[i] = SCALE * N; }
"""
    lib = metalloid.compile(source, defines={"N": 5}, include=[tmp_path])
    x = np.zeros(3, np.int32)
    lib.k(x)
    assert x.tolist() == [15, 15, 15]


def test_files_that_are_no_archive_are_refused(tmp_path):
    (tmp_path / "noise.metallib").write_bytes(b"MTLB" + bytes(200))
    with pytest.raises(metalloid.CompileError, match="noise"):
        metalloid.load(tmp_path / "noise.metallib").names  # noqa: B018
    with pytest.raises(FileNotFoundError):
        metalloid.load(tmp_path / "missing.metallib")


def test_too_large_a_threadgroup_is_refused(lib):
    with pytest.raises(RuntimeError, match="2048"):
        lib.axpy(np.zeros(4, np.float32), np.zeros(4, np.float32), a=1.0, threadgroup=2048)


@settings(max_examples=40, deadline=None)
@given(
    hnp.arrays(np.float32, st.integers(1, 300), elements=st.floats(-100, 100, width=32)),
    st.floats(-8, 8, width=32),
)
def test_axpy_equals_numpy_on_any_array(x, a):
    lib = metalloid.compile(SOURCE)
    y = np.ones_like(x)
    lib.axpy(x, y, a=a)
    reference = (x.astype(np.float64) * np.float64(a) + 1).astype(np.float32)
    np.testing.assert_array_equal(y, reference)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 70), st.integers(1, 70), st.integers(1, 33), st.integers(1, 8))
def test_any_two_axis_grid_and_threadgroup(width, height, tx, ty):
    lib = metalloid.compile(SOURCE)
    x = np.arange(width * height, dtype=np.int32)
    out = np.zeros((width, height), np.int32)
    lib.transpose(x, out, rows=width, grid=(height, width), threadgroup=(tx, ty))
    np.testing.assert_array_equal(out, x.reshape(height, width).T)
