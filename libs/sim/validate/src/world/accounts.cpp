// SPDX-License-Identifier: Apache-2.0
#include "world/accounts.hpp"

namespace ebb::validate {

void Accounts::add(const power::Ledger& ledger) {
  ++runs_;
  const Errors errors = ledger.check();
  if (errors.empty() && ledger.closed()) {
    ++balanced_;
  } else if (first_error_.empty()) {
    first_error_ = errors.empty() ? "not closed" : errors.front().message;
  }
}

Row Accounts::row() const {
  Row row = exact("energy accounts that balance", runs_, balanced_, "runs");
  if (runs_ == 0) row.verdict = Verdict::fails;
  row.note = first_error_;
  return row;
}

}  // namespace ebb::validate
