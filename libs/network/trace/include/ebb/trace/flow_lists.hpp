// SPDX-License-Identifier: Apache-2.0
//
// Lists of flows as programs, from memory. `name` stands in messages. read_trace reads
// files; these are what it calls.
//
//   const auto parameters = Parameters::resolve(format.parameters, {}).value();
//   const auto trace = read_htsim("Nodes 2\nConnections 1\n0->1 start 0 size 8\n", "x",
//   parameters);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/trace/trace.hpp"
#include "ebb/units/parameters.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ebb::trace {

// Connection matrices of htsim.
[[nodiscard]] Result<Trace> read_htsim(std::string_view text, const std::string& name,
                                       const Parameters& parameters);
// Flow lists of HPCC's and SimAI's simulators.
[[nodiscard]] Result<Trace> read_hpcc(std::string_view text, const std::string& name,
                                      const Parameters& parameters);
// `addresses_path` is a table of names or addresses and their ranks, or empty.
[[nodiscard]] Result<Trace> read_flow_csv(std::string_view text, const std::string& name,
                                          const std::string& addresses_path,
                                          const Parameters& parameters);
// Captures of packets. Fails in builds without libpcap.
[[nodiscard]] Result<Trace> read_capture(std::span<const std::byte> file, const std::string& name,
                                         const std::string& addresses_path,
                                         const Parameters& parameters);

}  // namespace ebb::trace
