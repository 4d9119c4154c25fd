# SPDX-License-Identifier: Apache-2.0
"""What the library's functions give when they run, in the interpreter: expressions beside results
worked out with NumPy and Python's math module.

    results_test.py METALLOID_MSL LLVM_AS METALLOID_INTERP
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interp"))
from interpreter import run

A, B, C = [np.array(v, np.float64) for v in ([1, 2, 4], [5, -3, 2], [0.25, 0.5, 0.75])]
NORMAL = np.array([0.6, 0.8, 0.0])


def refracted(incident: np.ndarray, normal: np.ndarray, eta: float) -> np.ndarray:
    cosine = incident @ normal
    k = 1 - eta * eta * (1 - cosine * cosine)
    return np.zeros(3) if k < 0 else eta * incident - (eta * cosine + math.sqrt(k)) * normal


# An expression of a, b, c (float3 as above), n (NORMAL), x = 2.5, y = -0.75, i = 12, j = 5 (int)
# and u = 0xf0f0f0f1 (uint), and its value: a number or a list of up to four.
EXPRESSIONS: list[tuple[str, object]] = [
    # the order of arguments
    ("mix(a, b, 0.25)", A + (B - A) * 0.25),
    ("mix(a, b, c)", A + (B - A) * C),
    ("step(x, a)", [0, 0, 1]),
    ("smoothstep(1.0f, 4.0f, x)", 0.5),
    ("clamp(b, -1.0f, 3.0f)", [3, -1, 2]),
    ("clamp(i, 0, 10)", 10),
    ("select(a, b, a < b)", [5, 2, 4]),
    ("fma(a, b, c)", A * B + C),
    ("atan2(y, x)", math.atan2(-0.75, 2.5)),
    ("pow(a, x)", A**2.5),
    ("powr(x, a)", 2.5**A),
    ("fmod(b, x)", np.fmod(B, 2.5)),
    ("divide(x, y)", 2.5 / -0.75),
    ("fdim(b, a)", [4, 0, 0]),
    ("copysign(a, b)", [1, -2, 4]),
    ("ldexp(y, 3)", -6),
    ("ldexp(a, int3(1, -1, 2))", [2, 1, 16]),
    ("max(a, b) - min(a, b)", abs(A - B)),
    ("max(b, 0.0f)", [5, 0, 2]),
    ("max3(i, j, 7) * 100 + median3(i, j, 7) * 10 + min3(i, j, 7)", 1275),
    ("fmedian3(x, y, 1.0f)", 1),
    ("float3(nextafter(1.0f, x) > 1, nextafter(1.0f, y) < 1, nextafter(x, x) == x)", [1, 1, 1]),
    # what is exact
    ("fract(b * 0.3f)", np.modf(np.float32(B) * np.float32(0.3) + 10)[0]),
    ("sign(float4(b, 0))", [1, -1, 1, 0]),
    ("saturate(a - x)", [0, 0, 1]),
    ("round(float4(2.5f, -2.5f, 0.4f, -1.6f))", [3, -3, 0, -2]),
    ("rint(float4(2.5f, -2.5f, 3.5f, -1.6f))", [2, -2, 4, -2]),
    ("trunc(float2(2.7f, y))", [2, 0]),
    ("floor(y) * 10 + ceil(x)", -7),
    ("abs(int3(-3, i, -j))", [3, 12, 5]),
    ("half3(b) * 2.0h + half3(a)", 2 * B + A),
    # two results
    ("two(frexp(x, k), k)", [0.625, 2]),
    ("two(modf(y, r), r)", [-0.75, 0]),
    ("two(modf(x, r), r)", [0.5, 2]),
    ("two(sincos(x, r), r)", [math.sin(2.5), math.cos(2.5)]),
    ("ilogb(x)", 1),
    # precise and fast forms
    ("precise::exp(a) / fast::exp(a)", [1, 1, 1]),
    ("metal::sinpi(0.5f) + cospi(1.0f)", 0),
    ("exp10(float2(2, -1))", [100, 0.1]),
    ("__metal_exp(x, true) - __metal_exp(x, false)", 0),
    # geometry
    ("dot(a, b)", A @ B),
    ("cross(a, b)", np.cross(A, B)),
    ("length(b)", math.sqrt(B @ B)),
    ("distance(a, b)", math.sqrt((A - B) @ (A - B))),
    ("normalize(a)", A / math.sqrt(A @ A)),
    ("reflect(a, n)", A - 2 * (NORMAL @ A) * NORMAL),
    ("refract(-n, n, 0.7f)", refracted(-NORMAL, NORMAL, 0.7)),
    ("refract(float3(0.8f, -0.6f, 0), n, 1.5f)", [0, 0, 0]),
    ("refract(float3(0, -1, 0), n, 0.7f)", refracted(np.array([0, -1.0, 0]), NORMAL, 0.7)),
    ("faceforward(n, a, b)", -NORMAL if B @ A >= 0 else NORMAL),
    ("dot(half4(1, 2, 3, 4), half4(1, 10, 100, 1))", 325),
    ("dot(packed_float3(a), b)", A @ B),
    # integers
    ("popcount(u) * 100 + clz(u >> 4) * 10 + ctz(u << 3)", 1743),
    ("clz(ushort(1)) * 100 + ctz(0)", 1532),
    ("mulhi(u, u) >> 16", (0xF0F0F0F1**2 >> 32) >> 16),
    ("mulhi(-i, j) * 10 + mulhi(int(0x40000000), 8)", -8),
    ("rotate(u, 4u) >> 20", 0x0F0),
    ("reverse_bits(uchar(0x13))", 0xC8),
    ("extract_bits(u, 4, 8)", 0x0F),
    ("extract_bits(int(u), 4, 4)", -1),
    ("insert_bits(0u, 0xffu, 4, 4)", 0xF0),
    ("absdiff(-i, j)", 17),
    ("addsat(uchar(200), uchar(100)) * 1000 + subsat(uchar(1), uchar(2))", 255000),
    ("addsat(char(100), char(100)) - subsat(char(-100), char(100))", 255),
    ("hadd(i, j) * 10 + rhadd(i, j)", 89),
    ("madhi(u, u, 1u) - mulhi(u, u)", 1),
    ("madsat(i, j, 2)", 62),
    ("mad24(i, j, 2) + mul24(-i, j)", 2),
    # bits
    ("as_type<float2>(as_type<ulong>(a.xy))", [1, 2]),
    ("float4(as_type<uchar4>(0x04030201u))", [1, 2, 3, 4]),
    ("pack_float_to_unorm4x8(float4(0, 1, 0, 1)) == 0xff00ff00u", 1),
    ("pack_float_to_snorm2x16(float2(1, -1)) == 0x80017fffu", 1),
    ("unpack_unorm4x8_to_float(0xff000080u)", [128 / 255, 0, 0, 1]),
    ("float2(unpack_snorm2x16_to_half(0x80017fffu))", [1, -1]),
    # bfloat, matrices, arrays
    ("float(bfloat(x) * bfloat(3) + 1)", 8.5),
    ("float3x3(a, b, c) * float3(1, 10, 100)", A + 10 * B + 100 * C),
    ("a * float3x3(a, b, c)", [A @ A, A @ B, A @ C]),
    ("determinant(float3x3(a, b, c))", np.linalg.det(np.array([A, B, C]))),
    ("array<float3, 2>{a, b}[1]", B),
    ("bfloat4(1, 2, 3, 4).wzyx", [4, 3, 2, 1]),
]


def source() -> str:
    rows = "\n".join(
        f"  put(out + {4 * number}, {expression});"
        for number, (expression, _) in enumerate(EXPRESSIONS)
    )
    return f"""#include <metal_stdlib>
