// SPDX-License-Identifier: Apache-2.0
//
// Sweeps that write to one results file share its runs: each run is begun by one of them. A claim
// is a lock of the operating system on a byte of a file beside the results file, so it ends with
// the process that has it, however that ends. Without locks (a file system that has none) every
// sweep does all runs, and the results are the same.
//
//   Claims claims("runs.db");
//   if (claims.take(key)) { ...simulate, store...; claims.give_back(key); }
#pragma once

#include "ebb/core/process.hpp"

#include <string>

namespace ebb::sweep {

class Claims {
 public:
  explicit Claims(const std::string& results_file);
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;
  // Removes the file when no other sweep has a claim.
  ~Claims();

  // False: another process has this run under way.
  [[nodiscard]] bool take(const std::string& key) const;
  void give_back(const std::string& key) const;

 private:
  std::string path_;
  UniqueFd file_;
};

}  // namespace ebb::sweep
