// SPDX-License-Identifier: Apache-2.0
#include "runtime/compiler_process.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/compiler_program.h"

namespace metalloid::runtime {
namespace {

using namespace std::chrono_literals;

struct Said {
  bool ok = false;
  Error::Kind kind{};
  std::string text;
};

Said ask(std::string_view wish) {
  auto answer = askCompiler(compiler::Operation::Emit, asBytes(wish));
  if (!answer)
    return {false, answer.error().kind, answer.error().message};
  return {true, {}, std::string(asText(*answer))};
}

pid_t compilerPid() {
  return std::stoi(ask("pid").text);
}

/// A sanitizer's handlers see the fake compiler's crashes first, and its shadow needs the address
/// space.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool Sanitized = true;
#else
constexpr bool Sanitized = false;
#endif

class CompilerProcess : public testing::Test {
protected:
  void SetUp() override {
    setenv("METALLOID_COMPILER", FAKE_COMPILER, 1);
    setCompilerLimits({.time = 20s, .memoryBytes = 0});
  }

  static void expectWorks() {
    Said said = ask("hello");
    EXPECT_TRUE(said.ok) << said.text;
    EXPECT_EQ(said.text, "hello");
  }
  static void expectCrash(std::string_view wish, const std::string& part) {
    Said said = ask(wish);
    EXPECT_FALSE(said.ok) << wish;
    EXPECT_EQ(said.kind, Error::Kind::CompilerCrashed);
    EXPECT_NE(said.text.find(part), std::string::npos) << said.text;
    EXPECT_NE(said.text.find("doing as told"), std::string::npos) << said.text;
    expectWorks();
  }
};

TEST_F(CompilerProcess, AnswersAndIsUsedAgain) {
  expectWorks();
  EXPECT_EQ(compilerPid(), compilerPid());
  std::string large(5 << 20, 'x');
  EXPECT_EQ(ask(large).text, large);
  EXPECT_EQ(ask("").text, "");
}

TEST_F(CompilerProcess, RefusalIsTheCompilersText) {
  Said said = ask("refuse");
  EXPECT_FALSE(said.ok);
  EXPECT_EQ(said.kind, Error::Kind::CompileFailed);
  EXPECT_EQ(said.text, "a.metal:1:1: error: no");
}

TEST_F(CompilerProcess, CrashesAreErrorsThatSayWhere) {
  expectCrash("crash", Sanitized ? "exit code" : "signal 11");
  expectCrash("abort", Sanitized ? "while" : "signal 6");
  expectCrash("fatal", "cannot select");
}

TEST_F(CompilerProcess, LimitsAreErrors) {
  setCompilerLimits({.time = 150ms, .memoryBytes = 0});
  expectCrash("hang", "time limit of 150 ms");
  if (Sanitized)
    return;
  setCompilerLimits({.time = 20s, .memoryBytes = 1 << 30});
  expectCrash("allocate", "out of memory");
}

TEST_F(CompilerProcess, AStoppedProcessIsGivenUp) {
  pid_t pid = compilerPid();
  setCompilerLimits({.time = 100ms, .memoryBytes = 0});
  kill(pid, SIGSTOP);
  Said said = ask("hello");
  EXPECT_FALSE(said.ok);
  EXPECT_EQ(said.kind, Error::Kind::CompilerCrashed);
  EXPECT_NE(said.text.find("no answer within 100 ms"), std::string::npos) << said.text;
  setCompilerLimits({.time = 20s, .memoryBytes = 0});
  expectWorks();
}

TEST_F(CompilerProcess, KilledWhileIdleIsNotNoticed) {
  pid_t pid = compilerPid();
  kill(pid, SIGKILL);
  expectWorks(); // Seen or not, depending on how fast the end is.
  pid = compilerPid();
  kill(pid, SIGKILL);
  std::this_thread::sleep_for(50ms);
  EXPECT_NE(compilerPid(), pid);
}

TEST_F(CompilerProcess, KilledAtWorkIsAnError) {
  pid_t pid = compilerPid();
  std::thread killer([=] {
    std::this_thread::sleep_for(100ms);
    kill(pid, SIGKILL);
  });
  expectCrash("hang", "signal 9");
  killer.join();
}

TEST_F(CompilerProcess, HostsThatIgnoreChildrenWorkToo) {
  auto before = signal(SIGCHLD, SIG_IGN);
  Said said = ask("abort");
  EXPECT_EQ(said.kind, Error::Kind::CompilerCrashed) << said.text;
  expectWorks();
  signal(SIGCHLD, before);
}

TEST_F(CompilerProcess, RequestsRunSideBySide) {
  setenv("METALLOID_NUM_THREADS", "3", 1);
  std::vector<std::thread> threads;
  std::vector<std::string> pids(12);
  for (std::string& pid : pids)
    threads.emplace_back([&] { pid = ask("slowly").text; });
  for (std::thread& thread : threads)
    thread.join();
  std::set<std::string> different(pids.begin(), pids.end());
  EXPECT_EQ(different.size(), 3u);
  unsetenv("METALLOID_NUM_THREADS");
}

TEST_F(CompilerProcess, ChildOfForkHasItsOwn) {
  pid_t parents = compilerPid();
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    _exit(compilerPid() != parents && ask("hello").text == "hello" ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(compilerPid(), parents);
}

/// Gone, or waiting for somebody to collect its status.
bool hasEnded(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(file, stat);
  return stat.empty() || stat.find(") Z") != std::string::npos;
}

TEST_F(CompilerProcess, EndsWhenTheProcessIsGone) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t child = fork();
  if (child == 0) {
    pid_t pid = compilerPid();
    if (write(pipes[1], &pid, sizeof pid) != sizeof pid)
      _exit(1);
    ask("hang");
    _exit(0);
  }
  pid_t compiler = 0;
  ASSERT_EQ(read(pipes[0], &compiler, sizeof compiler), static_cast<ssize_t>(sizeof compiler));
  std::this_thread::sleep_for(50ms);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  bool ended = false;
  for (int round = 0; round < 100 && !ended; ++round) {
    std::this_thread::sleep_for(20ms);
    ended = hasEnded(compiler);
  }
  EXPECT_TRUE(ended);
  close(pipes[0]);
  close(pipes[1]);
}

TEST_F(CompilerProcess, InheritsNoFiles) {
  int descriptor = open("/dev/null", O_RDONLY); // As careless hosts open files.
  kill(compilerPid(), SIGKILL);                 // The next one is started with that file open.
  std::string link = "/proc/" + std::to_string(compilerPid()) + "/fd";
  int highest = 0;
  for (int i = 0; i < 100; ++i)
    if (access((link + "/" + std::to_string(i)).c_str(), F_OK) == 0)
      highest = i;
  EXPECT_LE(highest, 5); // The socket and the worker's pipe.
  close(descriptor);
}

TEST_F(CompilerProcess, MissingOrWrongProgramsAreNamed) {
  setenv("METALLOID_COMPILER", "/nowhere/metalloid-compiler", 1);
  Said said = ask("hello");
  EXPECT_EQ(said.kind, Error::Kind::Io);
  EXPECT_NE(said.text.find("METALLOID_COMPILER names /nowhere"), std::string::npos) << said.text;

  setenv("METALLOID_COMPILER", "/bin/true", 1);
  said = ask("hello");
  EXPECT_EQ(said.kind, Error::Kind::CompilerCrashed);
  EXPECT_NE(said.text.find("/bin/true ended with exit code 0"), std::string::npos) << said.text;

  setenv("METALLOID_COMPILER", "/etc/passwd", 1);
  if (geteuid() != 0) {
    said = ask("hello");
    EXPECT_EQ(said.kind, Error::Kind::Io);
    EXPECT_NE(said.text.find("may not be executed"), std::string::npos) << said.text;
  }
}

TEST_F(CompilerProcess, ALostExecuteBitIsGivenBack) {
  std::string copy = testing::TempDir() + "metalloid-compiler-copy";
  std::string command = "cp " FAKE_COMPILER " " + copy + " && chmod a-x " + copy;
  ASSERT_EQ(std::system(command.c_str()), 0);
  setenv("METALLOID_COMPILER", copy.c_str(), 1);
  expectWorks();
  unlink(copy.c_str());
}

TEST_F(CompilerProcess, ProgramsOfOtherVersionsAreRefused) {
  std::string script = testing::TempDir() + "old-compiler";
  FILE* file = fopen(script.c_str(), "w");
  // Reads the request and answers in version 77.
  fputs("#!/bin/sh\nprintf 'MTLa\\115\\000\\000\\000"
        "\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000' >&3\n"
        "sleep 5\n",
        file);
  fclose(file);
  chmod(script.c_str(), 0755);
  setenv("METALLOID_COMPILER", script.c_str(), 1);
  Said said = ask("hello");
  EXPECT_EQ(said.kind, Error::Kind::Io);
  EXPECT_NE(said.text.find("77"), std::string::npos) << said.text;
  unlink(script.c_str());
}

TEST_F(CompilerProcess, BuildsAreToldApart) {
  auto fake = findCompiler();
  ASSERT_TRUE(fake);
  EXPECT_FALSE(fake->build.empty());
  setenv("METALLOID_COMPILER", "/bin/true", 1);
  auto other = findCompiler();
  ASSERT_TRUE(other);
  EXPECT_NE(other->build, fake->build);
}

} // namespace
} // namespace metalloid::runtime
