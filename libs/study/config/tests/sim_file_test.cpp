// SPDX-License-Identifier: Apache-2.0
#include "ebb/config/sim_file.hpp"

#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ebb::config {
namespace {

using namespace std::chrono_literals;

const power::Library& library() {
  static const auto kLibrary =
      files::read_parts_folder(std::string(EBB_SOURCE_DIR) + "/parts").value();
  return kLibrary;
}

const std::string kLeast =
    "schema_version: 1\n"
    "topology: {family: fbfly, hosts: 2, dims: 4}\n"
    "routing: minimal-adaptive\n"
    "traffic: {pattern: uniform, injection: {name: poisson, load: 23%, size: 2KiB}}\n"
    "policy: epoch\n"
    "parts: {switch: isca10-chip-ideal}\n";

Result<SimFile> read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_sim_text(text, "sim.yaml", library(), overrides);
}

std::string errors_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto file = read(text, overrides);
  return file ? "accepted" : to_string(file.error());
}

TEST(SimFile, FillsInEveryDefault) {
  const auto file = read(kLeast);
  ASSERT_TRUE(file) << to_string(file.error());
  const SimSpec& spec = file->spec;
  const ParameterTexts dims = {{"hosts", "2"}, {"dims", "4"}, {"parallel", "1"}};
  EXPECT_EQ(spec.topology.parameters, dims);
  EXPECT_EQ(spec.topology.rates.size(), 5U) << "those of the rate table";
  EXPECT_EQ(spec.rate_table, "ideal-link") << "the chip's own";
  EXPECT_FALSE(spec.rate_change) << "those of the rate table";
  const ParameterTexts epoch = {{"target", "0.5"}, {"epoch", "10us"}, {"channels", "paired"},
                                {"moves", "step"}, {"bits", "0"},     {"stagger", "1"}};
  EXPECT_EQ(spec.policy, (files::Named{"epoch", epoch}));
  EXPECT_EQ(spec.hardware, netsim::Hardware{});
  EXPECT_EQ(spec.schedule, netsim::Schedule{});
  EXPECT_EQ(spec.seed, 1U);
  EXPECT_EQ(spec.services, 1);
}

TEST(SimFile, ReadsEveryKey) {
  const auto file = read(
      "schema_version: 1\n"
      "topology: {family: dragonfly, p: 2, a: 4, h: 2, rates: [10Gb/s, 40Gb/s]}\n"
      "routing: ugal\n"
      "traffic:\n"
      "  pattern: {name: group-adversarial, offset: 2}\n"
      "  injection: {name: periodic, load: 0.1, size: 1KiB, spread: 0}\n"
      "  services: 4\n"
      "policy: {name: on-demand, idle: 5us}\n"
      "parts: {switch: isca10-chip, rate_table: ideal-sleep-link, rate_change: 30us}\n"
      "hardware: {switching: store-and-forward, packet: 512B, input_buffer: 4KiB,\n"
      "           output_buffer: 8KiB, output_selection: credits, low_power_penalty: 1KiB, "
      "drain_from: "
      "2us, flit: 8B, gated_buffers: true, credits: own-wires,\n"
      "           switch_latency: 1ns, link_latency: 2ns, delay_per_metre: 5ns,\n"
      "           nic: {doorbell: 1us, dma_setup: 3ns, dma_rate: 8Gb/s},\n"
      "           virtual_lanes: [{priority: high, weight: 4}, {}], service_lanes: [1, 0],\n"
      "           high_limit: 4KiB}\n"
      "schedule: {warm_up: 1us, warm_up_limit: 2us, measure: 3us, tail_limit: 4us}\n"
      "seed: 7\n");
  ASSERT_TRUE(file) << to_string(file.error());
  const SimSpec& spec = file->spec;
  EXPECT_EQ(spec.routing, "ugal");
  EXPECT_EQ(spec.services, 4);
  EXPECT_EQ(spec.pattern, (files::Named{"group-adversarial", {{"offset", "2"}}}));
  EXPECT_EQ(spec.injection,
            (files::Named{"periodic", {{"load", "0.1"}, {"size", "1KiB"}, {"spread", "0"}}}));
  EXPECT_EQ(spec.policy, (files::Named{"on-demand",
                                       {{"low_power_state", "sleep"},
                                        {"idle", "5us"},
                                        {"queued", "1B"},
                                        {"max_coalescing_delay", "0ps"},
                                        {"period", "1ms"}}}));
  EXPECT_EQ(spec.switch_part, "isca10-chip");
  EXPECT_EQ(spec.rate_table, "ideal-sleep-link");
  EXPECT_EQ(spec.rate_change, Duration(30us));
  const netsim::Hardware hardware{.switching = netsim::Switching::store_and_forward,
                                  .packet = bytes(512),
                                  .flit = bytes(8),
                                  .input_buffer = bytes(4096),
                                  .output_buffer = bytes(8192),
                                  .gated_buffers = true,
                                  .output_selection = netsim::OutputSelection::credits,
                                  .credits = netsim::CreditPath::own_wires,
                                  .low_power_penalty = bytes(1024),
                                  .drain_from = Duration(2us),
                                  .switch_latency = 1ns,
                                  .link_latency = 2ns,
                                  .delay_per_metre = 5ns,
                                  .nic = {1us, 3ns, gigabits_per_second(8)},
                                  .virtual_lanes = {{true, 4}, {false, 1}},
                                  .service_lanes = {1, 0},
                                  .high_limit = bytes(4096)};
  EXPECT_EQ(spec.hardware, hardware);
  EXPECT_EQ(spec.schedule, (netsim::Schedule{Duration(1us), 2us, 3us, 4us}));
  EXPECT_EQ(spec.seed, 7U);
}

