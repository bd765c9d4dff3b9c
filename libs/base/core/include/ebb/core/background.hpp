// SPDX-License-Identifier: Apache-2.0
//
// A program that goes on in the background once it is ready: whoever started it waits until then,
// and learns whether it did.
//
//   const auto background = Background::enter();   // before any thread is started
//   ...                                            // errors still reach the terminal
//   background->ready();
#pragma once

#include "ebb/core/result.hpp"

#include <string>
#include <utility>

namespace ebb {

class Background {
 public:
  // Only the child returns, in a session of its own. The first process ends with 0 when the child
  // is ready, with the child's exit code when it ends before.
  [[nodiscard]] static Result<Background> enter();
  // From here on it has no terminal, and nobody who reads its output is kept waiting.
  void ready() const;

 private:
  explicit Background(int waiting) : waiting_(waiting) {}
  int waiting_;  // a pipe on whose other end the first process waits
};

// Holds the number of this process, and goes with it.
class ProcessFile {
 public:
  [[nodiscard]] static Result<ProcessFile> write(const std::string& path);
  ProcessFile(ProcessFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ProcessFile& operator=(ProcessFile&&) = delete;
  ~ProcessFile();

 private:
  explicit ProcessFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ebb
