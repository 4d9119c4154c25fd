# SPDX-License-Identifier: Apache-2.0
"""Sources that instantiate the kernels in MLX's headers: each a name, the headers below
mlx/backend/metal/kernels/, and template arguments, where {T} stands for every type of the list."""

from __future__ import annotations

from dataclasses import dataclass, field

FLOATS = ("float", "half", "bfloat16_t")
GEMM = ("steel/gemm/gemm.h",)
CONV = (*GEMM, "steel/conv/conv.h", "steel/conv/params.h", "steel/utils.h")
QUANTIZED = (*GEMM, "quantized_utils.h", "quantized.h")
REDUCE = ("atomic.h", "reduction/ops.h", "reduce_utils.h", "reduce.h")


@dataclass
class Source:
    name: str
    headers: tuple[str, ...]
    kernels: tuple[str, ...]  # "function, template arguments"
    types: tuple[str, ...] = FLOATS
    more: tuple[str, ...] = field(default=())  # instantiations without {T}

    def instantiations(self) -> list[str]:
        return [k.format(T=t) for t in self.types for k in self.kernels] + list(self.more)

    def text(self) -> str:
        headers = ("defines.h", "utils.h", *self.headers)
        lines = [f'#include "mlx/backend/metal/kernels/{header}"' for header in headers]
        for number, kernel in enumerate(self.instantiations()):
            lines.append(f'instantiate_kernel("{self.name}_{number}", {kernel})')
        return "\n".join(["#include <metal_stdlib>", "using namespace metal;", *lines, ""])


def _binary() -> tuple[list[str], list[str]]:
    """Instantiations with {T}, and those whose operation wants certain types."""
    forms = [
        "binary_ss, {0}, {1}, {2}",
        "binary_sv, {0}, {1}, {2}",
        "binary_vs, {0}, {1}, {2}",
        "binary_vv, {0}, {1}, {2}",
        "binary_g, {0}, {1}, {2}, 2, int",
        "binary_g_nd2, {0}, {1}, {2}, int",
    ]
    general = ["Add", "Multiply", "Divide", "Subtract", "Maximum", "Minimum", "Power", "Remainder"]
    special = [
        ("float", "bool", "Equal"),
        ("complex64_t", "bool", "Less"),
        ("float", "float", "ArcTan2"),
        ("bfloat16_t", "bfloat16_t", "LogAddExp"),
        ("int", "int", "BitwiseAnd"),
        ("int", "int", "LeftShift"),
    ]
    with_type = [form.format("{T}", "{T}", op) for op in general for form in forms]
    return with_type, [form.format(*types) for types in special for form in forms]


def _reduce() -> list[str]:
    forms = [
        "init_reduce, {0}, {2}",
        "all_reduce, {0}, {1}, {2}, int64_t",
        "row_reduce_small, {0}, {1}, {2}, int, 2",
        "row_reduce_simple, {0}, {1}, {2}, int",
        "row_reduce_looped, {0}, {1}, {2}, int, 2",
        "col_reduce_small, {0}, {1}, {2}, int, 2",
        "col_reduce_looped, {0}, {1}, {2}, int, 2, 32, 32",
    ]
    sums = [(t, t, f"Sum<{t}>") for t in (*FLOATS, "complex64_t", "int64_t")]
    others = [
        ("float", "float", "Max<float>"),
        ("int", "int", "Min<int>"),
        ("int", "int", "Prod<int>"),
        ("bool", "bool", "And<bool>"),
    ]
    return [form.format(*types) for types in sums + others for form in forms]


def _unary() -> tuple[list[str], list[str]]:
    operations = [
        "Abs",
        "ArcCos",
        "ArcSinh",
        "Ceil",
        "Cos",
        "Erf",
        "Exp",
        "Expm1",
        "Floor",
        "Log",
        "Log1p",
        "Negative",
        "Round",
        "Rsqrt",
        "Sigmoid",
        "Sign",
        "Sin",
        "Sqrt",
        "Square",
        "Tan",
        "Tanh",
    ]
    forms = ["unary_v, {0}, {0}, {1}", "unary_g, {0}, {0}, {1}, 1, int"]
    special = [
        ("complex64_t", "Exp"),
        ("complex64_t", "Sqrt"),
        ("complex64_t", "Abs"),
        ("int", "Abs"),
        ("int", "BitwiseInvert"),
    ]
    with_type = [form.format("{T}", op) for op in operations for form in forms]
    return with_type, [form.format(*types) for types in special for form in forms]


