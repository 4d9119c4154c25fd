// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker_thread.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <signal.h>
#include <sys/auxv.h>

#include "runtime/arch.h"

namespace metalloid::runtime {

namespace {

/// Polls of a loop between two looks at the clock.
constexpr uint32_t PollsPerLook = 256;

/// The worker that runs image code on this thread now. Read by the signal handler, hence a plain
/// pointer in storage that needs no first-use allocation.
[[gnu::tls_model("initial-exec")]] thread_local WorkerThread* running = nullptr;

constexpr std::array FaultSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, FaultSignals.size()> previousActions;

} // namespace

void WorkerThread::AlignedDelete::operator()(std::byte* memory) const {
  std::free(memory);
}

WorkerThread::AlignedBytes WorkerThread::allocateAligned(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, bytes));
  if (!memory)
    throw std::bad_alloc();
  std::fill_n(memory, bytes, std::byte(0));
  return AlignedBytes(memory);
}

WorkerThread& WorkerThread::current() {
  // On the heap: `running` puts the library's thread-local storage into the small block that the
  // loader keeps for libraries opened late, as Python does.
  static thread_local const std::unique_ptr<WorkerThread> worker(new WorkerThread);
  return *worker;
}

WorkerThread::WorkerThread() {
  installSignalHandlers();
  // A vector load may reach past the last element; what it reads there is not used.
  threadgroupMemory_ = allocateAligned(ThreadgroupMemoryBytes + 256);
  worker_.services = &services;
  worker_.threadgroupMemory = threadgroupMemory_.get();
  worker_.thread = this;

  // A fiber that overflows its stack can be told only on another one.
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
    size_t bytes = std::max<size_t>(getauxval(AT_MINSIGSTKSZ), 4096) + 32768;
    signalStack_ = allocateAligned(bytes);
    stack = {.ss_sp = signalStack_.get(), .ss_flags = 0, .ss_size = bytes};
    sigaltstack(&stack, nullptr);
  }
}

WorkerThread::~WorkerThread() {
  if (!signalStack_)
    return;
  stack_t now{};
  if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == signalStack_.get()) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
}

Expected<void> WorkerThread::prepare(const BoxCall& call) {
  const cpu::Traits& traits = *call.traits;
  size_t scratch = traits.scratchFixedBytes +
                   static_cast<size_t>(traits.scratchBytesPerSimdgroup) * call.simdgroups;
  if (scratch > scratchBytes_) {
    scratch_ = allocateAligned(scratch);
    scratchBytes_ = scratch;
    worker_.scratch = scratch_.get();
  }
  return traits.fibers ? fibers_.reserve(call.simdgroups) : Expected<void>();
}

std::optional<Fault> WorkerThread::run(const BoxCall& call, uint64_t first, uint64_t count) {
  call_ = &call;
  failed_ = false;
  running = this;
  if (_setjmp(recovery_) == 0)
    runThreadgroups(call, first, count);
  else
    fibers_.abandon();
  running = nullptr;
  call_ = nullptr;
  return failed_ ? std::optional(fault_) : std::nullopt;
}

void WorkerThread::runThreadgroups(const BoxCall& call, uint64_t first, uint64_t count) {
  if (!call.traits->fibers)
    return call.entry(&call.launch, &worker_, first, count);
  for (uint64_t i = 0; i < count && !failed_; ++i) {
    fiberThreadgroup_ = first + i;
    if (!fibers_.run(call.simdgroups, runFiber, this)) {
      fault_ = {.kind = Fault::Kind::DivergentBarrier};
      failed_ = true;
    }
  }
}

void WorkerThread::runFiber(void* thread, uint32_t simdgroup) {
  auto& self = *static_cast<WorkerThread*>(thread);
  Linked worker = self.worker_;
  worker.simdgroup = simdgroup;
  self.call_->entry(&self.call_->launch, &worker, self.fiberThreadgroup_, 1);
}

void WorkerThread::barrier(cpu::Worker* worker, uint32_t number) {
  static_cast<Linked*>(worker)->thread->fibers_.barrier(number);
}

bool WorkerThread::interrupted(cpu::Worker* worker) {
  WorkerThread& self = *static_cast<Linked*>(worker)->thread;
  if (self.failed_)
    return true;
  if (++self.polls_ % PollsPerLook != 0 || !self.call_->stop->mustStop())
    return false;
  self.fault_ = {.kind = Fault::Kind::Stopped};
  self.failed_ = true;
  return true;
}

void WorkerThread::divergentBarrier(cpu::Worker* worker, uint32_t) {
  WorkerThread& self = *static_cast<Linked*>(worker)->thread;
  self.fault_ = {.kind = Fault::Kind::DivergentBarrier};
  self.failed_ = true;
  jumpBack();
}

void WorkerThread::jumpBack() {
  _longjmp(running->recovery_, 1);
}

void WorkerThread::installSignalHandlers() {
  static const bool installed = [] {
    struct sigaction action{};
    action.sa_sigaction = handleSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FaultSignals.size(); ++i)
      sigaction(FaultSignals[i], &action, &previousActions[i]);
    return true;
  }();
  (void)installed;
}

bool WorkerThread::takeSignal(int signal, uintptr_t address, void* context) {
  auto begin = reinterpret_cast<uintptr_t>(call_->code.data());
  uintptr_t at = arch::programCounter(context);
  if (at - begin >= call_->code.size())
    return false;
  fault_ = {.kind = Fault::Kind::Signal, .signal = signal, .address = address};
  failed_ = true;
  arch::redirect(context, jumpBack, jumpStack_.data() + jumpStack_.size());
  return true;
}

/// Acts on faults of image code alone; everything else goes where it went before.
void WorkerThread::handleSignal(int signal, siginfo_t* info, void* context) {
  if (running && running->takeSignal(signal, reinterpret_cast<uintptr_t>(info->si_addr), context))
    return;
  size_t index = std::find(FaultSignals.begin(), FaultSignals.end(), signal) - FaultSignals.begin();
  const struct sigaction& previous = previousActions[index];
  if (previous.sa_flags & SA_SIGINFO)
    return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  // The fault happens again when this handler returns, and then has its default effect. A signal
  // that was sent (kill) does not, so it is sent again.
  struct sigaction byDefault{};
  byDefault.sa_handler = SIG_DFL;
  sigaction(signal, &byDefault, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

} // namespace metalloid::runtime
