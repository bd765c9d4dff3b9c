// SPDX-License-Identifier: Apache-2.0
//
// The sizes of the datatypes of one rank of a DUMPI trace: those of MPI by their names, others from
// the calls that made them. Numbers of datatypes mean something on one rank only.
#pragma once

#include "dumpi_calls.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace ebb::trace {

class DumpiTypes {
 public:
  // What a call says about datatypes: MPI_Type_contiguous, MPI_Type_vector, MPI_Type_size ...
  void learn(const DumpiCall& call);
  // In bytes, of the datatype that an argument names; nothing when it is not known.
  [[nodiscard]] std::optional<std::int64_t> size(const DumpiCall& call,
                                                 std::string_view argument) const;

 private:
  void learn_made(const DumpiCall& call);
  [[nodiscard]] std::optional<std::int64_t> elements(const DumpiCall& call) const;
  // Of a struct: lengths times the sizes of its parts.
  [[nodiscard]] std::optional<std::int64_t> struct_size(const DumpiCall& call) const;

  std::map<std::int64_t, std::int64_t> sizes_;  // by number, those of MPI that were seen included
};

}  // namespace ebb::trace
