// SPDX-License-Identifier: Apache-2.0
//
// A run is known by a SHA-256 of all that decides its result: the resolved configuration, what the
// names in it stand for (the power of its parts, the links of a graph file), the version of ebb and
// the seed. Equal keys, equal results.
#pragma once

#include "ebb/config/simulation.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::results {

struct RunKey {
  std::string setup;  // 64 hexadecimal digits, of everything but the seed
  std::string key;    // of setup and seed

  bool operator==(const RunKey&) const = default;
};

// The key of a run of that setup.
[[nodiscard]] std::string seeded_key(std::string_view setup, std::uint64_t seed);

[[nodiscard]] RunKey run_key(const config::Simulation& simulation, std::string_view version);

}  // namespace ebb::results