TEST(SimFile, TheResolvedTextReadsAsTheSameSpec) {
  const std::vector<std::vector<std::string>> variants = {
      {},
      {"topology={graph: 'a \"quoted\" \\ name.yaml'}"},
      {"topology={family: dragonfly, p: 2, a: 4, h: 2, rates: [5Gb/s, 20Gb/s], floor: "
       "{electrical_limit: 7500mm, racks_per_row: 3}}"},
      {"traffic.pattern={name: hotspot, fraction: 12.5%, hot: 3}"},
      {"traffic.injection={name: bernoulli, load: 1, size: 1B}", "policy=always-on"},
      {"schedule.warm_up=0s", "schedule.tail_limit=0s", "seed=9223372036854775807"},
      {"fidelity=flow"},
      {"parts.rate_change=100ns"},
      {"parts.rate_change=0s"},
      {"hardware={switching: store-and-forward, packet: 3b, delay_per_metre: 1ps}"},
      {"hardware={switching: wormhole, flit: 8B, gated_buffers: true, output_selection: "
       "least-used}"},
      {"hardware={output_selection: first, credits: own-wires, nic: {doorbell: 1us, dma_rate: "
       "1Gb/s}}"},
      {"hardware={virtual_lanes: [{weight: 9}, {priority: high}], service_lanes: [1], high_limit: "
       "4KiB}"}};
  for (const auto& overrides : variants) {
    const auto file = read(kLeast, overrides);
    ASSERT_TRUE(file) << to_string(file.error());
    const std::string text = resolved_text(file->spec);
    const auto again = read(text);
    ASSERT_TRUE(again) << to_string(again.error()) << text;
    EXPECT_EQ(again->spec, file->spec) << text;
    EXPECT_EQ(resolved_text(again->spec), text);
  }
}

TEST(SimFile, KeepsThePlacesOfItsKeys) {
  const auto file = read(kLeast, {"traffic.pattern=tornado"});
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->places.at("routing"), (Location{"sim.yaml", 3, 10, "routing"}));
  EXPECT_EQ(file->places.at("topology.dims"), (Location{"sim.yaml", 2, 43, "topology.dims"}));
  EXPECT_EQ(file->places.at("traffic.pattern"), (Location{"--set", 0, 0, "traffic.pattern"}));
}

TEST(SimOverrides, ReplaceAndAdd) {
  const auto file = read(kLeast, {"policy.target=75%", "schedule.measure=2ms", "seed=3", "seed=4",
                                  "topology.rates=[10Gb/s,40Gb/s]"});
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->spec.policy.name, "epoch") << "the short form grew into a map";
  EXPECT_EQ(file->spec.policy.parameters.front().second, "0.75");
  EXPECT_EQ(file->spec.schedule.measure, Duration(2ms));
  EXPECT_EQ(file->spec.seed, 4U) << "the last one wins";
  EXPECT_EQ(file->spec.topology.rates.size(), 2U);
}

