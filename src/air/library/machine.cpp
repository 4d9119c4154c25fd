// SPDX-License-Identifier: Apache-2.0
// What modules ask of the machine and of the compiler.
#include "define.h"

namespace air {

AIR_DEFINE("get_simdgroup_size.i16", get_simdgroup_size_i16, u16, ()) {
  return 32;
}
AIR_DEFINE("get_simdgroup_size.i32", get_simdgroup_size_i32, u32, ()) {
  return 32;
}

AIR_DEFINE("normalize_function_constant_predicate.i8", normalize_predicate, u8, (u8 predicate)) {
  return predicate != 0;
}

// A hint that stands under llvm.assume: true promises nothing that we rely on.
#define AIR_IS_UNIFORM(tag, T)                                                                     \
  AIR_DEFINE("is_uniform." tag, is_uniform_##T, i1, (T)) {                                         \
    return true;                                                                                   \
  }                                                                                                \
  AIR_DEFINE("is_uniform.v2" tag, is_uniform_##T##x2, i1, (T##x2)) {                               \
    return true;                                                                                   \
  }                                                                                                \
  AIR_DEFINE("is_uniform.v3" tag, is_uniform_##T##x3, i1, (T##x3)) {                               \
    return true;                                                                                   \
  }                                                                                                \
  AIR_DEFINE("is_uniform.v4" tag, is_uniform_##T##x4, i1, (T##x4)) {                               \
    return true;                                                                                   \
  }
AIR_IS_UNIFORM("i1", i1)
AIR_IS_UNIFORM("i8", u8)
AIR_IS_UNIFORM("i16", u16)
AIR_IS_UNIFORM("i32", u32)
AIR_IS_UNIFORM("i64", u64)
AIR_IS_UNIFORM("f32", f32)
AIR_IS_UNIFORM("f16", f16)

} // namespace air
