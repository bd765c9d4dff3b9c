// SPDX-License-Identifier: Apache-2.0
//
// Programs run without a shell: text in, bytes out. Several may run at the same time:
//
//   auto first = Child::start({"ip", "-batch", "-"}, {.input = commands});
//   auto second = Child::start(...);
//   const Finished done = first->wait();
#pragma once

#include "ebb/core/result.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ebb {

struct Finished {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string output;
  std::string complaints;  // standard error
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
  File complaints_;
};

[[nodiscard]] Result<Finished> run_program(std::vector<std::string> words,
                                           const ChildOptions& options = {});

}  // namespace ebb
