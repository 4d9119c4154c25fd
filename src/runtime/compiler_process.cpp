// SPDX-License-Identifier: Apache-2.0
#include "runtime/compiler_process.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/compiler_program.h"
#include "runtime/cpu_count.h"

extern "C" char** environ;

namespace metalloid::runtime {

namespace {

using compiler::Operation;
using compiler::ReplyHeader;
using compiler::RequestHeader;
using compiler::Status;
using Clock = std::chrono::steady_clock;

/// How long past its limit a compiler may take to say so itself.
constexpr std::chrono::seconds Grace{1};

/// How a request ended, from the socket's point of view.
struct Outcome {
  enum class Kind {
    Answered,
    Lost,     ///< The process ended without an answer.
    TimedOut, ///< It neither answered nor ended.
    NotOurs,  ///< What came back is not our protocol, or another version of it.
  } kind = Kind::Lost;
  Status status = Status::Ok;
  Bytes payload;
  std::string progress; ///< What the compiler said last that it was doing; empty: nothing at all.
  uint32_t version = 0; ///< NotOurs.
};

class CompilerProcess {
public:
  static Expected<std::unique_ptr<CompilerProcess>> start(const std::string& path);

  CompilerProcess(pid_t pid, int socket) : pid_(pid), socket_(socket) {}
  CompilerProcess(const CompilerProcess&) = delete;
  CompilerProcess& operator=(const CompilerProcess&) = delete;
  ~CompilerProcess() { hangUp(); }

  Outcome ask(Operation operation, ByteView payload, const CompilerLimits& limits);

  /// Whether it has ended, or closed the socket, while idle.
  bool hasLeft() const {
    char byte;
    return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  }

  void kill() { ::kill(pid_, SIGKILL); }
  void hangUp() {
    if (socket_ >= 0)
      close(std::exchange(socket_, -1));
  }

  /// Waits for the end of the process, which must be near. Nothing where the host's handling of
  /// SIGCHLD has taken the status.
  std::optional<int> reap();
  pid_t pid() const { return pid_; }

private:
  bool send(const RequestHeader& header, ByteView payload);
  bool receive(void* buffer, size_t bytes, Clock::time_point deadline, bool& timedOut);

  pid_t pid_;
  int socket_;
};

/// Spawn attributes and file actions that are freed on every way out.
struct SpawnSetup {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;

