// SPDX-License-Identifier: Apache-2.0
//
// Figure 12: latency over load of the Dragonfly of Table III, uniform and to the next group, by the
// minimal path, by Valiant, by queues (UGAL), by congestion notifications (piggyback) and by
// conditional rules.
#include "beside_published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ebb::repro::exascale_conditional {
namespace {

// Table III. Cables of 8 and 80 m at 5 ns a metre, a nanosecond of which is in the ends. The paper
// says nothing of buffers: 12 kB for each class, of which 7.1 kB are the headroom of a global link.
const std::string kDragonfly = R"(
schema_version: 1
topology:
  family: dragonfly
  p: 8
  a: 16
  h: 8
  rates: [40Gb/s]
  floor: {switches_per_rack: 16, rack_pitch: 0m, row_pitch: 0m, in_rack: 7.8m, rack_overhead: 39.9m}
routing: minimal
traffic:
  pattern: uniform
  injection: {name: bernoulli, load: 10%, size: 1kB}
policy: always-on
parts: {switch: isca10-chip-ideal}
hardware: {packet: 1kB, flow_control: pause, input_buffer: 12kB, switch_latency: 200ns,
           link_latency: 1ns, delay_per_metre: 5ns}
)";

struct RoutingLine {
  std::string name;   // in measurements
  std::string label;  // in figures
  std::string routing;
};
const std::vector<RoutingLine> kLines = {{"min", "MIN", "minimal"},
                                         {"val", "VAL", "valiant"},
                                         {"ugal", "UGAL", "ugal-queue"},
                                         {"pb", "PB", "piggyback"},
                                         {"cond", "conditional rules", "conditional"}};

// A pattern, how long to look, and the loads of its curve, in % of the host links, the longest run
// first.
struct Curve {
  std::string pattern;
  std::string schedule;
  std::vector<double> loads;
};
const Curve kUniform{"uniform",
                     "{warm_up: 10us, measure: 10us, tail_limit: 10us}",
                     {80, 70, 60, 50, 40, 30, 20, 10}};
// Sixteen buffers of 8.5 kB and what waits before them stand in line for one global link: up to 60
// us.
const Curve kAdversarial{"group-adversarial",
                         "{warm_up: 60us, measure: 10us, tail_limit: 100us}",
                         {45, 30, 20, 10, 5, 2, 1, 0.5}};
constexpr double kLow = 2;
constexpr double kHigh = 45;
// Of the host links, what one global link of a group of 128 hosts carries.
constexpr double kOneLink = 100.0 / 128;

std::string name_of(const std::string& what, const std::string& line, double load) {
  return fmt::format("{}_{}_{}", what, line, load);
}

Run run_of(const Curve& curve, const RoutingLine& line, double load) {
  return {kDragonfly,
          {"routing=" + line.routing, "traffic.pattern=" + curve.pattern,
           "schedule=" + curve.schedule, fmt::format("traffic.injection.load={}%", load)}};
}

double mean_us(const results::Summary& run) {
  return static_cast<double>(run.report.message_latency.mean().count()) * 1e-6;
}

// latency_<line>_<load> of messages that arrived in us, accepted_ in %, saturated_ 1 or 0.
Result<Measurements> measure(RunCache& cache, const Curve& curve) {
  std::vector<Run> runs;
  for (const double load : curve.loads) {
    for (const RoutingLine& line : kLines) runs.push_back(run_of(curve, line, load));
  }
  const auto all = cache.simulate(runs);
  if (!all) return fail(all.error());
  Measurements measured;
  auto next = all->begin();
  for (const double load : curve.loads) {
    for (const RoutingLine& line : kLines) {
      const results::Summary& run = **next++;
      measured.emplace_back(name_of("latency", line.name, load), mean_us(run));
      measured.emplace_back(name_of("accepted", line.name, load), 100 * run.accepted_load);
      measured.emplace_back(name_of("saturated", line.name, load), saturated(run.report) ? 1 : 0);
    }
  }
  return measured;
}

