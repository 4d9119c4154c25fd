// SPDX-License-Identifier: Apache-2.0
// Questions about types, with the answers of the C++ standard, and what address spaces add.
// RUN: metalloid-msl %s
#include <metal_type_traits>
#include <metal_utility>
#include <metal_stdlib>
using namespace metal;

struct Empty {};
struct Base {};
struct Derived : Base {};
enum class Colour : ushort { red };
union Number {
  int i;
  float f;
};

static_assert(is_same_v<int, int32_t> && !is_same_v<int, uint> && is_same<float, float>::value);
static_assert(is_integral_v<bool> && is_integral_v<const ulong> && !is_integral_v<float>);
static_assert(is_floating_point_v<half> && is_floating_point_v<bfloat> && !is_floating_point_v<int>);
static_assert(is_arithmetic_v<char> && is_arithmetic_v<half> && !is_arithmetic_v<float2>);
static_assert(is_signed_v<char> && is_signed_v<half> && !is_signed_v<uint> && is_unsigned_v<uchar>);
static_assert(is_void_v<void> && !is_void_v<int> && is_scalar_v<device int*> && !is_scalar_v<Empty>);
static_assert(is_const_v<const int> && is_volatile_v<volatile int> && !is_const_v<int>);
static_assert(is_pointer_v<device int*> && is_pointer_v<threadgroup int*> && is_pointer_v<int*>);
static_assert(is_pointer_v<constant int*> && !is_pointer_v<int>);
static_assert(is_reference_v<int&> && is_lvalue_reference_v<int&> && is_rvalue_reference_v<int&&>);
static_assert(is_array_v<int[3]> && is_enum_v<Colour> && is_union_v<Number> && is_class_v<Empty>);
static_assert(is_function_v<int(float)> && is_base_of_v<Base, Derived>);
static_assert(is_convertible_v<Derived, Base> && !is_convertible_v<Base, Derived>);
static_assert(is_constructible_v<float4, float, float, float, float> && is_trivial_v<Number>);
static_assert(is_trivially_copyable_v<float3> && is_assignable_v<int&, float>);

static_assert(is_same_v<conditional_t<true, int, float>, int> && is_same_v<enable_if_t<true>, void>);
static_assert(is_same_v<remove_cv_t<const volatile int>, int> && is_same_v<add_const_t<int>, const int>);
static_assert(is_same_v<remove_reference_t<int&&>, int> && is_same_v<remove_const_t<const int>, int>);
static_assert(is_same_v<remove_pointer_t<device int*>, int> && is_same_v<remove_extent_t<int[2]>, int>);
static_assert(is_same_v<decay_t<const int&>, int> && is_same_v<underlying_type_t<Colour>, ushort>);
static_assert(is_same_v<make_unsigned_t<int>, uint> && is_same_v<make_signed_t<ulong>, long>);
static_assert(is_same_v<common_type_t<int, float>, float> && is_same_v<common_type_t<short>, short>);
static_assert(is_same_v<remove_addrspace_t<device int>, int>);
static_assert(conjunction_v<true_type, true_type> && !conjunction_v<true_type, false_type>);
static_assert(disjunction_v<false_type, true_type> && negation_v<false_type>);
static_assert(integral_constant<int, 5>::value == 5 && bool_constant<true>()());

template <typename T> struct space;
template <typename T> struct space<thread T*> {
  static constexpr int value = 0;
};
template <typename T> struct space<device T*> {
  static constexpr int value = 1;
};
template <typename T> struct space<constant T*> {
  static constexpr int value = 2;
};
template <typename T> struct space<threadgroup T*> {
  static constexpr int value = 3;
};
static_assert(space<thread int*>::value == 0 && space<device int*>::value == 1);
static_assert(space<constant int*>::value == 2 && space<threadgroup int*>::value == 3);

constexpr int swapped() {
  int a = 1, b = 20;
  swap(a, b);
  return a + exchange(b, 5) * 100 + b * 1000;
}
static_assert(swapped() == 5120);
template <size_t... i> constexpr size_t total(index_sequence<i...>) { return (i + ...); }
static_assert(total(make_index_sequence<5>()) == 10);
static_assert(make_pair(1, 2.5f).second == 2.5f);
