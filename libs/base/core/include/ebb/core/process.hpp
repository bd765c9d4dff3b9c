// SPDX-License-Identifier: Apache-2.0
//
// Processes: children that this one starts, this one as a daemon with its PID file, open files, and
// which program this is. Everything that is held (a file, a PID file) is released when its owner
// goes out of scope.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ebb {

// An open file, closed when it goes out of scope.
class UniqueFd {
 public:
  explicit UniqueFd(int number = -1) : number_(number) {}
  UniqueFd(UniqueFd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() {
    if (number_ >= 0) close(number_);
  }

  [[nodiscard]] bool open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// Children run without a shell: text in, bytes out. Several may run at the same time:
//
//   auto first = Child::start({"ip", "-batch", "-"}, {.input = commands});
//   auto second = Child::start(...);
//   const Finished done = first->wait();
struct Finished {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string output;
  std::string stderr_text;
};

struct ChildOptions {
  std::string input = {};
  std::vector<std::string> environment = {};  // NAME=value, before what is inherited
  int inherited_file = -1;                    // a descriptor that stays open in the child
};

class Child {
 public:
  // words: the program, searched on the path, and its arguments.
  // Standard input, output and error are files without a name, so neither side waits for the other.
  // No other descriptor that is marked to be closed on exec reaches the child.
  [[nodiscard]] static Result<Child> start(std::vector<std::string> words,
                                           const ChildOptions& options = {});

  // Once. A child that nobody waits for stays a zombie until this process ends.
  [[nodiscard]] Finished wait();

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  Child() = default;
  [[nodiscard]] static File nameless_file();
  [[nodiscard]] int spawn(std::vector<std::string>& words, const ChildOptions& options);

  pid_t process_ = 0;
  File in_;
  File out_;
  File stderr_;
};

[[nodiscard]] Result<Finished> run_program(std::vector<std::string> words,
                                           const ChildOptions& options = {});

// A program that goes on in the background once it is ready. The process that started it waits
// until then, and ends with the exit code of the daemon when the daemon ends before.
//
//   const auto daemon = Daemon::enter();   // before any thread is started
//   ...                                    // errors still reach the terminal
//   daemon->ready();
class Daemon {
 public:
  // Only the child returns, in a session of its own. The first process ends with 0 when the child
  // is ready, with the child's exit code when it ends before.
  [[nodiscard]] static Result<Daemon> enter();
  // From here on it has no terminal, and nobody who reads its output is kept waiting.
  void ready() const;

 private:
  explicit Daemon(int waiting) : waiting_(waiting) {}
  int waiting_;  // a pipe on whose other end the first process waits
};

// Holds the number of this process. The file is removed with the object.
class PidFile {
 public:
  [[nodiscard]] static Result<PidFile> write(const std::string& path);
  PidFile(PidFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PidFile& operator=(PidFile&&) = delete;
  ~PidFile();

 private:
  explicit PidFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Where a program is, by the folders of $PATH in their order; nothing when it is in none of them.
[[nodiscard]] std::optional<std::string> program_path(const std::string& name);

// The version of ebb, which goes with every result.
[[nodiscard]] std::string_view version();

}  // namespace ebb
