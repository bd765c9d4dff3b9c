// SPDX-License-Identifier: Apache-2.0
//
// A results file of real runs: a small network at two loads under two policies, two seeds each.
#pragma once

#include "support/temporary_folder.hpp"

#include "ebb/config/simulation.hpp"
#include "ebb/files/parts_file.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/plots/run_set.hpp"
#include "ebb/results/record.hpp"
#include "ebb/results/store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::plots {

class SmallSweep {
 public:
  SmallSweep() { parts_ = files::read_parts_folder(EBB_SOURCE_DIR "/parts").value(); }

  // Runs the simulation and stores it.
  void run(const std::vector<results::Parameter>& parameters, int seed) {
    std::vector<std::string> settings = {"seed=" + std::to_string(seed)};
    for (const auto& [key, value] : parameters) settings.push_back(key + "=" + value);
    const auto file = config::read_sim_text(kFile, "small", parts_, settings).value();
    const auto simulation = config::prepare(file, parts_).value();
    const auto report = netsim::run(simulation.experiment());
    auto store = results::Store::open_to_write(path()).value();
    (void)store.put(results::record_of(simulation, report, {"small", parameters})).value();
  }

  void run_all(const std::vector<std::string>& policies) {
    for (const std::string& policy : policies)
      for (const char* load : {"5%", "20%"})
        for (const int seed : {1, 2})
          run({{"policy", policy}, {"traffic.injection.load", load}}, seed);
  }

  [[nodiscard]] RunSet runs() const {
    return RunSet::read(results::Store::open_to_read(path()).value()).value();
  }

 private:
  static constexpr const char* kFile = R"(
schema_version: 1
topology: {family: fbfly, hosts: 4, dims: 4}
routing: minimal-adaptive
traffic: {pattern: uniform, injection: {name: poisson, load: 5%, size: 16KiB}}
policy: always-on
parts: {switch: isca10-chip-ideal}
schedule: {warm_up: 100us, measure: 300us}
)";

  [[nodiscard]] std::string path() const { return folder_.file("small.db"); }

  test::TemporaryFolder folder_;
  power::Library parts_;
};

}  // namespace ebb::plots
