// SPDX-License-Identifier: Apache-2.0
//
// How far a sweep is, on the status line.
#pragma once

#include "command_line/status_line.hpp"

#include <cstddef>

namespace ebb::cli {

class SweepProgress {
 public:
  // `present` of all runs were there before.
  SweepProgress(std::size_t runs, std::size_t present) : runs_(runs), present_(present) {}

  void finished(bool well) { ++(well ? done_ : failed_); }
  void show(std::size_t running);
  void clear() const { line_.clear(); }
  // That are in the file now.
  [[nodiscard]] std::size_t kept() const { return present_ + done_ + failed_; }

 private:
  std::size_t runs_;
  std::size_t present_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  StatusLine line_;
};

}  // namespace ebb::cli
