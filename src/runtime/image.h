// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/compiler_client.h"
#include "support/bytes.h"

namespace metalloid::runtime {

/// Maps the image in `file` (compiler::ImageFile, serialised), whose hash has been checked.
/// `kernel` is for the error.
Expected<std::shared_ptr<const Image>> mapImage(ByteView file, const std::string& kernel);

} // namespace metalloid::runtime
