// SPDX-License-Identifier: Apache-2.0
// Where the functions of a library come from: compiled source, or an archive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metal/function.h"
#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::metal {

class CodeSource {
public:
  virtual ~CodeSource() = default;
  virtual std::vector<std::string> names() const = 0;
  virtual std::optional<FunctionCode> find(std::string_view name) const = 0;
};

std::unique_ptr<CodeSource> codeOfSource(runtime::CompiledSource compiled);

/// `owner` keeps `file` alive.
Expected<std::unique_ptr<CodeSource>> codeOfArchive(std::shared_ptr<const void> owner,
                                                    ByteView file);

/// Maps the file; `operation` starts the error messages.
Expected<std::unique_ptr<CodeSource>> codeOfArchiveFile(const std::string& path,
                                                        std::string_view operation);

} // namespace metalloid::metal
