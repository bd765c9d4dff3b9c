// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/labels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ebb::results {
namespace {

using Texts = std::vector<std::string>;

// As a sweep stores it: what was set, and the configuration with every default.
results::Run swept(const std::string& policy, const std::string& load,
                   const std::string& resolved) {
  results::Run run;
  run.label = "sweep";
  run.parameters = {{"policy", policy}, {"traffic.injection.load", load}};
  run.configuration =
      "policy: " + resolved + "\ntraffic: {injection: {name: poisson, load: " + load + "}}\n";
  return run;
}

// Of two policies, one with parameters: these are the same in all of its runs, so a table of them
// has columns for the name and the load alone.
TEST(RunLabels, AreOnlyWhatVaries) {
  const std::string epoch = "{name: epoch, target: 50%, epoch: 10us}";
  const std::string resolved = "{name: epoch, target: 0.5, epoch: 10us}";
  const std::vector<results::Run> runs = {swept("always-on", "5%", "{name: always-on}"),
                                          swept(epoch, "5%", resolved),
                                          swept(epoch, "10%", resolved)};
  const RunLabels labels(runs);
  EXPECT_EQ(labels.varied(), (Texts{"policy.name", "traffic.injection.load"}));
  EXPECT_EQ(varied_titles(labels.varied()), (Texts{"policy", "load"}));
  EXPECT_EQ(labels.value(runs[0], "policy.name"), "always-on");
  EXPECT_EQ(labels.value(runs[1], "policy.name"), "epoch");
  EXPECT_EQ(labels.value(runs[2], "traffic.injection.load"), "10%");
  EXPECT_EQ(labels.series(runs[1]), "epoch");
}

// A value is shown as it was written; where a run was left at the default, as resolved.
TEST(RunLabels, ShowValuesAsTheyWereWritten) {
  const std::vector<results::Run> runs = {
      swept("{name: epoch, target: 75%}", "5%", "{name: epoch, target: 0.75}"),
      swept("epoch", "5%", "{name: epoch, target: 0.5}"),
      swept("always-on", "5%", "{name: always-on}")};
  const RunLabels labels(runs);
  EXPECT_EQ(labels.varied(), (Texts{"policy.name", "policy.target"}));
  EXPECT_EQ(labels.value(runs[0], "policy.target"), "75%");
  EXPECT_EQ(labels.value(runs[1], "policy.target"), "0.5");
  EXPECT_EQ(labels.value(runs[2], "policy.target"), "");
  EXPECT_EQ(labels.series(runs[0]), "epoch, target=0.75");
}

}  // namespace
}  // namespace ebb::results
