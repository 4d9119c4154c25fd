// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "air/functions.h"
#include "air/primitives.h"

using namespace metalloid::air;

namespace {

TEST(Primitives, NamesAreTakenApart) {
  auto sum = parsePrimitive("air.simd_sum.f32");
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->kind, Primitive::SimdReduce);
  EXPECT_EQ(sum->op, ReduceOp::Sum);

  auto scan = parsePrimitive("air.quad_prefix_exclusive_product.s.i16");
  ASSERT_TRUE(scan);
  EXPECT_EQ(scan->kind, Primitive::QuadScan);
  EXPECT_EQ(scan->op, ReduceOp::Product);
  EXPECT_TRUE(scan->isExclusive);
  EXPECT_TRUE(scan->isSigned);

  auto fill = parsePrimitive("air.simd_shuffle_and_fill_up.u.v2i32");
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->kind, Primitive::SimdShuffleFill);
  EXPECT_EQ(fill->mode, ShuffleMode::Up);
  EXPECT_FALSE(fill->isSigned);

  auto atomic = parsePrimitive("air.atomic.local.max.s.i32");
  ASSERT_TRUE(atomic);
  EXPECT_EQ(atomic->kind, Primitive::AtomicModify);
  EXPECT_EQ(atomic->op, ReduceOp::Max);
  EXPECT_TRUE(atomic->isLocal && atomic->isSigned);

  EXPECT_EQ(parsePrimitive("air.atomic.global.cmpxchg.weak.i32")->kind,
            Primitive::AtomicCompareExchange);
  EXPECT_EQ(parsePrimitive("air.atomic.fence")->kind, Primitive::Fence);
  EXPECT_TRUE(parsePrimitive("air.simd_all")->isAll);
  EXPECT_EQ(parsePrimitive("air.simdgroup_matrix_8x8_load.v64f32.p1f32")->kind,
            Primitive::MatrixLoad);
}

TEST(Primitives, WhatTheLibraryDefinesIsNone) {
  for (const char* name :
       {"air.exp.f32", "air.max.s.i32", "air.simd_", "air.simd_add.f32",
        "air.atomic.global.product.f32", "air.simd_prefix_inclusive_max.f32", "simd_sum.f32", ""})
    EXPECT_FALSE(parsePrimitive(name)) << name;
}

/// The table and the parser agree on who gives a function its meaning.
TEST(Primitives, TheTableAgrees) {
  for (const FunctionRow& row : functionRows())
    for (const std::string& name : expandNames(row))
      EXPECT_EQ(parsePrimitive(name).has_value(), row.home == Home::Primitive) << name;
}

} // namespace
