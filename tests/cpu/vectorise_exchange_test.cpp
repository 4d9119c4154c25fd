// SPDX-License-Identifier: Apache-2.0
// SIMD-group and quad functions against a model of 32 lanes written out in plain C++, after
// docs/numeric-contract.md; under full and partial masks, at every vector width.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "kernel_runner.h"

namespace metalloid::cpu::test {
namespace {

template <typename T> struct Name;
template <> struct Name<int8_t> {
  static constexpr const char *llvm = "i8", *air = "s.i8";
};
template <> struct Name<uint16_t> {
  static constexpr const char *llvm = "i16", *air = "u.i16";
};
template <> struct Name<int32_t> {
  static constexpr const char *llvm = "i32", *air = "s.i32";
};
template <> struct Name<uint32_t> {
  static constexpr const char* llvm = "i32";
};
template <> struct Name<uint64_t> {
  static constexpr const char *llvm = "i64", *air = "u.i64";
};
template <> struct Name<float> {
  static constexpr const char *llvm = "float", *air = "f32";
};
template <> struct Name<_Float16> {
  static constexpr const char *llvm = "half", *air = "f16";
};

template <typename T> using Lanes = std::array<T, 32>;
using LaneMask = uint32_t;
const std::vector<LaneMask> FullMask = {0xFFFFFFFF};
const std::vector<LaneMask> PartialMasks = {0x0000FF10, 0x80000001, 0x5A5AC3F0};

/// Runs out[i] = body(%x = in[i]) in the lanes of each mask, one result a mask. All masks are full,
/// or none is.
template <typename R, typename T>
std::vector<Lanes<R>> run(const std::string& body, const std::string& declaration, const Way& way,
                          const Lanes<T>& x, const std::vector<LaneMask>& masks) {
  std::string type = Name<T>::llvm, result = Name<R>::llvm;
  Kernel kernel{"%lane = call i32 @cpu.lane()\n"
                "%i = zext i32 %lane to i64\n"
                "%p = getelementptr " +
                type +
                ", ptr %in, i64 %i\n"
                "%x = load " +
                type +
                ", ptr %p\n"
                "%shifted = lshr i32 %n, %lane\n"
                "%active = trunc i32 %shifted to i1\n" +
                std::string(masks[0] == 0xFFFFFFFF ? "br label %go\n"
                                                   : "br i1 %active, label %go, label %end\n") +
                "go:\n" + body + "\n%q = getelementptr " + result +
                ", ptr %out, i64 %i\n"
                "store " +
                result +
                " %r, ptr %q\n"
                "br label %end\n"
                "end:\n"
                "ret void"};
  kernel.globals = declaration + " #1\nattributes #1 = { convergent nounwind willreturn "
                                 "memory(none) }\n";
  std::vector<Memory> memories;
  for (LaneMask mask : masks)
    memories.push_back({Memory::bytes(std::vector<T>(x.begin(), x.end())),
                        std::vector<uint8_t>(32 * sizeof(R), 0xCD), mask});
  std::vector<Lanes<R>> results;
  for (const Memory& memory : runVectorised(kernel, way, memories)) {
    std::vector<R> out = memory.outAs<R>();
    std::copy(out.begin(), out.end(), results.emplace_back().begin());
  }
  return results;
}

template <typename R, typename T>
void expectLanes(const std::string& body, const std::string& declaration, const Lanes<T>& x,
                 const std::function<R(const Lanes<T>&, LaneMask, unsigned)>& model) {
  for (const std::vector<LaneMask>& masks : {FullMask, PartialMasks})
    for (const Way& way : ways()) {
      std::vector<Lanes<R>> found;
      try {
        found = run<R, T>(body, declaration, way, x, masks);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
        return;
      }
      for (unsigned at = 0; at < masks.size() * 32; ++at) {
        LaneMask mask = masks[at / 32];
        unsigned lane = at % 32;
        if (!(mask >> lane & 1))
          continue;
        R expected = model(x, mask, lane), is = found[at / 32][lane];
        ASSERT_EQ(std::memcmp(&is, &expected, sizeof(R)), 0)
            << body << "\nlane " << lane << ", mask " << std::hex << mask << std::dec << ", chunk "
            << way.chunk << ": " << double(is) << " is not " << double(expected);
      }
    }
}

template <typename T> Lanes<T> values(bool special = false) {
  Lanes<T> lanes;
  uint32_t state = 99;
  for (unsigned lane = 0; lane < 32; ++lane) {
    state = state * 1664525u + 1013904223u;
    if constexpr (std::is_integral_v<T>)
      lanes[lane] = T((uint64_t(state) << 32) ^ (state >> 3) ^ lane);
    else
      lanes[lane] = T(float(int32_t(state)) / float(1 << 28));
  }
  if (special && !std::is_integral_v<T>) {
    lanes[5] = T(std::numeric_limits<float>::quiet_NaN());
    lanes[8] = T(-0.0f);
    lanes[24] = T(0.0f);
  }
  return lanes;
}

template <typename T> struct Operation {
  const char* name;
  T neutral;
  std::function<T(T, T)> apply;
};

template <typename T> T least(T a, T b) {
  return b != b ? a : a < b ? a : b;
}
template <typename T> T greatest(T a, T b) {
  return b != b ? a : a > b ? a : b;
}

template <typename T> std::vector<Operation<T>> operations() {
  std::vector<Operation<T>> list;
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    using Wide = uint64_t;
    list = {{"sum", T(0), [](T a, T b) { return T(U(Wide(U(a)) + Wide(U(b)))); }},
            {"product", T(1), [](T a, T b) { return T(U(Wide(U(a)) * Wide(U(b)))); }},
            {"and", T(-1), [](T a, T b) { return T(a & b); }},
            {"or", T(0), [](T a, T b) { return T(a | b); }},
            {"xor", T(0), [](T a, T b) { return T(a ^ b); }},
            {"min", std::numeric_limits<T>::max(), least<T>},
            {"max", std::numeric_limits<T>::min(), greatest<T>}};
  } else {
    T infinity = T(std::numeric_limits<float>::infinity());
    list = {{"sum", T(-0.0f), [](T a, T b) { return T(a + b); }},
            {"product", T(1), [](T a, T b) { return T(a * b); }},
            {"min", infinity, least<T>},
            {"max", -infinity, greatest<T>}};
  }
  return list;
}

template <typename T> Lanes<T> masked(const Lanes<T>& x, LaneMask mask, T idle) {
  Lanes<T> lanes = x;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (!(mask >> lane & 1))
      lanes[lane] = idle;
  return lanes;
}

template <typename T>
T tree(const Operation<T>& operation, const Lanes<T>& x, LaneMask mask, unsigned lane,
       unsigned width) {
  Lanes<T> v = masked(x, mask, operation.neutral);
  for (unsigned d = width / 2; d; d /= 2) {
    Lanes<T> next;
    for (unsigned l = 0; l < 32; ++l)
      next[l] = operation.apply(v[l & ~d], v[l | d]);
    v = next;
  }
  return v[lane];
}

template <typename T> class Exchange : public testing::Test {};
using Types = testing::Types<int8_t, uint16_t, int32_t, uint64_t, float, _Float16>;
TYPED_TEST_SUITE(Exchange, Types);

TYPED_TEST(Exchange, ReductionsAreTheTree) {
  using T = TypeParam;
  for (unsigned width : {32u, 4u})
    for (const Operation<T>& operation : operations<T>()) {
      if (std::is_same_v<T, float> || width == 32 || operation.name == std::string("sum")) {
        std::string name = std::string("@air.") + (width == 32 ? "simd_" : "quad_") +
                           operation.name + "." + Name<T>::air;
        std::string type = Name<T>::llvm;
        bool isOrder = operation.name == std::string("min") || operation.name == std::string("max");
        expectLanes<T, T>("%r = call " + type + " " + name + "(" + type + " %x)",
                          "declare " + type + " " + name + "(" + type + ")", values<T>(isOrder),
                          [&](const Lanes<T>& x, LaneMask mask, unsigned lane) {
                            return tree(operation, x, mask, lane, width);
                          });
      }
    }
}

TYPED_TEST(Exchange, ScansDoubleTheDistance) {
  using T = TypeParam;
  for (unsigned width : {32u, 4u})
    for (bool exclusive : {false, true})
      for (const Operation<T>& operation : operations<T>()) {
        bool isSum = operation.name == std::string("sum");
        if (!isSum && operation.name != std::string("product"))
          continue;
        if (width == 4 && !std::is_same_v<T, float> && !std::is_same_v<T, int32_t>)
          continue;
        std::string name = std::string("@air.") + (width == 32 ? "simd" : "quad") + "_prefix_" +
                           (exclusive ? "exclusive_" : "inclusive_") + operation.name + "." +
                           Name<T>::air;
        std::string type = Name<T>::llvm;
        expectLanes<T, T>("%r = call " + type + " " + name + "(" + type + " %x)",
                          "declare " + type + " " + name + "(" + type + ")", values<T>(),
                          [&](const Lanes<T>& x, LaneMask mask, unsigned lane) {
                            Lanes<T> v = masked(x, mask, operation.neutral);
                            for (unsigned d = 1; d < width; d *= 2) {
                              Lanes<T> before = v;
                              for (unsigned l = 0; l < 32; ++l)
                                if ((l & (width - 1)) >= d)
                                  v[l] = operation.apply(before[l - d], before[l]);
                            }
                            if (!exclusive)
                              return v[lane];
                            return lane & (width - 1) ? v[lane - 1] : T(isSum ? 0 : 1);
                          });
      }
}

/// `amounts`: text of the i16 amount, constant or computed, and the amount of a lane.
struct Amount {
  const char* setup;
  const char* text;
  std::function<unsigned(unsigned lane)> of;
};
const Amount amounts[] = {
    {"", "5", [](unsigned) { return 5u; }},
    {"", "1", [](unsigned) { return 1u; }},
    {"", "37", [](unsigned) { return 37u; }},
    {"%d32 = lshr i32 %n, 28\n%d = trunc i32 %d32 to i16\n", "%d", nullptr}, // of the mask
    {"%d32 = mul i32 %lane, 7\n%d33 = and i32 %d32, 31\n%d = trunc i32 %d33 to i16\n", "%d",
     [](unsigned lane) { return lane * 7 & 31; }},
};

TYPED_TEST(Exchange, Shuffles) {
  using T = TypeParam;
  for (unsigned width : {32u, 4u})
    for (std::string mode : {"", "_up", "_down", "_xor", "_rotate_up", "_rotate_down"})
      for (const Amount& amount : amounts) {
        bool thorough = std::is_same_v<T, float> || std::is_same_v<T, uint64_t>;
        if (!thorough && (width == 4 || &amount < &amounts[3]))
          continue;
        std::string name = std::string("@air.") + (width == 32 ? "simd" : "quad") + "_shuffle" +
                           mode + "." + Name<T>::air;
        std::string type = Name<T>::llvm;
        expectLanes<T, T>(amount.setup +
                              ("%r = call " + type + " " + name + "(" + type + " %x, i16 ") +
                              amount.text + ")",
                          "declare " + type + " " + name + "(" + type + ", i16)", values<T>(),
                          [&](const Lanes<T>& x, LaneMask mask, unsigned lane) {
                            unsigned d = amount.of ? amount.of(lane) : mask >> 28;
                            unsigned in = width - 1, group = lane & ~in, at = lane & in;
                            unsigned from = group | (d & in);
                            if (mode == "_up")
                              from = at >= d ? lane - d : lane;
                            else if (mode == "_down")
                              from = at + d < width ? lane + d : lane;
                            else if (mode == "_xor")
                              from = group | ((at ^ d) & in);
                            else if (mode == "_rotate_up")
                              from = group | ((at - d) & in);
                            else if (mode == "_rotate_down")
                              from = group | ((at + d) & in);
                            return mask >> from & 1 ? x[from] : T(0);
                          });
      }
}

TEST(ExchangeOfFloats, ShuffleAndFillInBlocks) {
  for (std::string mode : {"up", "down"})
    for (unsigned modulo : {32u, 8u})
      for (bool constant : {true, false}) {
        std::string name = "@air.simd_shuffle_and_fill_" + mode + ".f32";
        std::string setup =
            "%fill = fadd float %x, 1.0\n%low = and i32 %n, 0\n%low16 = trunc i32 %low to i16\n"
            "%dd = add i16 %low16, 3\n%mm = add i16 %low16, " +
            std::to_string(modulo) + "\n";
        std::string arguments =
            constant ? "i16 3, i16 " + std::to_string(modulo) : "i16 %dd, i16 %mm";
        expectLanes<float, float>(
            setup + "%r = call float " + name + "(float %x, float %fill, " + arguments + ")",
            "declare float " + name + "(float, float, i16, i16)", values<float>(),
            [&](const Lanes<float>& x, LaneMask mask, unsigned lane) {
              unsigned at = lane % modulo, start = lane - at, d = 3;
              bool own = mode == "up" ? at >= d : at + d < modulo;
              unsigned from = start + (mode == "up" ? at + modulo - d : at + d) % modulo;
              if (!(mask >> from & 1))
                return 0.0f;
              return own ? x[from] : x[from] + 1.0f;
            });
      }
}

unsigned first(LaneMask mask) {
  return unsigned(__builtin_ctz(mask));
}

TEST(ExchangeOfWords, BroadcastVoteBallotAndFirst) {
  using T = uint32_t;
  auto expect = [](const std::string& body, const std::string& declaration,
                   const std::function<T(const Lanes<T>&, LaneMask, unsigned)>& model) {
    expectLanes<T, T>(body, declaration, values<T>(), model);
  };
  auto bits = [](const Lanes<T>& x, LaneMask mask) {
    LaneMask set = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      set |= LaneMask((x[lane] & 1) && (mask >> lane & 1)) << lane;
    return set;
  };
  auto quad = [](LaneMask mask, unsigned lane) { return mask >> (lane & ~3u) & 15; };
  std::string odd = "%odd = trunc i32 %x to i1\n";
  for (std::string at : {"9", "%d"})
    expect("%d32 = lshr i32 %n, 28\n%d = trunc i32 %d32 to i16\n"
           "%r = call i32 @air.simd_broadcast.u.i32(i32 %x, i16 " +
               at + ")",
           "declare i32 @air.simd_broadcast.u.i32(i32, i16)",
           [&](const Lanes<T>& x, LaneMask mask, unsigned) {
             unsigned from = at == "9" ? 9 : mask >> 28;
             return mask >> from & 1 ? x[from] : 0;
           });
  expect("%r = call i32 @air.simd_broadcast_first.u.i32(i32 %x)",
         "declare i32 @air.simd_broadcast_first.u.i32(i32)",
         [](const Lanes<T>& x, LaneMask mask, unsigned) { return x[first(mask)]; });
  expect("%r = call i32 @air.quad_broadcast_first.u.i32(i32 %x)",
         "declare i32 @air.quad_broadcast_first.u.i32(i32)",
         [&](const Lanes<T>& x, LaneMask mask, unsigned lane) {
           return x[(lane & ~3u) + first(quad(mask, lane))];
         });
  expect(odd + "%b = call i64 @air.simd_ballot.i64(i1 %odd)\n%r = trunc i64 %b to i32",
         "declare i64 @air.simd_ballot.i64(i1)",
         [&](const Lanes<T>& x, LaneMask mask, unsigned) { return bits(x, mask); });
  expect("%b = call i64 @air.simd_active_threads_mask.i64()\n%h = lshr i64 %b, 32\n"
         "%s = add i64 %b, %h\n%r = trunc i64 %s to i32",
         "declare i64 @air.simd_active_threads_mask.i64()",
         [](const Lanes<T>&, LaneMask mask, unsigned) { return mask; });
  expect(odd + "%b = call i16 @air.quad_ballot(i1 %odd)\n%r = zext i16 %b to i32",
         "declare i16 @air.quad_ballot(i1)", [&](const Lanes<T>& x, LaneMask mask, unsigned lane) {
           return quad(bits(x, mask), lane);
         });
  expect("%b = call i16 @air.quad_active_threads_mask()\n%r = zext i16 %b to i32",
         "declare i16 @air.quad_active_threads_mask()",
         [&](const Lanes<T>&, LaneMask mask, unsigned lane) { return quad(mask, lane); });
  for (bool quads : {false, true}) {
    std::string group = quads ? "quad" : "simd";
    expect("%f = call i1 @air." + group + "_is_first()\n%r = zext i1 %f to i32",
           "declare i1 @air." + group + "_is_first()",
           [&](const Lanes<T>&, LaneMask mask, unsigned lane) {
             return T(quads ? (lane & 3) == first(quad(mask, lane)) : lane == first(mask));
           });
    for (std::string vote : {"any", "all"})
      for (std::string condition : {"%odd", "%big"})
        expect(odd + "%big = icmp ne i32 %x, 12345\n%v = call i1 @air." + group + "_" + vote +
                   "(i1 " + condition + ")\n%r = zext i1 %v to i32",
               "declare i1 @air." + group + "_" + vote + "(i1)",
               [&](const Lanes<T>& x, LaneMask mask, unsigned lane) {
                 LaneMask set = condition == "%odd" ? bits(x, mask) : mask;
                 if (quads) {
                   set = quad(set, lane);
                   mask = quad(mask, lane);
                 }
                 return T(vote == "any" ? set != 0 : set == mask);
               });
  }
}

TEST(ExchangeOfVectors, IsDoneElementByElement) {
  expectLanes<uint64_t, uint64_t>(
      "%x0 = trunc i64 %x to i32\n%xh = lshr i64 %x, 32\n%x1 = trunc i64 %xh to i32\n"
      "%v0 = insertelement <2 x i32> poison, i32 %x0, i64 0\n"
      "%v = insertelement <2 x i32> %v0, i32 %x1, i64 1\n"
      "%s = call <2 x i32> @air.simd_shuffle_down.u.v2i32(<2 x i32> %v, i16 3)\n"
      "%lo = extractelement <2 x i32> %s, i64 0\n%hi = extractelement <2 x i32> %s, i64 1\n"
      "%l = zext i32 %lo to i64\n%h = zext i32 %hi to i64\n%h2 = shl i64 %h, 32\n"
      "%r = or i64 %l, %h2",
      "declare <2 x i32> @air.simd_shuffle_down.u.v2i32(<2 x i32>, i16)", values<uint64_t>(),
      [](const Lanes<uint64_t>& x, LaneMask mask, unsigned lane) {
        unsigned from = lane + 3 < 32 ? lane + 3 : lane;
        return mask >> from & 1 ? x[from] : 0;
      });
}

} // namespace
} // namespace metalloid::cpu::test
