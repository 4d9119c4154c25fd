// SPDX-License-Identifier: Apache-2.0
// What every file of the air library starts from: AIR's types under AIR's names, and the macros
// that define one function for all its element types and vector widths.
//
// This folder is compiled for no machine in particular. A function here must suit a vectoriser that
// turns it into 32 lanes at once: select() instead of branches, fused multiply-adds written out, no
// table with a variable index, no loop with a variable count, no call that is not inlined.
#pragma once

namespace air {

using f32 = float;
using f16 = _Float16;
using bf16 = __bf16;
using i1 = bool;
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long;

#define AIR_VECTORS(T)                                                                             \
  using T##x2 = T __attribute__((ext_vector_type(2)));                                             \
  using T##x3 = T __attribute__((ext_vector_type(3)));                                             \
  using T##x4 = T __attribute__((ext_vector_type(4)));
AIR_VECTORS(f32)
AIR_VECTORS(f16)
AIR_VECTORS(bf16)
AIR_VECTORS(i1)
AIR_VECTORS(i8)
AIR_VECTORS(i16)
AIR_VECTORS(i32)
AIR_VECTORS(i64)
AIR_VECTORS(u8)
AIR_VECTORS(u16)
AIR_VECTORS(u32)
AIR_VECTORS(u64)
#undef AIR_VECTORS

/// The number of elements of a vector type.
template <class Vector> constexpr int widthOf = __builtin_vectorelements(Vector);

template <class Vector> using ElementOf = __remove_cvref(decltype(Vector()[0]));

/// `scalar` applied element by element.
template <class Result, class Scalar, class... Vectors>
[[gnu::always_inline]] inline Result map(Scalar scalar, Vectors... vectors) {
  if constexpr (__is_same(ElementOf<Result>, i1)) {
    // Clang 22 writes invalid code for a store to an element of a vector of bool.
    using Bytes = u8 __attribute__((ext_vector_type(widthOf<Result>)));
    return __builtin_convertvector(map<Bytes>(scalar, vectors...) != 0, Result);
  } else {
    Result result;
#pragma clang loop unroll(full)
    for (int i = 0; i < widthOf<Result>; ++i)
      result[i] = scalar(vectors[i]...);
    return result;
  }
}

/// The same for a scalar that stores a second result of type `Second`.
template <class Vector, class Scalar, class Second>
[[gnu::always_inline]] inline Vector mapWithResult(Scalar scalar, Vector a, Second* result) {
  Vector first;
  Second second;
#pragma clang loop unroll(full)
  for (int i = 0; i < widthOf<Vector>; ++i) {
    ElementOf<Second> element;
    first[i] = scalar(a[i], &element);
    second[i] = element;
  }
  *result = second;
  return first;
}

} // namespace air

// Parameter lists of one to three equal types, and the arguments that pass them on.
#define AIR_PARAMETERS_1(T) T a
#define AIR_PARAMETERS_2(T) T a, T b
#define AIR_PARAMETERS_3(T) T a, T b, T c
#define AIR_ARGUMENTS_1 a
#define AIR_ARGUMENTS_2 a, b
#define AIR_ARGUMENTS_3 a, b, c

/// Declares and defines the function that AIR calls "air." label. Scalars stay calls inside their
/// vector forms, which keeps the library small; whoever links inlines both.
#define AIR_DEFINE(label, identifier, Result, parameters)                                          \
  [[gnu::noinline]] Result identifier parameters __asm__("air." label);                            \
  Result identifier parameters

/// Defines air.<label>.<tag> and its vectors of 2, 3 and 4, all of `count` parameters of type T,
/// by `core`. `id` tells the C++ functions apart.
#define AIR_ELEMENTWISE(id, label, tag, R, T, count, core)                                         \
  AIR_DEFINE(label "." tag, id##_##T, R, (AIR_PARAMETERS_##count(T))) {                            \
    return R(core(AIR_ARGUMENTS_##count));                                                         \
  }                                                                                                \
  AIR_ELEMENTWISE_VECTOR(id, label, tag, R, T, count, 2)                                           \
  AIR_ELEMENTWISE_VECTOR(id, label, tag, R, T, count, 3)                                           \
  AIR_ELEMENTWISE_VECTOR(id, label, tag, R, T, count, 4)
#define AIR_ELEMENTWISE_VECTOR(id, label, tag, R, T, count, width)                                 \
  AIR_DEFINE(label ".v" #width tag, id##_##T##x##width, R##x##width,                               \
             (AIR_PARAMETERS_##count(T##x##width))) {                                              \
    return map<R##x##width>(id##_##T, AIR_ARGUMENTS_##count);                                      \
  }

/// air.<id> for f32 and f16 by `core`, which takes and gives f32 (or is overloaded for f16).
#define AIR_FLOAT(id, count, core)                                                                 \
  AIR_ELEMENTWISE(id, #id, "f32", f32, f32, count, core)                                           \
  AIR_ELEMENTWISE(id, #id, "f16", f16, f16, count, core)

/// air.<id> by `core` and air.fast_<id> by `fast`.
#define AIR_FLOAT_AND_FAST(id, count, core, fast)                                                  \
  AIR_FLOAT(id, count, core)                                                                       \
  AIR_FLOAT(fast_##id, count, fast)

/// air.<id>.s.<int> and air.<id>.u.<int> by `core`, a template over the C++ type.
#define AIR_INTEGER(id, count, core)                                                               \
  AIR_INTEGER_SIGN(id, #id ".s", i, count, core)                                                   \
  AIR_INTEGER_SIGN(id, #id ".u", u, count, core)
#define AIR_INTEGER_SIGN(id, label, kind, count, core)                                             \
  AIR_ELEMENTWISE(id, label, "i8", kind##8, kind##8, count, core)                                  \
  AIR_ELEMENTWISE(id, label, "i16", kind##16, kind##16, count, core)                               \
  AIR_ELEMENTWISE(id, label, "i32", kind##32, kind##32, count, core)                               \
  AIR_ELEMENTWISE(id, label, "i64", kind##64, kind##64, count, core)

/// air.<id>: T (T, pointer), the second result stored through the pointer, by `core`.
#define AIR_FLOAT_WITH_RESULT(id, core)                                                            \
  AIR_WITH_RESULT(id, #id, f32, f32, core)                                                         \
  AIR_WITH_RESULT(id, #id, f16, f16, core)
#define AIR_WITH_RESULT(id, label, T, Second, core)                                                \
  AIR_DEFINE(label "." #T, id##_##T, T, (T a, Second * result)) {                                  \
    return core(a, result);                                                                        \
  }                                                                                                \
  AIR_WITH_RESULT_VECTOR(id, label, T, Second, 2)                                                  \
  AIR_WITH_RESULT_VECTOR(id, label, T, Second, 3)                                                  \
  AIR_WITH_RESULT_VECTOR(id, label, T, Second, 4)
#define AIR_WITH_RESULT_VECTOR(id, label, T, Second, width)                                        \
  AIR_DEFINE(label ".v" #width #T, id##_##T##x##width, T##x##width,                                \
             (T##x##width a, Second##x##width * result)) {                                         \
    return mapWithResult(id##_##T, a, result);                                                     \
  }