def _quantized() -> list[str]:
    kernels = [
        "affine_qmv_quad, {{T}}, 64, {bits}, 64, false",
        "affine_qmv_fast, {{T}}, 64, {bits}, false",
        "affine_qmv, {{T}}, 32, {bits}, true",
        "affine_qvm, {{T}}, 64, {bits}, false",
        "affine_qmm_t, {{T}}, 64, {bits}, true, false",
        "affine_qmm_n, {{T}}, 64, {bits}, false",
        "affine_gather_qmm_rhs, {{T}}, 64, {bits}, 16, 32, 32, 1, 2, true",
        "affine_quantize, {{T}}, 64, {bits}",
        "affine_dequantize, {{T}}, 64, {bits}",
    ]
    return [kernel.format(bits=bits) for bits in (2, 3, 4, 5, 6, 8) for kernel in kernels]


def _copies() -> list[str]:
    pairs = [
        ("float", "float"),
        ("float", "half"),
        ("half", "float"),
        ("bfloat16_t", "float"),
        ("float", "bfloat16_t"),
        ("half", "bfloat16_t"),
        ("float", "complex64_t"),
        ("complex64_t", "float"),
        ("int", "float"),
        ("bool", "bfloat16_t"),
        ("float", "int64_t"),
    ]
    forms = ["copy_s, {0}, {1}", "copy_v, {0}, {1}", "copy_g, {0}, {1}, 2, int"]
    return [form.format(*pair) for pair in pairs for form in forms]


_BINARY, _BINARY_SPECIAL = _binary()
_UNARY, _UNARY_SPECIAL = _unary()
_NUMBERS = ("float", "half", "bfloat16_t", "int", "uint8_t", "int64_t")

