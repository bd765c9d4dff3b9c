// SPDX-License-Identifier: Apache-2.0
#include "isca_services.hpp"

#include <string_view>

namespace ebb::repro {
namespace {

constexpr std::string_view kService = R"(
schema_version: 1
topology: {family: fbfly, hosts: 15, dims: 15x15}
routing: minimal-adaptive
traffic: {workload: search}
policy: always-on
parts: {switch: isca10-chip-ideal}
schedule: {warm_up: 5ms, measure: 10ms, tail_limit: 10ms}
)";

}  // namespace

Result<const results::Summary*> simulate_service(Lab& lab, const std::string& name,
                                                 std::vector<std::string> settings) {
  settings.push_back("traffic.workload=" + name);
  return lab.simulate(kService, settings);
}

}  // namespace ebb::repro
