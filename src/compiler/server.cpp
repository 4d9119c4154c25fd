// SPDX-License-Identifier: Apache-2.0
#include "compiler/server.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>

#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace metalloid::compiler {

namespace {

using Clock = std::chrono::steady_clock;

/// Clang and LLVM recurse deeply over nested source; untouched pages cost nothing.
constexpr size_t StackBytes = 256 << 20;
constexpr std::chrono::seconds IdleLimit{20};

enum ExitCode { Done = 0, Protocol = 65, GaveUp = 70, ClientGone = 74 };

int theSocket = -1;
/// Held while a message is written; endWith() never gives it back, so nothing follows its words.
std::mutex sending;

bool sendAll(const void* header, size_t headerBytes, std::string_view payload) {
  iovec parts[2] = {{const_cast<void*>(header), headerBytes},
                    {const_cast<char*>(payload.data()), payload.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  while (parts[0].iov_len + parts[1].iov_len != 0) {
    ssize_t sent = sendmsg(theSocket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    for (iovec& part : parts) {
      size_t taken = std::min(static_cast<size_t>(sent), part.iov_len);
      part = {static_cast<char*>(part.iov_base) + taken, part.iov_len - taken};
      sent -= static_cast<ssize_t>(taken);
    }
  }
  return true;
}

bool sendReply(Status status, std::string_view payload) {
  ReplyHeader header{.status = status, .payloadBytes = payload.size()};
  return sendAll(&header, sizeof header, payload);
}

void sendProgress(std::string_view what) {
  std::lock_guard lock(sending);
  sendReply(Status::Progress, what);
}

bool receiveAll(void* buffer, size_t bytes) {
  auto* at = static_cast<char*>(buffer);
  while (bytes != 0) {
    ssize_t got = recv(theSocket, at, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

/// The limit is soft: the next request may ask for more.
void limitMemory(uint64_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = bytes == 0 ? limit.rlim_max : std::min<rlim_t>(bytes, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

/// The thread that runs handlers, and what it is handed.
class Worker {
public:
  explicit Worker(Handler handler) : handler_(handler) {}

  bool start() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, StackBytes);
    pthread_t thread;
    int failed = pthread_create(
        &thread, &attributes,
        [](void* self) -> void* {
          static_cast<Worker*>(self)->work();
          return nullptr;
        },
        this);
    pthread_attr_destroy(&attributes);
    return failed == 0 && pthread_detach(thread) == 0 && pipe(doneSignal_) == 0;
  }

  void give(Operation operation, Bytes payload) {
    std::lock_guard lock(mutex_);
    operation_ = operation;
    payload_ = std::move(payload);
    answer_.reset();
    waiting_ = true;
    given_.notify_one();
  }

  /// Readable when the answer is there.
  int doneSignal() const { return doneSignal_[0]; }

  Answer takeAnswer() {
    char byte;
    while (read(doneSignal_[0], &byte, 1) < 0 && errno == EINTR)
      ;
    std::lock_guard lock(mutex_);
    return std::move(*answer_);
  }

private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      given_.wait(lock, [this] { return waiting_; });
      waiting_ = false;
      lock.unlock();
      Answer answer = handler_(operation_, payload_, sendProgress);
      lock.lock();
      answer_ = std::move(answer);
      lock.unlock();
      while (write(doneSignal_[1], "", 1) < 0 && errno == EINTR)
        ;
    }
  }

  Handler handler_;
  int doneSignal_[2] = {-1, -1};
  std::mutex mutex_;
  std::condition_variable given_;
  bool waiting_ = false;
  Operation operation_{};
  Bytes payload_;
  std::optional<Answer> answer_;
};

/// Waits for the worker's answer; does not return when the client leaves or the time is over.
void awaitAnswer(const Worker& worker, uint32_t limitMilliseconds) {
  auto deadline = Clock::now() + std::chrono::milliseconds(limitMilliseconds);
  for (;;) {
    int timeout = -1;
    if (limitMilliseconds != 0) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0)
        endWith(Status::TimeLimit, "the time limit of " + std::to_string(limitMilliseconds) +
                                       " ms for one request is over");
      timeout = static_cast<int>(left);
    }
    pollfd watched[2] = {{worker.doneSignal(), POLLIN, 0}, {theSocket, POLLRDHUP, 0}};
    if (poll(watched, 2, timeout) < 0)
      continue;
    if (watched[0].revents)
      return;
    if (watched[1].revents)
      _exit(ClientGone);
  }
}

bool comesInTime() {
  pollfd watched{theSocket, POLLIN, 0};
  auto limit = std::chrono::milliseconds(IdleLimit).count();
  int ready;
  do
    ready = poll(&watched, 1, static_cast<int>(limit));
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

} // namespace

int serve(int socket, Handler handler) {
  theSocket = socket;
  std::set_new_handler([] { endWith(Status::OutOfMemory, "the compiler ran out of memory"); });
  Worker worker(handler);
  if (!worker.start())
    endWith(Status::OutOfMemory, "the compiler cannot start its thread");
  RequestHeader header;
  while (comesInTime() && receiveAll(&header, sizeof header)) {
    if (header.magic != RequestMagic || header.version != ProtocolVersion)
      endWith(Status::Fatal, "the compiler speaks version " + std::to_string(ProtocolVersion) +
                                 " of its protocol and was asked in version " +
                                 std::to_string(header.version));
    if (header.payloadBytes > MaxMessageBytes)
      endWith(Status::Fatal, "a request of " + std::to_string(header.payloadBytes) +
                                 " bytes is larger than the limit of " +
                                 std::to_string(MaxMessageBytes));
    Bytes payload(header.payloadBytes);
    if (!receiveAll(payload.data(), payload.size()))
      return ClientGone;
    sendProgress("reading the request");
    limitMemory(header.memoryLimitBytes);
    worker.give(header.operation, std::move(payload));
    awaitAnswer(worker, header.timeLimitMilliseconds);
    Answer answer = worker.takeAnswer();
    limitMemory(0);
    std::lock_guard lock(sending);
    if (!sendReply(answer.status, asText(answer.payload)))
      return ClientGone;
  }
  return Done;
}

void endWith(Status status, std::string_view text) {
  // The lock may be held by a thread that waits for a client who has stopped reading.
  for (int round = 0; round < 1000 && !sending.try_lock(); ++round)
    usleep(1000);
  sendReply(status, text);
  _exit(GaveUp);
}

} // namespace metalloid::compiler
