// SPDX-License-Identifier: Apache-2.0
//
// From a run that was simulated to what is stored of it: its record, its key, and the record as a
// message between ranks.
#pragma once

#include "ebb/config/simulation.hpp"
#include "ebb/core/bytes.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/results/run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::results {

// What a configuration does not say.
struct Origin {
  std::string label;
  std::vector<Parameter> parameters;
};

// Of this version of ebb. A stalled run is a failed one.
[[nodiscard]] Record record_of(const config::Simulation& simulation, const netsim::Report& report,
                               const Origin& origin);

// A run that ended with an error instead of a report.
[[nodiscard]] Record failed_record(const config::Simulation& simulation, const Origin& origin,
                                   std::string error);

// A run is known by a SHA-256 of all that decides its result: the resolved configuration, what the
// names in it stand for (the power of its parts, the links of a graph file), the version of ebb and
// the seed. Equal keys, equal results.
struct RunKey {
  std::string setup;  // 64 hexadecimal digits, of everything but the seed
  std::string key;    // of setup and seed

  bool operator==(const RunKey&) const = default;
};

// The key of a run of that setup.
[[nodiscard]] std::string seeded_key(std::string_view setup, std::uint64_t seed);

[[nodiscard]] RunKey run_key(const config::Simulation& simulation, std::string_view version);

// A record as a message from one rank to another.
void append_record(Bytes& bytes, const Record& record);
[[nodiscard]] Record take_record(ByteReader& reader);

}  // namespace ebb::results
