// SPDX-License-Identifier: Apache-2.0

#include "runs/checked_network.hpp"

#include "checks.hpp"

#include "ebb/core/check.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace ebb::validate {
namespace {

using namespace std::chrono_literals;
using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

template <class T>
T must(Result<T> made) {
  EBB_CHECK(made.has_value(), made ? std::string() : to_string(made.error()));
  return std::move(*made);
}

std::vector<netsim::ChannelModel> models_of(const Graph& graph) {
  std::vector<netsim::ChannelModel> models;
  for (const topology::RateTable& rate_table : graph.rate_tables()) {
    netsim::ChannelModel model;
    for (const DataRate rate : rate_table) {
      model.rate_levels.push_back({rate, 1, microwatts(rate.count() / 10'000)});
    }
    model.rate_change = 1us;
    model.lane_change = 1us;
    model.sleep = netsim::ChannelModel::Sleep{milliwatts(100), 10us};
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace

std::string text_of(const Setting& setting) {
  std::string text = setting.family;
  for (const auto& [key, value] : setting.parameters) text += fmt::format(" {}={}", key, value);
  return text + ", " + setting.scheme;
}

bool has_routing(const Setting& setting) {
  if (setting.scheme != "tables") return true;
  const Graph graph =
      must(topology::build(setting.family, setting.parameters, {gigabits_per_second(40)}));
  return routing::make_routing(setting.scheme, graph).has_value();
}

CheckedNetwork::CheckedNetwork(const Setting& setting, topology::RateTable rate_table)
    : CheckedNetwork(
          must(topology::build(setting.family, setting.parameters, std::move(rate_table))),
          setting.scheme) {}

CheckedNetwork::CheckedNetwork(Graph graph, const std::string& scheme)
    : graph_(std::move(graph)),
      routing_(must(routing::make_routing(scheme, graph_))),
      models_(models_of(graph_)) {}

netsim::NetworkConfig CheckedNetwork::config(const netsim::Hardware& hardware) const {
  return {graph_, *routing_, models_, hardware, kSwitchCore, 1};
}

NodeId CheckedNetwork::switch_of(std::uint32_t host) const {
  return graph_.target(from_host(host));
}

ChannelId CheckedNetwork::from_host(std::uint32_t host) const {
  return graph_.outputs(graph_.host_node(host)).front();
}

ChannelId CheckedNetwork::to_host(std::uint32_t host) const { return reverse(from_host(host)); }

std::vector<ParameterTexts> shapes(const std::string& family) {
  if (family == "dragonfly") {
    return {{{"p", "1"}, {"a", "2"}, {"h", "1"}},
            {{"p", "2"}, {"a", "4"}, {"h", "2"}},
            {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "5"}}};
  }
  if (family == "clos") {
    return {{{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}},
            {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}},
            {{"ports", "4"}, {"levels", "4"}, {"hosts", "23"}}};
  }
  if (family == "rail-clos") {
    return {{{"ports", "8"}, {"pods", "2"}, {"servers", "4"}, {"gpus", "2"}},
            {{"ports", "4"}, {"pods", "2"}, {"servers", "2"}, {"gpus", "2"}, {"levels", "3"}}};
  }
  if (family == "clos_chassis") {
    return {{{"hosts", "32"}, {"chip_ports", "8"}}, {{"hosts", "65"}, {"chip_ports", "8"}}};
  }
  if (family == "dragonfly-plus") {
    return {{{"p", "2"}, {"leaves", "2"}, {"spines", "2"}, {"h", "2"}},
            {{"p", "1"}, {"leaves", "3"}, {"spines", "2"}, {"h", "3"}, {"g", "4"}}};
  }
  if (family == "slim-fly") return {{{"q", "3"}, {"p", "2"}}, {{"q", "5"}, {"p", "1"}}};
  if (family == "polarfly") return {{{"q", "3"}, {"p", "2"}}, {{"q", "4"}, {"p", "1"}}};
  if (family == "jellyfish") {
    return {{{"switches", "12"}, {"ports", "4"}, {"degree", "3"}},
            {{"switches", "20"}, {"ports", "6"}, {"degree", "4"}, {"seed", "7"}}};
  }
  if (family == "irregular") {
    return {{{"switches", "12"}, {"degree", "3"}, {"hosts", "1"}},
            {{"switches", "20"}, {"degree", "4"}, {"hosts", "2"}, {"seed", "7"}}};
  }
  if (family == "complete" || family == "tree") {
    return {{{"switches", "5"}, {"hosts", "2"}, {"parallel", "2"}},
            {{"switches", "9"}, {"hosts", "3"}}};
  }
  return {{{"hosts", "2"}, {"dims", "4"}},
          {{"hosts", "1"}, {"dims", "5x4"}, {"parallel", "1x2"}},
          {{"hosts", "2"}, {"dims", "2x3x3"}}};
}

std::vector<int> distances_to(const Graph& graph, NodeId to) {
  std::vector<int> links(graph.switch_count(), -1);
  std::vector<NodeId> found = {to};
  links[index(to)] = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const NodeId here = found[i];
    for (const ChannelId channel : graph.outputs(here)) {
      const NodeId next = graph.target(channel);
      if (graph.is_host(next) || links[index(next)] >= 0) continue;
      links[index(next)] = links[index(here)] + 1;
      found.push_back(next);
    }
  }
  return links;
}

void Accounts::add(const power::Ledger& ledger) {
  ++runs_;
  const Errors errors = ledger.check();
  if (errors.empty() && ledger.closed()) {
    ++balanced_;
  } else if (first_error_.empty()) {
    first_error_ = errors.empty() ? "not closed" : errors.front().message;
  }
}

Row Accounts::row() const {
  Row row = exact("energy accounts that balance", runs_, balanced_, "runs");
  if (runs_ == 0) row.verdict = Verdict::fails;
  row.note = first_error_;
  return row;
}

netsim::Report run_loaded(const CheckedNetwork& checked, const netsim::Hardware& hardware,
                          const Load& load, Accounts& accounts) {
  const auto injection =
      traffic::make_injection(load.injection, checked.host_rate(),
                              {{"load", load.load}, {"size", to_text(hardware.packet)}})
          .value();
  const traffic::IndependentHosts workload(load.pattern, *injection, checked.graph().host_count());
  const auto policy = policy::make_policy("always-on", {}).value();
  netsim::Schedule schedule;
  schedule.warm_up = load.warm_up;
  schedule.measure = load.measure;
  schedule.tail_limit = load.tail_limit;
  netsim::Report report =
      netsim::run({checked.graph(), checked.routing(), workload, *policy.policy, checked.models(),
                   kSwitchCore, hardware, schedule, load.seed});
  accounts.add(report.ledger);
  return report;
}

double accepted(const netsim::Report& report, const CheckedNetwork& checked, const Load& load) {
  if (report.stall) return 0;
  return netsim::load(report, report.delivered, checked.host_rate(), load.senders);
}

std::unique_ptr<traffic::Pattern> uniform(const CheckedNetwork& checked) {
  return traffic::make_pattern("uniform", {.hosts = checked.graph().host_count()}, {}, 1).value();
}

}  // namespace ebb::validate
