// SPDX-License-Identifier: Apache-2.0
//
// The energy accounts of all runs of a check: whatever it is about, they must balance.
#pragma once

#include "ebb/power/ledger.hpp"
#include "ebb/validate/row.hpp"

#include <cstdint>
#include <string>

namespace ebb::validate {

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
