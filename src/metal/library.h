// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <Metal/MTLLibrary.hpp>

#include "metal/code_source.h"
#include "metal/labelled.h"

namespace metalloid::metal {

class LibraryObject final : public LabelledObject {
public:
  using Handle = MTL::Library;

  LibraryObject(DeviceObject& device, std::unique_ptr<CodeSource> code, uint64_t maxTotalThreads)
      : LabelledObject(device), code(std::move(code)), maxTotalThreads(maxTotalThreads) {}
  const char* className() const override { return "MTLLibrary"; }

  const std::unique_ptr<const CodeSource> code;
  const uint64_t maxTotalThreads; ///< From the compile options; 0: none.
};

} // namespace metalloid::metal