TEST(SimOverrides, MistakesNameTheNearestKeyAndThePlace) {
  EXPECT_EQ(errors_of(kLeast, {"policy.tarket=75%"}),
            "--set: error: unknown parameter 'tarket'; did you mean 'target'? (at "
            "policy.tarket)\n");
  EXPECT_EQ(errors_of(kLeast, {"scedule.measure=2ms"}),
            "--set: error: unknown key 'scedule'; did you mean 'schedule'? (at scedule)\n");
  EXPECT_EQ(errors_of(kLeast, {"schedule.mesure=2ms"}),
            "--set: error: unknown key 'mesure'; did you mean 'measure'? (at schedule.mesure)\n");
  EXPECT_EQ(errors_of(kLeast, {"schedule.measure=2"}),
            "--set: error: '2' has no unit; a time is written like '10us' (at schedule.measure)\n");
  EXPECT_EQ(errors_of(kLeast, {"routing.of.all=2"}),
            "--set: error: 'routing' has no keys (at routing.of)\n");
  EXPECT_EQ(errors_of(kLeast, {"seed", "=1", "a..b=1"}),
            "--set: error: 'seed' is not path=value, as seed=2\n"
            "--set: error: '=1' is not path=value, as seed=2\n"
            "--set: error: 'a..b=1' is not path=value, as seed=2\n");
  EXPECT_EQ(errors_of(kLeast, {"policy={name: on-demand"}).substr(0, 30),
            "--set: error: not valid YAML: ");
}

TEST(SimOverrides, MistakesOfTheFileKeepTheirPlace) {
  EXPECT_EQ(errors_of(kLeast + "seed: x\n", {"policy.target=175%", "routing=minimal"}),
            "--set: error: 'target' must be between 0.001 and 0.999, got 1.75 (at policy.target)\n"
            "sim.yaml:7:7: error: expected a whole number, got 'x' (at seed)\n");
}

TEST(SimFile, AChipNeedsARateTableOfItsRate) {
  EXPECT_EQ(errors_of(kLeast, {"parts.rate_table=kim-dvs-link"}),
            "--set: error: 'kim-dvs-link' ends at 2.5Gb/s, but the ports of 'isca10-chip-ideal' "
            "run at 40Gb/s (at parts.rate_table)\n");
}

TEST(SimFile, ServiceLevelsStandInTheResolvedFileWhenThereAreSeveral) {
  EXPECT_EQ(resolved_text(read(kLeast)->spec).find("services"), std::string::npos);
  const auto file = read(kLeast, {"traffic.services=4"});
  ASSERT_TRUE(file) << to_string(file.error());
  const auto again = read(resolved_text(file->spec));
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec, file->spec);
  EXPECT_EQ(again->spec.services, 4);
}

TEST(SimFile, ARateChangeIsATimeAndNotNegative) {
  EXPECT_EQ(errors_of(kLeast, {"parts.rate_change=-1us"}),
            "--set: error: must be between 0ps and 86400s, got -1us (at parts.rate_change)\n");
}

TEST(SimFile, MissingFilesAreAnswered) {
  EXPECT_EQ(to_string(read_sim("no-such.yaml", library()).error()),
            "no-such.yaml: error: no such file\n");
}

// A workload by its name, its parameters beside it and its defaults filled in.
TEST(SimFile, NamesAWorkloadInPlaceOfPatternAndInjection) {
  const std::vector<std::string> named = {"traffic={workload: search, load: 10%}"};
  const auto file = read(kLeast, named);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->spec.workload, (files::Named{"search",
                                               {{"load", "0.1"},
                                                {"reads", "0.4"},
                                                {"writes", "0.15"},
                                                {"fan_out", "43"},
                                                {"answer", "16kB"}}}));
  EXPECT_TRUE(file->spec.pattern.name.empty());
  const auto again = read(resolved_text(file->spec), {});
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->spec, file->spec);
  const auto changed = read(resolved_text(file->spec), {"traffic.load=20%"});
  ASSERT_TRUE(changed) << to_string(changed.error());
  EXPECT_EQ(changed->spec.workload.parameters.front().second, "0.2");
}

TEST(SimFile, ComplainsAboutAWorkloadAtItsKeys) {
  const auto error = [](const std::string& traffic) {
    const auto file = read(kLeast, {"traffic=" + traffic});
    return file ? "accepted" : to_string(file.error());
  };
  EXPECT_EQ(error("{workload: serch}"),
            "--set: error: unknown workload 'serch'; did you mean 'search'? (at "
            "traffic.workload)\n");
  EXPECT_EQ(error("{workload: search, laod: 6%}"),
            "--set: error: unknown parameter 'laod'; did you mean 'load'? (at traffic.laod)\n");
  EXPECT_NE(error("{workload: search, pattern: uniform}").find("unknown parameter 'pattern'"),
            std::string::npos);
  EXPECT_NE(error("{workload: search, load: 6}").find("'load' must be between"), std::string::npos);
}

}  // namespace
}  // namespace ebb::config