using namespace metal;
template <typename T> void put(device float* out, T x) {{ *out = float(x); }}
template <typename T, int N> void put(device float* out, vec<T, N> v) {{
  for (int i = 0; i < N; ++i)
    out[i] = float(v[i]);
}}
// The second by reference: it is read after the first has been called.
float2 two(float first, thread const float& second) {{ return float2(first, second); }}
float2 two(float first, thread const int& second) {{ return float2(first, second); }}
kernel void results(device float* out, constant float3* in) {{
  float3 a = in[0], b = in[1], c = in[2], n = in[3];
  float x = 2.5, y = -0.75, r = 0;
  int i = 12, j = 5, k = 0;
  uint u = 0xf0f0f0f1;
{rows}
}}

// The matrix whose element in row r and column c of memory is 8 r + c, times its transpose, and
// what a thread holds of it.
kernel void product(device float* m, device float* held, uint lane [[thread_index_in_simdgroup]]) {{
  simdgroup_float8x8 a, t, sum = make_filled_simdgroup_matrix<float, 8>(1.0f);
  simdgroup_load(a, m);
  simdgroup_load(t, m, 8, 0, true);
  held[2 * lane] = a.thread_elements()[0];
  held[2 * lane + 1] = a.thread_elements().y;
  simdgroup_multiply_accumulate(sum, a, t, sum);
  simdgroup_store(sum, m + 64);
  simdgroup_store(a * simdgroup_float8x8(2.0f), m + 128, 8, 0, true);
}}

