// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue.h"

#include <chrono>
#include <cstring>
#include <string>

#include "runtime/serial_executor.h"

namespace metalloid::runtime {
namespace {

template <class... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};

bool isEmpty(const Extent& threads) {
  return threads[0] == 0 || threads[1] == 0 || threads[2] == 0;
}

/// The dispatch with its grid read from memory.
Expected<Dispatch> resolveIndirect(const Dispatch& dispatch) {
  const BoundBuffer& source = *dispatch.indirectThreadgroups;
  uint32_t threadgroups[3];
  const uint64_t length = source.memory->length();
  if (source.offset > length || length - source.offset < sizeof threadgroups)
    return fail(Error::Kind::InvalidArgument,
                "dispatchThreadgroups: the indirect buffer has " + std::to_string(length) +
                    " bytes, but 12 are read at offset " + std::to_string(source.offset));
  // Memory of these devices is this process's, private memory too.
  std::memcpy(threadgroups,
              reinterpret_cast<const char*>(source.memory->deviceAddress()) + source.offset,
              sizeof threadgroups);
  Dispatch direct = dispatch;
  direct.indirectThreadgroups.reset();
  for (int axis = 0; axis < 3; ++axis)
    direct.threads[axis] = uint64_t(threadgroups[axis]) * dispatch.threadsPerThreadgroup[axis];
  return direct;
}

/// Runs a list from start to end, or to its first failure.
Completion execute(const CommandList& list, const RunCommand& run) {
  Completion completion;
  auto dispatch = [&](const Dispatch& direct) -> Expected<void> {
    if (isEmpty(direct.threads))
      return {};
    return run(direct);
  };
  auto step = Overloaded{
      [](const Barrier&) -> Expected<void> { return {}; }, // Commands run one after another.
      [](const WaitEvent& wait) -> Expected<void> {
        wait.event->wait(wait.value, UINT64_MAX);
        return {};
      },
      [](const SignalEvent& signal) -> Expected<void> {
        signal.event->signal(signal.value);
        return {};
      },
      [&](const Dispatch& command) -> Expected<void> {
        if (!command.indirectThreadgroups)
          return dispatch(command);
        return resolveIndirect(command).and_then(dispatch);
      },
      [&](const auto& copyOrFill) -> Expected<void> { return run(copyOrFill); },
  };

  for (const Command& command : list.commands) {
    if (completion.startTime == 0 && !std::holds_alternative<WaitEvent>(command))
      completion.startTime = now();
    if (Expected<void> result = std::visit(step, command); !result) {
      completion.failed = true;
      completion.error = std::move(result.error());
      break;
    }
  }
  completion.endTime = now();
  if (completion.startTime == 0)
    completion.startTime = completion.endTime;
  return completion;
}

class RunList final : public Task {
public:
  RunList(std::shared_ptr<const RunCommand> run, std::unique_ptr<CommandList> list,
          std::function<void(const Completion&)> completed)
      : run_(std::move(run)), list_(std::move(list)), completed_(std::move(completed)) {}

  void run() override { completed_(execute(*list_, *run_)); }

private:
  std::shared_ptr<const RunCommand> run_;
  std::unique_ptr<CommandList> list_;
  std::function<void(const Completion&)> completed_;
};

class InOrderQueue final : public Queue {
public:
  explicit InOrderQueue(RunCommand run) : run_(std::make_shared<RunCommand>(std::move(run))) {}

  void submit(std::unique_ptr<CommandList> list,
              std::function<void(const Completion&)> completed) override {
    executor_->post(std::make_unique<RunList>(run_, std::move(list), std::move(completed)));
  }

  void help() override { executor_->help(); }

private:
  const std::shared_ptr<const RunCommand> run_;
  ForkAwareExecutor executor_{"metalloid-queue"};
};

} // namespace

std::shared_ptr<Queue> makeInOrderQueue(RunCommand run) {
  return std::make_shared<InOrderQueue>(std::move(run));
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace metalloid::runtime
