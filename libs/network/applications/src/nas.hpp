// SPDX-License-Identifier: Apache-2.0
//
// What the NAS Parallel Benchmarks share (NPB 3.3 for MPI; D. Bailey et al., "The NAS Parallel
// Benchmarks 2.0", NASA report NAS-95-020): classes of problem sizes, and computations from the
// operations that a benchmark counts when it prints its Mop/s. The operations of an iteration are
// divided evenly over the ranks.
#pragma once

#include "applications.hpp"
#include "process.hpp"

#include "ebb/units/parameters.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::applications {

// class, ranks, iterations and flops.
[[nodiscard]] std::vector<Parameter> nas_parameters();

// The values of classes A, B and C.
template <class T>
using OfClass = std::array<T, 3>;

template <class T>
[[nodiscard]] const T& of_class(const OfClass<T>& values, const Parameters& parameters) {
  return values[static_cast<std::size_t>(parameters.choice("class").front() - 'A')];
}

// How many are made of the `all` that the class has.
[[nodiscard]] std::int64_t nas_iterations(const Parameters& parameters, std::int64_t all);

// How long a rank computes of so many operations of all ranks.
[[nodiscard]] Duration nas_time(const Parameters& parameters, double operations);

[[nodiscard]] std::uint32_t nas_ranks(const Parameters& parameters);

// `count` numbers of double precision.
[[nodiscard]] constexpr DataSize doubles(std::int64_t count) { return bytes(8 * count); }

}  // namespace ebb::applications
