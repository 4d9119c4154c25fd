// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu_count.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include <sched.h>

namespace metalloid::runtime {

namespace {

unsigned cpusOfAffinityMask() {
  // Machines with more CPUs than a cpu_set_t holds need a larger set: EINVAL until it is enough.
  for (int capacity = CPU_SETSIZE; capacity <= 1 << 20; capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(capacity);
    size_t bytes = CPU_ALLOC_SIZE(capacity);
    bool known = sched_getaffinity(0, bytes, set) == 0;
    int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known)
      return std::max(count, 1);
  }
  return 1;
}

std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// CPUs that the quota file of one control group grants; nothing where it sets no limit.
std::optional<double> quotaOfGroup(const std::string& folder, bool version2) {
  double quota = -1, period = 0;
  if (version2) {
    std::string line = firstLine(folder + "/cpu.max"); // "150000 100000" or "max 100000"
    size_t space = line.find(' ');
    if (space == std::string::npos || line.starts_with("max"))
      return std::nullopt;
    quota = std::atof(line.c_str());
    period = std::atof(line.c_str() + space);
  } else {
    quota = std::atof(firstLine(folder + "/cpu.cfs_quota_us").c_str());
    period = std::atof(firstLine(folder + "/cpu.cfs_period_us").c_str());
  }
  if (quota <= 0 || period <= 0)
    return std::nullopt;
  return quota / period;
}

/// The tightest quota on the way from this process's group to the root of the hierarchy.
std::optional<double> cpuQuota() {
  std::optional<double> least;
  std::ifstream groups("/proc/self/cgroup"); // "hierarchy:controllers:path"
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    bool version2 = controllers == ",,";
    if (!version2 && controllers.find(",cpu,") == std::string::npos)
      continue;
    std::string root = version2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    std::string path = line.substr(second + 1);
    for (;;) {
      if (auto quota = quotaOfGroup(root + path, version2))
        least = std::min(least.value_or(*quota), *quota);
      size_t slash = path.rfind('/');
      if (slash == std::string::npos)
        break;
      path.resize(slash);
    }
  }
  return least;
}

std::optional<unsigned> cpusAskedFor() {
  const char* text = std::getenv("METALLOID_NUM_THREADS");
  if (!text)
    return std::nullopt;
  unsigned count = 0;
  std::string_view view = text;
  auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), count);
  if (error != std::errc() || end != view.data() + view.size() || count < 1)
    return std::nullopt;
  return std::min(count, 1024u);
}

} // namespace

unsigned usableCpus() {
  if (auto asked = cpusAskedFor())
    return *asked;
  unsigned cpus = cpusOfAffinityMask();
  if (auto quota = cpuQuota())
    cpus = std::min(cpus, std::max(1u, static_cast<unsigned>(std::ceil(*quota))));
  return cpus;
}

} // namespace metalloid::runtime
