// SPDX-License-Identifier: Apache-2.0
#include "runtime/disk_cache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace metalloid::runtime {

namespace {

namespace fs = std::filesystem;

/// In front of every payload. The hash is looked at before anything else is done with the payload.
struct EntryHeader {
  std::array<char, 8> magic = {'M', 'T', 'L', 'C', 'A', 'C', 'H', 'E'};
  uint32_t version = 1;
  uint32_t reserved = 0;
  Sha256 key{};
  Sha256 payloadHash{};
  uint64_t payloadBytes = 0;
};
static_assert(sizeof(EntryHeader) == 88);

constexpr uint64_t MaxEntryBytes = 1ull << 30;
/// Marking an entry as used costs a write; once in this many seconds is enough.
constexpr time_t UseGranularity = 3600;
constexpr auto MakerPatience = std::chrono::seconds(60);

/// A file descriptor that closes itself.
class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }
  bool isOpen() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

  bool write(ByteView bytes) const {
    while (!bytes.empty()) {
      ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0)
        return false;
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return true;
  }

  bool read(Bytes& bytes) const {
    size_t at = 0;
    while (at < bytes.size()) {
      ssize_t got = ::read(descriptor_, bytes.data() + at, bytes.size() - at);
      if (got <= 0)
        return false;
      at += static_cast<size_t>(got);
    }
    return true;
  }

private:
  int descriptor_;
};

/// The folder, if it is one that nobody but this user and root can have written to.
fs::path trusted(const fs::path& folder) {
  struct stat status{};
  if (folder.empty() || stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return {};
  bool ours = status.st_uid == geteuid() || status.st_uid == 0;
  bool othersWrite = status.st_mode & (S_IWGRP | S_IWOTH);
  return ours && !othersWrite ? folder : fs::path();
}

/// Makes `folder` and what is missing above it, for this user alone.
void makeFolder(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::exists(folder, error))
    return;
  makeFolder(folder.parent_path());
  mkdir(folder.c_str(), 0700);
}

fs::path usersFolder() {
  if (const char* path = std::getenv("METALLOID_CACHE_PATH"))
    return path;
  if (const char* path = std::getenv("XDG_CACHE_HOME"); path && *path == '/')
    return fs::path(path) / "metalloid";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return fs::path(home) / ".cache" / "metalloid";
  return {};
}

/// Calls visit(path, status) for each entry, and for files that a crash has left behind.
template <typename Visit> void forEachEntry(const fs::path& folder, Visit visit) {
  std::error_code error;
  for (const fs::directory_entry& group : fs::directory_iterator(folder, error)) {
    if (group.path().filename().string().size() != 2)
      continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(group.path(), error)) {
      struct stat status{};
      if (lstat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
        visit(entry.path(), status);
    }
  }
}

} // namespace

DiskCache& DiskCache::shared() {
  static auto* cache = new DiskCache(usersFolder()); // Never destroyed: queues may outlive statics.
  return *cache;
}

DiskCache::DiskCache(fs::path folder, uint64_t maxBytes) : maxBytes_(maxBytes) {
  makeFolder(folder);
  folder_ = trusted(folder);
}

fs::path DiskCache::pathOf(const Sha256& key) const {
  std::string name = toHex(key);
  return folder_ / name.substr(0, 2) / name.substr(2);
}

std::optional<Bytes> DiskCache::find(const Sha256& key) const {
  if (!isOn())
    return std::nullopt;
  File file(open(pathOf(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  if (!file.isOpen() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  auto size = static_cast<uint64_t>(status.st_size);
  if (size < sizeof(EntryHeader) || size > sizeof(EntryHeader) + MaxEntryBytes)
    return std::nullopt;
  Bytes bytes(size);
  if (!file.read(bytes))
    return std::nullopt;
  auto header = ByteReader(bytes).read<EntryHeader>();
  const EntryHeader expected;
  ByteView payload = ByteView(bytes).subspan(sizeof(EntryHeader));
  if (header.magic != expected.magic || header.version != expected.version || header.key != key ||
      header.payloadBytes != payload.size() || header.payloadHash != sha256(payload))
    return std::nullopt;
  if (time(nullptr) - status.st_mtime > UseGranularity)
    futimens(file.get(), nullptr);
  bytes.erase(bytes.begin(), bytes.begin() + sizeof(EntryHeader));
  return bytes;
}

void DiskCache::store(const Sha256& key, ByteView payload) {
  if (!isOn() || payload.size() > MaxEntryBytes)
    return;
  EntryHeader header;
  header.key = key;
  header.payloadHash = sha256(payload);
  header.payloadBytes = payload.size();

  fs::path path = pathOf(key);
  mkdir(path.parent_path().c_str(), 0700);
  static std::atomic<uint64_t> counter{0};
  std::string temporary = fmt::format("{}.{}.{}", path.string(), getpid(), counter.fetch_add(1));
  bool written;
  {
    File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.isOpen())
      return;
    written = file.write({reinterpret_cast<const std::byte*>(&header), sizeof header}) &&
              file.write(payload);
  }
  if (!written || rename(temporary.c_str(), path.c_str()) != 0) {
    unlink(temporary.c_str());
    return;
  }
  std::lock_guard lock(evicting_);
  storedSinceLook_ += std::min(payload.size() + sizeof header, UINT64_MAX - storedSinceLook_);
  if (storedSinceLook_ > maxBytes_ / 16) {
    storedSinceLook_ = 0;
    evict();
  }
}

void DiskCache::remove(const Sha256& key) {
  if (isOn())
    unlink(pathOf(key).c_str());
}

DiskCache::Usage DiskCache::usage() const {
  Usage usage;
  if (isOn())
    forEachEntry(folder_, [&](const fs::path&, const struct stat& status) {
      usage.bytes += static_cast<uint64_t>(status.st_size);
      ++usage.entries;
    });
  return usage;
}

void DiskCache::clear() {
  if (isOn())
    forEachEntry(folder_, [](const fs::path& path, const struct stat&) { unlink(path.c_str()); });
}

void DiskCache::evict() {
  struct Entry {
    time_t used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  forEachEntry(folder_, [&](const fs::path& path, const struct stat& status) {
    entries.push_back({status.st_mtime, static_cast<uint64_t>(status.st_size), path});
    total += entries.back().bytes;
  });
  if (total <= maxBytes_)
    return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= maxBytes_ / 4 * 3)
      return;
    unlink(entry.path.c_str());
    total -= entry.bytes;
  }
}

DiskCache::Maker::Maker(const DiskCache& cache, const Sha256& key) {
  if (!cache.isOn())
    return;
  std::string name = "lock-" + toHex(key).substr(0, 2);
  descriptor_ =
      open((cache.folder() / name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor_ < 0)
    return;
  // A record lock: unlike flock's it does not live on in the children of a fork.
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = key[1]; // A byte a key, more or less: others need not wait.
  lock.l_len = 1;
  auto deadline = std::chrono::steady_clock::now() + MakerPatience;
  auto pause = std::chrono::milliseconds(1);
  while (fcntl(descriptor_, F_SETLK, &lock) != 0 && std::chrono::steady_clock::now() < deadline) {
    std::error_code error;
    if (fs::exists(cache.pathOf(key), error))
      return;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
}

DiskCache::Maker::~Maker() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

} // namespace metalloid::runtime