SOURCES = [
    Source("arange", ("arange.h",), ("arange, {T}",), _NUMBERS),
    Source(
        "binary",
        ("binary_ops.h", "binary.h"),
        tuple(_BINARY),
        (*_NUMBERS, "complex64_t"),
        tuple(_BINARY_SPECIAL),
    ),
    Source(
        "binary_two",
        ("binary_ops.h", "binary_two.h"),
        ("binary_ss, {T}, {T}, DivMod", "binary_g_nd2, {T}, {T}, DivMod, int"),
        (*FLOATS, "int"),
    ),
    Source("unary", ("unary_ops.h", "unary.h"), tuple(_UNARY), more=tuple(_UNARY_SPECIAL)),
    Source(
        "ternary",
        ("ternary_ops.h", "ternary.h"),
        (
            "ternary_v, {T}, Select, false, false",
            "ternary_g_nd1, {T}, Select, int",
            "ternary_g, {T}, Select, 2, int",
        ),
        (*FLOATS, "complex64_t", "int"),
    ),
    Source("copy", ("copy.h",), (), more=tuple(_copies())),
    Source("reduce", REDUCE, (), more=tuple(_reduce())),
    Source(
        "scan",
        ("scan.h",),
        (
            "contiguous_scan, {T}, {T}, CumSum<{T}>, 4, true, false",
            "strided_scan, {T}, {T}, CumSum<{T}>, 4, true, false",
        ),
        (*FLOATS, "int"),
    ),
    Source(
        "softmax", ("softmax.h", "logsumexp.h"), ("softmax_single_row, {T}", "softmax_looped, {T}")
    ),
    Source(
        "cross_entropy",
        ("cross_entropy.h",),
        ("cross_entropy, {T}, float", "cross_entropy_vjp, {T}, float"),
    ),
    Source(
        "sort",
        ("sort.h",),
        ("block_sort, {T}, {T}, false, 128, 8", "block_sort, {T}, uint, true, 128, 8"),
        ("float", "half", "int"),
    ),
    Source(
        "searchsorted",
        ("sort.h", "searchsorted.h"),
        ("searchsorted, {T}, false",),
        ("float", "int", "bfloat16_t"),
    ),
    Source(
        "fft",
        ("fft.h",),
        (
            "fft, 1024, {T}, float2",
            "rader_fft, 512, {T}, float2",
            "bluestein_fft, 256, {T}, float2",
        ),
        ("float2", "float"),
        (
            "fft, 1024, float2, float",
            "rader_fft, 512, float2, float",
            "bluestein_fft, 256, float2, float",
            "four_step_fft, 256, float2, float2, 0",
            "four_step_fft, 256, float2, float2, 1",
        ),
    ),
    Source("hadamard", ("steel/utils.h", "hadamard.h"), ("hadamard_n, {T}, 1024, 16, 4",)),
    Source(
        "sdpa_vector",
        ("sdpa_vector.h",),
        (
            "sdpa_vector, {T}, 128, 128",
            "sdpa_vector_2pass_1, {T}, 64, 64",
            "sdpa_vector_2pass_2, {T}, 64",
            "sdpa_vector_2pass_1_gqa, {T}, 64, 64, 4, 2",
        ),
    ),
    Source(
        "steel_attention",
        ("steel/attn/kernels/steel_attention.h",),
        (),
        more=(
            "attention, float, 32, 32, 64, 64, 4, 1, float, float",
            "attention, half, 32, 32, 64, 64, 4, 1, bool, float",
            "attention, bfloat16_t, 32, 16, 128, 128, 4, 1, bfloat16_t, float",
        ),
    ),
    Source(
        "gemv",
        ("steel/utils.h", "gemv.h"),
        (
            "gemv, {T}, 1, 8, 1, 32, 4, 4, false, false",
            "gemv, {T}, 4, 1, 1, 32, 4, 4, true, true",
            "gemv_gather, {T}, 1, 8, 1, 32, 4, 4",
            "gemv_t, {T}, 1, 2, 8, 4, 4, 4, false, false",
        ),
    ),
    Source(
        "gemv_masked",
        ("steel/utils.h", "gemv_masked.h"),
        (
            "gemv_masked, {T}, bool, {T}, 1, 4, 4, 8, 4, 4, false",
            "gemv_t_masked, {T}, {T}, bool, 1, 4, 8, 4, 4, 4, true",
        ),
    ),
    Source(
        "gemm",
        (*GEMM, "steel/gemm/kernels/steel_gemm_fused.h"),
        (
            "gemm, {T}, 64, 64, 16, 2, 2, false, false, float",
            "gemm, {T}, 64, 64, 16, 2, 2, false, true, float",
        ),
    ),
    Source(
        "gemm_gather",
        (*GEMM, "steel/gemm/kernels/steel_gemm_gather.h"),
        (
            "gather_mm, {T}, 64, 64, 16, 2, 2, false, true, float",
            "gather_mm_rhs, {T}, 16, 64, 16, 1, 2, false, false, float",
        ),
    ),
    Source(
        "gemm_masked",
        (*GEMM, "steel/gemm/kernels/steel_gemm_masked.h"),
        ("block_masked_gemm, {T}, bool, {T}, 32, 32, 16, 2, 2, false, true, true, true",),
    ),
    Source(
        "gemm_segmented",
        (*GEMM, "steel/gemm/kernels/steel_gemm_segmented.h"),
        ("segmented_mm, {T}, 64, 64, 16, 2, 2, false, true, float",),
    ),
    Source(
        "gemm_splitk",
        (*GEMM, "steel/gemm/kernels/steel_gemm_splitk.h"),
        (
            "gemm_splitk, {T}, float, 32, 32, 16, 2, 2, false, true, true, true",
            "gemm_splitk_accum, float, {T}",
            "gemm_splitk_accum_axpby, float, {T}",
        ),
    ),
    Source(
        "conv",
        (*CONV, "steel/conv/kernels/steel_conv.h"),
        (
            "implicit_gemm_conv_2d, {T}, 32, 64, 16, 2, 2, 0, false",
            "implicit_gemm_conv_2d, {T}, 64, 32, 16, 2, 2, 3, true",
        ),
    ),
    Source(
        "conv_general",
        (*CONV, "steel/conv/kernels/steel_conv_general.h", "steel/conv/kernels/steel_conv_3d.h"),
        (
            "implicit_gemm_conv_2d_general, {T}, 32, 64, 16, 2, 2",
            "implicit_gemm_conv_3d, {T}, 32, 64, 16, 2, 2, false",
        ),
    ),
    Source("quantized", QUANTIZED, tuple(_quantized())),
    Source(
        "fp_quantized",
        (*GEMM, "quantized_utils.h", "fp_quantized.h"),
        (
            "fp_qmv_quad, {T}, 32, 4, 64, false",
            "fp_qmv_fast, {T}, 32, 4, false",
            "fp_qmv, {T}, 32, 8, false",
            "fp_qvm, {T}, 16, 4, true",
            "fp_qmm_t, {T}, 32, 4, true, false",
            "fp_qmm_n, {T}, 32, 8, false",
            "fp_gather_qmm_rhs, {T}, 32, 4, 16, 32, 32, 1, 2, true",
            "fp_quantize, {T}, 32, 4, false",
            "fp_dequantize, {T}, 32, 8, false",
            "fp_gather_qmv, {T}, 32, 4",
            "fp_qmv_wide, {T}, 32, 4, 4, 8, false",
        ),
    ),
    Source(
        "gated_delta",
        ("gated_delta_update.h",),
        (
            "gated_delta_seq, {T}, 128, 128, 16, 32, 0",
            "gated_delta_fused_chunk, {T}, 128, 128, 16, 32, 8",
        ),
    ),
]
