// SPDX-License-Identifier: Apache-2.0
// From the errors of the run time to the NS::Error of each kind of call.
#pragma once

#include <Foundation/NSError.hpp>
#include <Foundation/NSSharedPtr.hpp>

#include "support/error.h"

namespace metalloid::metal {

/// Domain MTLLibraryErrorDomain, code MTL::LibraryError: libraries, functions and pipelines.
NS::SharedPtr<NS::Error> libraryError(const Error& error);

/// Domain MTLCommandBufferErrorDomain, code MTL::CommandBufferError.
NS::SharedPtr<NS::Error> commandBufferError(const Error& error);

/// Gives `error`, autoreleased, to a caller who wants it.
inline void report(NS::Error** out, NS::SharedPtr<NS::Error> error) {
  if (!out)
    return;
  *out = error->autorelease();
  error.detach();
}

} // namespace metalloid::metal
