// SPDX-License-Identifier: Apache-2.0
//
// Row B7, "On the Use of Commodity Ethernet Technology in Exascale HPC Systems": the Dynamic MAC
// Protocol works end to end. Nine switches with two hosts each.
#include "datagrams.hpp"
#include "running_fabric.hpp"

#include "ebb/experiments/experiments.hpp"

namespace ebb::experiments {

Result<Measured> dynamic_mac_protocol(const runtime::LoadParts& load_parts) {
  const auto fabric = RunningFabric::start("{family: fbfly, hosts: 2, dims: 3x3, rates: [100Mb/s]}",
                                           "policy: always-on\n", load_parts);
  if (!fabric) return fail(fabric.error());
  const auto right = (*fabric)->take_addresses();
  if (!right) return fail(right.error());
  const std::size_t hosts = (*fabric)->layout().hosts();
  std::vector<Pair> pairs;
  for (std::size_t from = 0; from < hosts; ++from) {
    for (std::size_t to = 0; to < hosts; ++to) {
      if (from != to) pairs.push_back({from, to});
    }
  }
  const auto load = Datagrams::start(**fabric, pairs, {.per_second = 10, .bytes = 64, .most = 1});
  if (!load) return fail(load.error());
  const Datagrams::Count count = (*load)->finish();
  const auto percent = [](std::uint64_t part, std::size_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  return Measured{{"addresses", percent(*right, hosts)},
                  {"pairs", percent(count.received, pairs.size())}};
}

}  // namespace ebb::experiments
