// SPDX-License-Identifier: Apache-2.0
//
// The text of a DUMPI trace, call by call:
//
//   MPI_Isend entering at walltime 12.739674000, cputime 0.008347000 seconds in thread 0.
//   int count=1
//   MPI_Datatype datatype=9 (MPI_INT)
//   MPI_Request request=[2]
//   MPI_Isend returning at walltime 12.739689000, cputime 0.008362000 seconds in thread 0.
//
// Lines outside of calls, header and footer, are skipped.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::trace {

struct DumpiCall {
  std::string_view name;
  int line = 0;
  std::int64_t entered = 0;  // nanoseconds of the clock of the trace
  std::int64_t returned = 0;
  bool is_of_first_thread = true;
  std::vector<std::pair<std::string_view, std::string_view>> arguments;

  // As it stands after the name of the argument; nothing when there is none.
  [[nodiscard]] std::optional<std::string_view> text(std::string_view argument) const;
  // A whole number, without the name that may stand behind it in brackets.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view argument) const;
  // "[1, 2, 3]"; nothing when the argument is missing or not a list of numbers.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> numbers(std::string_view argument) const;
  // The name behind the number: MPI_INT of "9 (MPI_INT)"; empty when there is none.
  [[nodiscard]] std::string_view label(std::string_view argument) const;
};

class DumpiCalls {
 public:
  explicit DumpiCalls(std::string_view text) : rest_(text) {}

  // The next call; nothing at the end, or when an error was found.
  [[nodiscard]] std::optional<DumpiCall> next();
  // What is wrong with the text, and where.
  [[nodiscard]] const std::optional<std::pair<std::string, int>>& error() const { return error_; }

 private:
  [[nodiscard]] std::optional<std::string_view> next_line();

  std::string_view rest_;
  int line_ = 0;
  std::optional<std::pair<std::string, int>> error_;
};

}  // namespace ebb::trace
