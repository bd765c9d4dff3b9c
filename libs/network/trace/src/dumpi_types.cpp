// SPDX-License-Identifier: Apache-2.0
#include "dumpi_types.hpp"

#include <algorithm>
#include <array>

namespace ebb::trace {
namespace {

struct NamedSize {
  std::string_view name;
  std::int64_t size;
};

// As on 64-bit Linux.
constexpr std::array kMpiTypes = {
    NamedSize{"MPI_CHAR", 1},
    NamedSize{"MPI_SIGNED_CHAR", 1},
    NamedSize{"MPI_UNSIGNED_CHAR", 1},
    NamedSize{"MPI_BYTE", 1},
    NamedSize{"MPI_PACKED", 1},
    NamedSize{"MPI_WCHAR", 4},
    NamedSize{"MPI_SHORT", 2},
    NamedSize{"MPI_UNSIGNED_SHORT", 2},
    NamedSize{"MPI_INT", 4},
    NamedSize{"MPI_UNSIGNED", 4},
    NamedSize{"MPI_LONG", 8},
    NamedSize{"MPI_UNSIGNED_LONG", 8},
    NamedSize{"MPI_LONG_LONG", 8},
    NamedSize{"MPI_LONG_LONG_INT", 8},
    NamedSize{"MPI_UNSIGNED_LONG_LONG", 8},
    NamedSize{"MPI_FLOAT", 4},
    NamedSize{"MPI_DOUBLE", 8},
    NamedSize{"MPI_LONG_DOUBLE", 16},
    NamedSize{"MPI_FLOAT_INT", 8},
    NamedSize{"MPI_DOUBLE_INT", 12},
    NamedSize{"MPI_LONG_INT", 12},
    NamedSize{"MPI_SHORT_INT", 6},
    NamedSize{"MPI_2INT", 8},
    NamedSize{"MPI_LONG_DOUBLE_INT", 20},
    NamedSize{"MPI_CHARACTER", 1},
    NamedSize{"MPI_LOGICAL", 4},
    NamedSize{"MPI_INTEGER", 4},
    NamedSize{"MPI_INTEGER1", 1},
    NamedSize{"MPI_INTEGER2", 2},
    NamedSize{"MPI_INTEGER4", 4},
    NamedSize{"MPI_INTEGER8", 8},
    NamedSize{"MPI_REAL", 4},
    NamedSize{"MPI_REAL4", 4},
    NamedSize{"MPI_REAL8", 8},
    NamedSize{"MPI_REAL16", 16},
    NamedSize{"MPI_DOUBLE_PRECISION", 8},
    NamedSize{"MPI_COMPLEX", 8},
    NamedSize{"MPI_DOUBLE_COMPLEX", 16},
    NamedSize{"MPI_2INTEGER", 8},
    NamedSize{"MPI_2REAL", 8},
    NamedSize{"MPI_2DOUBLE_PRECISION", 16},
    NamedSize{"MPI_LB", 0},
    NamedSize{"MPI_UB", 0},
};

constexpr std::int64_t kMostTypeBytes = std::int64_t{1} << 40;

// Nothing when it is no size.
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0 || (b > 0 && a > kMostTypeBytes / b)) return std::nullopt;
  return a * b;
}

}  // namespace

std::optional<std::int64_t> DumpiTypes::size(const DumpiCall& call,
                                             std::string_view argument) const {
  const auto named = std::ranges::find(kMpiTypes, call.label(argument), &NamedSize::name);
  if (named != kMpiTypes.end()) return named->size;
  const auto number = call.number(argument);
  const auto found = number ? sizes_.find(*number) : sizes_.end();
  return found != sizes_.end() ? std::optional(found->second) : std::nullopt;
}

void DumpiTypes::learn(const DumpiCall& call) {
  if (call.name.starts_with("MPI_Type_")) learn_made(call);
  for (const std::string_view argument : {"datatype", "sendtype", "recvtype", "oldtype"}) {
    const auto number = call.number(argument);
    const auto known = size(call, argument);
    if (number && known) sizes_[*number] = *known;
  }
}

void DumpiTypes::learn_made(const DumpiCall& call) {
  if (call.name == "MPI_Type_size") {
    const auto number = call.number("datatype");
    const auto size = call.number("size");
    if (number && size && *size >= 0 && *size <= kMostTypeBytes) sizes_[*number] = *size;
    return;
  }
  const auto made = call.number("newtype");
  if (!made) return;
  sizes_.erase(*made);
  const bool is_struct = call.name.ends_with("_struct");
  const auto each = size(call, "oldtype");
  const auto count = elements(call);
  const auto whole = is_struct         ? struct_size(call)
                     : (each && count) ? product(*each, *count)
                                       : std::nullopt;
  if (whole) sizes_[*made] = *whole;
}

// How many of the old type a new one has.
std::optional<std::int64_t> DumpiTypes::elements(const DumpiCall& call) const {
  if (call.name == "MPI_Type_dup" || call.name == "MPI_Type_create_resized") return 1;
  if (call.name == "MPI_Type_contiguous") return call.number("count");
  if (call.name.ends_with("vector")) {
    const auto count = call.number("count");
    const auto length = call.number("blocklength");
    return count && length ? product(*count, *length) : std::nullopt;
  }
  const auto lengths = call.numbers("lengths");
  if (!lengths || !call.name.ends_with("indexed")) return std::nullopt;
  std::int64_t sum = 0;
  for (const std::int64_t length : *lengths) {
    if (length < 0 || length > kMostTypeBytes - sum) return std::nullopt;
    sum += length;
  }
  return sum;
}

std::optional<std::int64_t> DumpiTypes::struct_size(const DumpiCall& call) const {
  const auto lengths = call.numbers("lengths");
  const auto types = call.numbers("oldtypes");
  if (!lengths || !types || lengths->size() != types->size()) return std::nullopt;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < types->size(); ++i) {
    const auto known = sizes_.find((*types)[i]);
    const auto part = known != sizes_.end() ? product(known->second, (*lengths)[i]) : std::nullopt;
    if (!part || *part > kMostTypeBytes - sum) return std::nullopt;
    sum += *part;
  }
  return sum;
}

}  // namespace ebb::trace