kernel void counts(device atomic_uint* sums, device atomic_float* total, device uint* seen,
                   threadgroup atomic_int* shared, uint i [[thread_position_in_grid]]) {{
  if (i == 0)
    atomic_store_explicit(shared, 100, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&sums[0], i, memory_order_relaxed);
  atomic_fetch_max_explicit(&sums[1], i * 3, memory_order_relaxed);
  atomic_fetch_sub_explicit(shared, 1, memory_order_relaxed);
  float expected = 0;
  while (!atomic_compare_exchange_weak_explicit(total, &expected, expected + 0.5f,
                                                memory_order_relaxed, memory_order_relaxed))
    ;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  seen[i] = atomic_load_explicit(shared, memory_order_relaxed);
}}
"""


def check_expressions(run_kernel) -> int:
    inputs = np.zeros((4, 4), np.float32)
    inputs[:, :3] = [A, B, C, NORMAL]
    out = np.zeros((len(EXPRESSIONS), 4), np.float32)
    run_kernel("results", {0: out, 1: inputs}, 1)
    wrong = 0
    for (expression, value), got in zip(EXPRESSIONS, out, strict=True):
        expected = np.atleast_1d(np.asarray(value, np.float64))
        if not np.allclose(got[: expected.size], expected, rtol=1e-5, atol=1e-6):
            print(f"{expression} = {got[: expected.size]}, should be {expected}")
            wrong += 1
    print(f"{len(EXPRESSIONS) - wrong} of {len(EXPRESSIONS)} expressions")
    return wrong


def check_product(run_kernel) -> int:
    m = np.zeros(192, np.float32)
    m[:64] = np.arange(64)
    held = np.zeros(64, np.float32)
    a = np.arange(64, dtype=np.float64).reshape(8, 8)
    run_kernel("product", {0: m, 1: held}, 32)
    np.testing.assert_array_equal(m[64:128].reshape(8, 8), a @ a.T + 1)
    np.testing.assert_array_equal(m[128:].reshape(8, 8), 2 * a.T)
    np.testing.assert_array_equal(np.sort(held), np.arange(64), "each element in one thread")
    return 0


def check_counts(run_kernel) -> int:
    sums, total, seen = np.zeros(2, np.uint32), np.zeros(1, np.float32), np.zeros(64, np.uint32)
    run_kernel("counts", {0: sums, 1: total, 2: seen}, 64)
    assert list(sums) == [64 * 63 // 2, 63 * 3] and total[0] == 32, (sums, total)
    np.testing.assert_array_equal(seen, 36)
    return 0


def main(compiler: str, assembler: str, interpreter: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        text, module = Path(folder) / "results.metal", Path(folder) / "results.bc"
        text.write_text(source())
        air = subprocess.run([compiler, "-math=safe", str(text)], capture_output=True, text=True)
        if air.returncode:
            print(air.stderr)
            return 1
        subprocess.run([assembler, "-o", str(module)], input=air.stdout, text=True, check=True)

        def run_kernel(name: str, buffers: dict[int, np.ndarray], threads: int) -> None:
            memory = [{"index": 0, "length": 16}] if name == "counts" else []
            size = (threads, 1, 1)
            run(interpreter, str(module), name, buffers, size, size, threadgroupLengths=memory)

        checks = (check_expressions, check_product, check_counts)
        return 1 if sum(check(run_kernel) for check in checks) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
