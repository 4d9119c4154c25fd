// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <Metal/MTLLibrary.hpp>

#include "metal/device.h"
#include "metal/labelled.h"
#include "runtime/compiler_client.h"

namespace metalloid::metal {

/// Where a function's code is.
struct FunctionCode {
  runtime::Module module;
  std::string kernel; ///< Its name in the module.
  MTL::FunctionType type = MTL::FunctionTypeKernel;
};

class FunctionObject final : public LabelledObject {
public:
  using Handle = MTL::Function;

  FunctionObject(DeviceObject& device, std::string name, FunctionCode code,
                 std::vector<air::ConstantValue> constants, uint64_t maxTotalThreads)
      : LabelledObject(device), name(makeString(name)), code(std::move(code)),
        constants(std::move(constants)), maxTotalThreads(maxTotalThreads) {}
  const char* className() const override { return "MTLFunction"; }

  /// What the code says of itself without constants; asked of the compiler once.
  const Expected<air::Reflection>& reflection();
  NS::Dictionary* constantsByName();

  const NS::SharedPtr<NS::String> name;
  const FunctionCode code;
  const std::vector<air::ConstantValue> constants;
  const uint64_t maxTotalThreads; ///< From the compile options; 0: none.
  MTL::FunctionOptions options = MTL::FunctionOptionNone;

private:
  std::mutex mutex_;
  std::optional<Expected<air::Reflection>> reflection_;
  NS::SharedPtr<NS::Dictionary> constantsByName_;
};

} // namespace metalloid::metal
