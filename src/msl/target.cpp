// SPDX-License-Identifier: Apache-2.0
#include "msl/target.h"

#include "clang/Basic/MacroBuilder.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace {
// Only TargetInfo::CreateTargetInfo, which knows no AIR, sets the private TargetOpts that
// CompilerInstance reads. An explicit instantiation may name a private member.
void setTargetOptions(TargetInfo& target, TargetOptions* options);
template <auto member> struct TargetOptionsSetter {
  friend void setTargetOptions(TargetInfo& target, TargetOptions* options) {
    target.*member = options;
  }
};
template struct TargetOptionsSetter<&TargetInfo::TargetOpts>;
} // namespace

namespace metalloid::msl {
namespace {

constexpr AirVersion kVersions[] = {
    {(2u << 16) + 0, 2, 0, "10.13.0"}, {(2u << 16) + 1, 2, 1, "10.14.0"},
    {(2u << 16) + 2, 2, 2, "10.15.0"}, {(2u << 16) + 3, 2, 3, "11.0.0"},
    {(2u << 16) + 4, 2, 4, "12.0.0"},  {(3u << 16) + 0, 2, 5, "13.0.0"},
    {(3u << 16) + 1, 2, 6, "14.0.0"},  {(3u << 16) + 2, 2, 7, "15.0.0"},
    {(4u << 16) + 0, 2, 8, "26.0.0"},
};

// Pointers are 64 bits wide in every space; a 3-vector is aligned as a 4-vector. As Apple's
// modules.
constexpr const char* kDataLayout =
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-"
    "v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-"
    "v512:512:512-v1024:1024:1024-n8:16:32";

enum AirAddressSpace : unsigned { Thread = 0, Device = 1, Constant = 2, Threadgroup = 3 };

// MSL's words are spelt with Clang's OpenCL address spaces (see token_pass.h).
const LangASMap& addressSpaceMap() {
  static const auto map = [] {
    struct {
      LangASMap spaces = {};
    } result;
    auto set = [&](LangAS space, unsigned number) { result.spaces[unsigned(space)] = number; };
    set(LangAS::opencl_private, Thread);
    set(LangAS::opencl_global, Device);
    set(LangAS::opencl_constant, Constant);
    set(LangAS::opencl_local, Threadgroup);
    return result;
  }();
  return map.spaces;
}

class AirTarget final : public TargetInfo {
public:
  AirTarget(const llvm::Triple& triple, const AirVersion& version)
      : TargetInfo(triple), version(version) {
    resetDataLayout(kDataLayout);
    UserLabelPrefix = ""; // an asm label is the name in the IR
    PointerWidth = PointerAlign = 64;
    LongWidth = LongAlign = 64;
    SizeType = UnsignedLong;
    PtrDiffType = IntPtrType = IntMaxType = Int64Type = SignedLong;
    HasFastHalfType = HasFloat16 = HasBFloat16 = HasFullBFloat16 = true;
    BFloat16Width = BFloat16Align = 16;
    BFloat16Format = &llvm::APFloat::BFloat();
    TLSSupported = VLASupported = false;
    HasStrictFP = true; // else #pragma float_control is ignored
    NoAsmVariants = true;
    AddrSpaceMap = &addressSpaceMap();
    UseAddrSpaceMapMangling = false;
    TheCXXABI.set(TargetCXXABI::GenericItanium);
  }

  void getTargetDefines(const LangOptions& options, MacroBuilder& macros) const override {
    const uint32_t major = version.language >> 16, minor = version.language & 0xffff;
    macros.defineMacro("__METAL__", "1");
    macros.defineMacro("__METAL_VERSION__", llvm::Twine(major * 100 + minor * 10));
    macros.defineMacro("__METAL_MACOS__", "1");
    macros.defineMacro("__AIR64__", "1");
    macros.defineMacro("__AIR_VERSION__",
                       llvm::Twine(this->version.major * 10000 + this->version.minor * 100));
  }

  // An unqualified object, `this` included, may live in any space. `thread` as the qualifier of a
  // member function (opencl_private) is the same memory as Default, but ranks below the other
  // spaces, so that overloads on the space of an unqualified object resolve to it.
  bool isAddressSpaceSupersetOf(LangAS outer, LangAS inner) const override {
    if (outer == inner || inner == LangAS::opencl_private)
      return true;
    if (outer == LangAS::opencl_private)
      return inner == LangAS::Default;
    return outer == LangAS::Default &&
           (inner == LangAS::opencl_global || inner == LangAS::opencl_local ||
            inner == LangAS::opencl_constant);
  }

  llvm::SmallVector<Builtin::InfosShard> getTargetBuiltins() const override { return {}; }
  BuiltinVaListKind getBuiltinVaListKind() const override { return VoidPtrBuiltinVaList; }
  bool validateAsmConstraint(const char*&, ConstraintInfo&) const override { return false; }
  std::string_view getClobbers() const override { return ""; }
  ArrayRef<const char*> getGCCRegNames() const override { return {}; }
  ArrayRef<GCCRegAlias> getGCCRegAliases() const override { return {}; }
  bool hasInt128Type() const override { return false; }

private:
  const AirVersion version;
};

} // namespace

const AirVersion* airVersion(uint32_t languageVersion) {
  for (const AirVersion& version : kVersions)
    if (version.language == languageVersion)
      return &version;
  return nullptr;
}

std::string airTriple(const AirVersion& version) {
  return "air64_v" + std::to_string(version.major * 10 + version.minor) + "-apple-macosx" +
         version.macos;
}

TargetInfo* makeAirTarget(TargetOptions& options, const AirVersion& version) {
  auto* target = new AirTarget(llvm::Triple(options.Triple), version);
  setTargetOptions(*target, &options);
  return target;
}

} // namespace metalloid::msl
