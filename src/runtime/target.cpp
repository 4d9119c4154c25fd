// SPDX-License-Identifier: Apache-2.0
#include "runtime/target.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "runtime/arch.h"

namespace metalloid::runtime {

namespace {

/// The lines that describe the first processor in /proc/cpuinfo, but for those that change.
std::string describeFirstProcessor() {
  std::string text;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const char* stable : {"vendor_id", "cpu family", "model", "stepping", "flags", "Features",
                               "CPU implementer", "CPU part", "CPU variant"})
      if (line.starts_with(stable)) {
        text += line + "\n";
        break;
      }
  return text;
}

std::string valueOf(const std::string& lines, std::string_view name) {
  size_t at = lines.find(name);
  size_t colon = at == std::string::npos ? at : lines.find(": ", at);
  if (colon == std::string::npos)
    return {};
  return lines.substr(colon + 2, lines.find('\n', colon) - colon - 2);
}

} // namespace

Expected<std::string> targetName() {
  const char* asked = std::getenv("METALLOID_CPU");
  if (!asked || !*asked || std::string_view(asked) == "native")
    return "native";
  auto levels = arch::levels();
  std::string known = "native";
  for (const arch::Level& level : levels) {
    if (level.name != asked) {
      known += fmt::format(", {}", level.name);
      continue;
    }
    if (level.supported)
      return std::string(level.name);
    return fail(
        Error::Kind::NotSupported,
        fmt::format("METALLOID_CPU={}: this processor ({}) cannot run it", asked, hostName()));
  }
  return fail(Error::Kind::InvalidArgument,
              fmt::format("METALLOID_CPU={} is not known here; there are {}", asked, known));
}

const std::string& hostIdentity() {
  static const std::string identity = describeFirstProcessor();
  return identity;
}

std::string hostName() {
  std::string model = valueOf(hostIdentity(), "model name");
  return fmt::format("{} ({})", model.empty() ? "CPU" : model, arch::vectorName());
}

} // namespace metalloid::runtime
