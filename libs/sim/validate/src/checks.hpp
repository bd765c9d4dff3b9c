// SPDX-License-Identifier: Apache-2.0
//
// What all checks share: the list of their functions, one file each in checks/, and the energy
// accounts of their runs.
#pragma once

#include "ebb/power/ledger.hpp"
#include "ebb/validate/check.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::validate {

[[nodiscard]] std::vector<Row> check_zero_load();
[[nodiscard]] std::vector<Row> check_saturation();
[[nodiscard]] std::vector<Row> check_worst_case();
[[nodiscard]] std::vector<Row> check_bytes();
[[nodiscard]] std::vector<Row> check_credits();
[[nodiscard]] std::vector<Row> check_littles_law();
[[nodiscard]] std::vector<Row> check_adaptive();
[[nodiscard]] std::vector<Row> check_queueing();
[[nodiscard]] std::vector<Row> check_energy();
[[nodiscard]] std::vector<Row> check_same_bytes();

// The energy accounts of all runs of a check: whatever it is about, they must balance.

class Accounts {
 public:
  void add(const power::Ledger& ledger);

  // How many there were, and how many balance.
  [[nodiscard]] Row row() const;

 private:
  std::int64_t runs_ = 0;
  std::int64_t balanced_ = 0;
  std::string first_error_;
};

}  // namespace ebb::validate
