// SPDX-License-Identifier: Apache-2.0
// The cache on disk: compiled sources, reflections and images, by a hash of all they depend on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "support/bytes.h"
#include "support/sha256.h"

namespace metalloid::runtime {

class DiskCache {
public:
  static constexpr uint64_t DefaultMaxBytes = 1ull << 30;

  /// That of this user: METALLOID_CACHE_PATH (empty: none), else XDG_CACHE_HOME/metalloid, else
  /// ~/.cache/metalloid.
  static DiskCache& shared();

  /// In `folder`, which is made with mode 0700 where it is missing. Off, so that nothing is found
  /// and nothing kept, where `folder` is empty, cannot be made, or is not ours: its owner must be
  /// this user or root, and nobody else may write to it.
  explicit DiskCache(std::filesystem::path folder, uint64_t maxBytes = DefaultMaxBytes);

  bool isOn() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

  /// The payload kept under `key`; nothing where there is none or it is damaged in any way.
  std::optional<Bytes> find(const Sha256& key) const;

  /// Keeps `payload`, or does nothing where that fails. Now and then removes the entries that were
  /// not used for longest, so that the whole stays below its bound.
  void store(const Sha256& key, ByteView payload);

  void remove(const Sha256& key);

  /// Bytes and number of entries.
  struct Usage {
    uint64_t bytes = 0, entries = 0;
  };
  Usage usage() const;
  /// Removes every entry.
  void clear();

  /// Keeps other processes from making the same entry at the same time. Waits for one that does
  /// until it has finished, but not for ever: this saves work and is not needed for correctness.
  class Maker {
  public:
    Maker(const DiskCache& cache, const Sha256& key);
    Maker(const Maker&) = delete;
    Maker& operator=(const Maker&) = delete;
    ~Maker();

  private:
    int descriptor_ = -1;
  };

private:
  std::filesystem::path pathOf(const Sha256& key) const;
  void evict();

  std::filesystem::path folder_;
  uint64_t maxBytes_;
  std::mutex evicting_;
  uint64_t storedSinceLook_ = UINT64_MAX; ///< Bytes; so that the first store looks.
};

} // namespace metalloid::runtime
