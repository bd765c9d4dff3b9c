// SPDX-License-Identifier: Apache-2.0
//
// In words which network and which traffic the runs of a report had.
#include "document.hpp"

#include "ebb/results/statistics.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ebb::report {
namespace {

using Values = std::map<std::string, std::string>;

std::string at(const Values& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

// " hosts=8 dims=8x8" of the keys directly in a section. `left_out` are said otherwise.
std::string settings(const Values& values, const std::string& section,
                     const std::vector<std::string>& left_out) {
  std::string text;
  for (const auto& [path, value] : values) {
    if (!path.starts_with(section + ".")) continue;
    const std::string key = path.substr(section.size() + 1);
    const bool nested = key.find('.') != std::string::npos;
    if (nested || std::find(left_out.begin(), left_out.end(), key) != left_out.end()) continue;
    text += fmt::format(" {}={}", key, value);
  }
  return text;
}

// "fbfly dims=8 hosts=8 parallel=1: 64 hosts, 8 switches, 92 links"
std::string network_of(const results::Run& run, const Values& values) {
  const std::string graph = at(values, "topology.graph");
  std::string text = graph.empty() ? at(values, "topology.family") +
                                         settings(values, "topology", {"family", "rates"})
                                   : graph;
  const auto count = [&](const char* metric) { return run.metric(metric).value_or(0); };
  if (run.metric("network.hosts")) {
    text += fmt::format(": {} hosts, {} switches, {} links", count("network.hosts"),
                        count("network.switches"), count("network.links"));
  }
  return text;
}

// The file of the program, of a list such as "[{name: job, program: ring.goal, start: 0s}]".
std::string jobs_of(const std::string& list) {
  constexpr std::string_view kKey = "program: ";
  const std::size_t at = list.find(kKey);
  if (at == std::string::npos || list.find(kKey, at + 1) != std::string::npos)
    return "several jobs";
  const std::size_t from = at + kKey.size();
  return list.substr(from, list.find_first_of(",}", from) - from);
}

// "uniform, poisson size=16KiB": without the load, which has a range of its own.
std::string traffic_of(const Values& values) {
  const std::string workload = at(values, "traffic.workload");
  if (!at(values, "traffic.messages").empty()) return "a list of messages";
  if (const std::string jobs = at(values, "traffic.jobs"); !jobs.empty()) return jobs_of(jobs);
  if (!workload.empty()) return workload + settings(values, "traffic", {"workload", "load"});
  return at(values, "traffic.pattern.name") + settings(values, "traffic.pattern", {"name"}) + ", " +
         at(values, "traffic.injection.name") +
         settings(values, "traffic.injection", {"name", "load"});
}

std::optional<double> load_percent(const Values& values) {
  for (const auto& [path, value] : values) {
    if (!results::is_load(path)) continue;
    if (const auto load = parse<Ratio>(value))
      return 100 * static_cast<double>(load->num()) / static_cast<double>(load->den());
  }
  return std::nullopt;
}

struct Loads {
  std::size_t runs = 0;
  std::optional<double> least;
  std::optional<double> most;

  void add(std::optional<double> load) {
    ++runs;
    if (!load) return;
    least = std::min(least.value_or(*load), *load);
    most = std::max(most.value_or(*load), *load);
  }
  [[nodiscard]] std::string text() const {
    if (!least) return "";
    if (*least == *most) return fmt::format(", load {:g} %", *least);
    return fmt::format(", load {:g} to {:g} %", *least, *most);
  }
};

}  // namespace

Json subject_json(const std::vector<results::Run>& runs) {
  std::map<std::string, std::size_t> networks;
  std::map<std::string, Loads> traffics;
  for (const results::Run& run : runs) {
    const Values values = results::configuration_values(run);
    if (!values.contains("schema_version")) continue;  // of another program
    if (run.status == results::Status::done) ++networks[network_of(run, values)];
    traffics[traffic_of(values)].add(load_percent(values));
  }
  Json subject = {{"networks", Json::array()}, {"traffic", Json::array()}};
  for (const auto& [text, count] : networks)
    subject["networks"].push_back({{"text", text}, {"runs", count}});
  for (const auto& [text, loads] : traffics)
    subject["traffic"].push_back({{"text", text + loads.text()}, {"runs", loads.runs}});
  return subject;
}

}  // namespace ebb::report