// How much longer packets take than by the minimal path, in %, at each load at which neither is
// saturated.
std::vector<double> above_direct(const std::string& line, const Measurements& measured) {
  std::vector<double> above;
  for (const double load : kUniform.loads) {
    const auto of = [&](const char* what, const std::string& whose) {
      return value_of(measured, name_of(what, whose, load));
    };
    if (of("saturated", line) + of("saturated", "min") > 0) continue;
    above.push_back(100 * (of("latency", line) / of("latency", "min") - 1));
  }
  return above;
}

Result<Measurements> measure_uniform(RunCache& cache) {
  auto measured = measure(cache, kUniform);
  if (!measured) return measured;
  const std::vector<double> rules = above_direct("cond", *measured);
  const std::vector<double> notified = above_direct("pb", *measured);
  measured->emplace_back("loads_compared", static_cast<double>(rules.size()));
  measured->emplace_back("cond_above_min", *std::max_element(rules.begin(), rules.end()));
  measured->emplace_back("pb_above_min", *std::min_element(notified.begin(), notified.end()));
  return measured;
}

Result<Measurements> measure_adversarial(RunCache& cache) {
  auto measured = measure(cache, kAdversarial);
  if (!measured) return measured;
  const auto of = [&](const char* what, const char* line, double load) {
    return value_of(*measured, name_of(what, line, load));
  };
  const double low = of("latency", "cond", kLow) / of("latency", "val", kLow);
  const double beside_val = of("accepted", "cond", kHigh) / of("accepted", "val", kHigh);
  const double beside_pb = of("accepted", "cond", kHigh) / of("accepted", "pb", kHigh);
  measured->emplace_back("min_accepted", of("accepted", "min", kHigh));
  measured->emplace_back("min_saturated", of("saturated", "min", kLow));
  measured->emplace_back("cond_over_val_low", low);
  measured->emplace_back("cond_over_val_accepted", 100 * beside_val);
  measured->emplace_back("cond_over_pb_accepted", 100 * beside_pb);
  return measured;
}

// Where a curve ends its network is saturated: what arrived in the measured time says nothing of
// the latency there.
plots::Figure draw(plots::Figure frame, const std::string& what, const Curve& curve,
                   const Measurements& measured) {
  frame.kind = plots::Kind::lines;
  frame.x = {"offered load, of the host links", "%"};
  for (const RoutingLine& line : kLines) {
    plots::Series series{line.label, {}};
    for (auto load = curve.loads.rbegin(); load != curve.loads.rend(); ++load) {
      const bool hidden =
          what == "latency" && value_of(measured, name_of("saturated", line.name, *load)) > 0;
      if (!hidden)
        series.points.push_back({*load, value_of(measured, name_of(what, line.name, *load)), {}});
    }
    if (!series.points.empty()) frame.series.push_back(std::move(series));
  }
  return frame;
}

std::vector<plots::Figure> draw_uniform(const Row&, const Measurements& measured) {
  return {draw({.name = "figure-12a",
                .title = "Figure 12(a): latency, uniform; curves end where they saturate",
                .y = {"mean latency", "us"}},
               "latency", kUniform, measured),
          draw({.name = "figure-12a-accepted",
                .title = "To Figure 12(a): accepted load, uniform",
                .y = {"accepted load", "%"}},
               "accepted", kUniform, measured)};
}

std::vector<plots::Figure> draw_adversarial(const Row&, const Measurements& measured) {
  plots::Figure accepted = draw({.name = "figure-12b-accepted",
                                 .title = "To Figure 12(b): accepted load, to the next group",
                                 .y = {"accepted load", "%"}},
                                "accepted", kAdversarial, measured);
  accepted.levels = {{"one global link", kOneLink}};
  return {draw({.name = "figure-12b",
                .title = "Figure 12(b): latency, to the next group; curves end where they saturate",
                .y = {"mean latency", "us"}},
               "latency", kAdversarial, measured),
          accepted};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"B5", measure_uniform, Cost::lengthy, draw_uniform},
          {"B6", measure_adversarial, Cost::lengthy, draw_adversarial}};
}

}  // namespace ebb::repro::exascale_conditional