  SpawnSetup() {
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

Expected<std::unique_ptr<CompilerProcess>> CompilerProcess::start(const std::string& path) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return fail(Error::Kind::Io, fmt::format("compiler: no socket: {}", std::strerror(errno)));

  // The child has its own process group (Ctrl-C is not for it), default signals, no files but the
  // socket as descriptor 3.
  SpawnSetup setup;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&setup.attributes, &none);
  posix_spawnattr_setsigdefault(&setup.attributes, &all);
  posix_spawnattr_setpgroup(&setup.attributes, 0);
  posix_spawnattr_setflags(&setup.attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  constexpr int childSocket = 3;
  posix_spawn_file_actions_adddup2(&setup.actions, pair[1], childSocket);
  for (int descriptor : {0, 1, 2})
    posix_spawn_file_actions_addopen(&setup.actions, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_addclosefrom_np(&setup.actions, childSocket + 1);

  std::string arguments[] = {"metalloid-compiler", "--serve", std::to_string(childSocket)};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  pid_t pid = 0;
  int failed = posix_spawn(&pid, path.c_str(), &setup.actions, &setup.attributes, argv, environ);
  close(pair[1]);
  if (failed) {
    close(pair[0]);
    return fail(Error::Kind::Io,
                fmt::format("compiler: {} cannot be started: {}", path, std::strerror(failed)));
  }
  return std::make_unique<CompilerProcess>(pid, pair[0]);
}

bool CompilerProcess::send(const RequestHeader& header, ByteView payload) {
  auto sendAll = [this](const void* data, size_t bytes) {
    const auto* at = static_cast<const char*>(data);
    while (bytes != 0) {
      ssize_t sent = ::send(socket_, at, bytes, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR)
        continue;
      if (sent <= 0)
        return false;
      at += sent;
      bytes -= static_cast<size_t>(sent);
    }
    return true;
  };
  return sendAll(&header, sizeof header) && sendAll(payload.data(), payload.size());
}

bool CompilerProcess::receive(void* buffer, size_t bytes, Clock::time_point deadline,
                              bool& timedOut) {
  auto* at = static_cast<char*>(buffer);
  while (bytes != 0) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd watched{socket_, POLLIN, 0};
    int ready = left > 0 ? poll(&watched, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0) {
      timedOut = true;
      return false;
    }
    ssize_t got = recv(socket_, at, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

Outcome CompilerProcess::ask(Operation operation, ByteView payload, const CompilerLimits& limits) {
  RequestHeader request;
  request.operation = operation;
  request.timeLimitMilliseconds = static_cast<uint32_t>(limits.time.count());
  request.memoryLimitBytes = limits.memoryBytes;
  request.payloadBytes = payload.size();
  auto deadline = Clock::now() + limits.time + Grace;

  Outcome outcome;
  // A process that ends while it is being written to may still have said why: read on.
  send(request, payload);
  for (;;) {
    ReplyHeader header;
    bool timedOut = false;
    auto lost = [&] {
      outcome.kind = timedOut ? Outcome::Kind::TimedOut : Outcome::Kind::Lost;
      return outcome;
    };
    if (!receive(&header, sizeof header, deadline, timedOut))
      return lost();
    if (header.magic != compiler::ReplyMagic || header.version != compiler::ProtocolVersion ||
        header.payloadBytes > compiler::MaxMessageBytes) {
      outcome.kind = Outcome::Kind::NotOurs;
      outcome.version = header.magic == compiler::ReplyMagic ? header.version : 0;
      return outcome;
    }
    Bytes bytes(header.payloadBytes);
    if (!receive(bytes.data(), bytes.size(), deadline, timedOut))
      return lost();
    if (header.status == Status::Progress) {
      outcome.progress = asText(bytes);
      continue;
    }
    outcome.kind = Outcome::Kind::Answered;
    outcome.status = header.status;
    outcome.payload = std::move(bytes);
    return outcome;
  }
}

std::optional<int> CompilerProcess::reap() {
  hangUp();
  for (int round = 0; round < 2000; ++round) {
    int status = 0;
    pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_)
      return status;
    if (ended < 0 && errno != EINTR)
      return std::nullopt;
    usleep(500);
  }
  kill();
  return std::nullopt;
}

std::string describeEnd(std::optional<int> status) {
  if (status && WIFSIGNALED(*status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(*status),
                       strsignal(WTERMSIG(*status)));
  if (status && WIFEXITED(*status))
    return fmt::format("ended with exit code {}", WEXITSTATUS(*status));
  return "ended";
}

/// The processes, and who may use one now.
class CompilerPool {
public:
  static CompilerPool& shared();

  Expected<Bytes> ask(Operation operation, ByteView payload);
  void setLimits(const CompilerLimits& limits) {
    std::lock_guard lock(mutex_);
    limits_ = limits;
  }

private:
  struct Use {
    std::unique_ptr<CompilerProcess> process;
    bool isNew = false;
  };

  CompilerPool();
  Expected<Use> take(const CompilerProgram& program);
  void giveBack(std::unique_ptr<CompilerProcess> process);
  void end(std::unique_ptr<CompilerProcess> process);
  void forgetParents();
  void reapLater(pid_t pid);
  Error explain(const Outcome& outcome, CompilerProcess& process, const CompilerProgram& program,
                const CompilerLimits& limits);

  std::mutex mutex_;
  std::condition_variable available_;
  CompilerLimits limits_;
  std::string path_; ///< The program of the idle processes.
  std::vector<std::unique_ptr<CompilerProcess>> idle_;
  std::vector<CompilerProcess*> busy_;
  std::vector<pid_t> ended_; ///< Told to end, status not yet collected.
  unsigned starting_ = 0;    ///< Places taken by processes that are being started.
  pid_t owner_ = getpid();
};

CompilerPool& CompilerPool::shared() {
  static auto* pool = new CompilerPool; // Never destroyed: the sockets close with the process.
  return *pool;
}

CompilerPool::CompilerPool() {
  // A child that kept the sockets would keep the parent's compilers alive, and talk into its
  // conversations. The lock is held across the fork so that the lists are whole in the child.
  pthread_atfork([] { shared().mutex_.lock(); }, [] { shared().mutex_.unlock(); },
                 [] {
                   shared().forgetParents();
                   shared().mutex_.unlock();
                 });
}

void CompilerPool::forgetParents() {
  for (auto& process : idle_)
    process->hangUp();
  for (CompilerProcess* process : busy_)
    process->hangUp();
  idle_.clear();
  busy_.clear();
  ended_.clear();
  starting_ = 0;
  owner_ = getpid();
  new (&available_) std::condition_variable; // Its waiters are threads of the parent.
}

Expected<CompilerPool::Use> CompilerPool::take(const CompilerProgram& program) {
  std::unique_lock lock(mutex_);
  if (owner_ != getpid()) // A fork that ran no handlers.
    forgetParents();
  std::erase_if(ended_, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) != 0; });
  if (path_ != program.path) {
    for (auto& process : std::exchange(idle_, {})) {
      process->hangUp();
      ended_.push_back(process->pid());
    }
    path_ = program.path;
  }
  unsigned places = usableCpus();
  available_.wait(lock, [&] { return !idle_.empty() || busy_.size() + starting_ < places; });
  while (!idle_.empty()) {
    auto process = std::move(idle_.back());
    idle_.pop_back();
    if (process->hasLeft()) {
      process->hangUp();
      ended_.push_back(process->pid());
      continue;
    }
    busy_.push_back(process.get());
    return Use{std::move(process), /*isNew=*/false};
  }
  ++starting_;
  lock.unlock();
  auto started = CompilerProcess::start(program.path);
  lock.lock();
  --starting_;
  if (!started) {
    available_.notify_one();
    return tl::unexpected(started.error());
  }
  busy_.push_back(started->get());
  return Use{std::move(*started), /*isNew=*/true};
}

void CompilerPool::giveBack(std::unique_ptr<CompilerProcess> process) {
  std::lock_guard lock(mutex_);
  std::erase(busy_, process.get());
  idle_.push_back(std::move(process));
  available_.notify_one();
}

void CompilerPool::end(std::unique_ptr<CompilerProcess> process) {
  std::lock_guard lock(mutex_);
  std::erase(busy_, process.get());
  available_.notify_one();
}

Error CompilerPool::explain(const Outcome& outcome, CompilerProcess& process,
                            const CompilerProgram& program, const CompilerLimits& limits) {
  using Kind = Outcome::Kind;
  std::string text(asText(outcome.payload));
  std::string when = outcome.progress.empty() ? "" : fmt::format(" while {}", outcome.progress);
  if (outcome.kind == Kind::Answered)
    return {Error::Kind::CompilerCrashed, fmt::format("compiler: {}{}", text, when)};
  if (outcome.kind == Kind::TimedOut) {
    process.kill();
    process.reap();
    return {Error::Kind::CompilerCrashed,
            fmt::format("compiler: no answer within {} ms{}", limits.time.count(), when)};
  }
  if (outcome.kind == Kind::NotOurs) {
    process.kill();
    process.reap();
    return {Error::Kind::Io,
            fmt::format("compiler: {} does not speak version {} of the protocol (it answered with "
                        "{}); library and compiler must come from one build",
                        program.path, compiler::ProtocolVersion, outcome.version)};
  }
  std::string end = describeEnd(process.reap());
  if (outcome.progress.empty())
    return {Error::Kind::CompilerCrashed,
            fmt::format("compiler: {} {} before it took the request; is it a working "
                        "metalloid-compiler? `{} --version` tells",
                        program.path, end, program.path)};
  return {Error::Kind::CompilerCrashed,
          fmt::format("compiler: the process {}{}; the next request starts a new one", end, when)};
}

Expected<Bytes> CompilerPool::ask(Operation operation, ByteView payload) {
  if (payload.size() > compiler::MaxMessageBytes)
    return fail(Error::Kind::InvalidArgument,
                fmt::format("compiler: a request of {} bytes is over the limit of {}",
                            payload.size(), compiler::MaxMessageBytes));
  auto program = findCompiler();
  if (!program)
    return tl::unexpected(program.error());
  for (bool retried = false;; retried = true) {
    auto use = take(*program);
    if (!use)
      return tl::unexpected(use.error());
    CompilerLimits limits = [&] {
      std::lock_guard lock(mutex_);
      return limits_;
    }();
    Outcome outcome = use->process->ask(operation, payload, limits);
    bool answered = outcome.kind == Outcome::Kind::Answered;
    if (answered && (outcome.status == Status::Ok || outcome.status == Status::Refused)) {
      giveBack(std::move(use->process));
      if (outcome.status == Status::Ok)
        return std::move(outcome.payload);
      return fail(Error::Kind::CompileFailed, std::string(asText(outcome.payload)));
    }
    // One that died of idleness, or was killed, before it took the request is not to blame for it.
    bool untouched = outcome.kind == Outcome::Kind::Lost && outcome.progress.empty();
    if (untouched && !use->isNew && !retried) {
      use->process->reap();
      end(std::move(use->process));
      continue;
    }
    Error error = explain(outcome, *use->process, *program, limits);
    if (answered)
      use->process->reap();
    end(std::move(use->process));
    return tl::unexpected(std::move(error));
  }
}

} // namespace

void setCompilerLimits(const CompilerLimits& limits) {
  CompilerPool::shared().setLimits(limits);
}

Expected<Bytes> askCompiler(Operation operation, ByteView payload) {
  return CompilerPool::shared().ask(operation, payload);
}

} // namespace metalloid::runtime
