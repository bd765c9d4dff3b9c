// SPDX-License-Identifier: Apache-2.0
//
// VLAN trees of a multi-tree Ethernet: distances (D2), VLANs (D1) and regulation of links (D3).
#include "beside_published.hpp"
#include "hpc_programs.hpp"

#include "ebb/forwarding/vlan_trees.hpp"
#include "ebb/policy/regulate.hpp"
#include "ebb/power/model.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ebb::repro::multi_tree {
namespace {

// Six switches of 11 hosts, with 1 and 5 links wherever two switches are joined.
Result<Measurements> measure_distances(RunCache&) {
  Measurements measured;
  for (const std::string family : {"tree", "complete"}) {
    for (const std::string parallel : {"1", "5"}) {
      const auto graph =
          topology::build(family, {{"switches", "6"}, {"hosts", "11"}, {"parallel", parallel}},
                          {gigabits_per_second(1)});
      if (!graph) return fail(graph.error());
      const auto between_switches = graph->link_count() - graph->host_count();
      measured.emplace_back(fmt::format("{}.links{}", family, parallel),
                            static_cast<double>(between_switches));
      if (parallel == "1")
        measured.emplace_back(family + ".distance", topology::distances(*graph).mean());
    }
  }
  return measured;
}

std::vector<plots::Figure> draw_table_2(const Row& row, const Measurements& measured) {
  return {beside_published({.name = "table-2-distance",
                            .title = "Table 2: average distance of hosts",
                            .y = {"distance", "switches"}},
                           row, measured,
                           {{"tree", "tree.distance"}, {"complete", "complete.distance"}}),
          beside_published({.name = "table-2-links",
                            .title = "Table 2: links between six switches",
                            .y = {"links", ""}},
                           row, measured,
                           {{"tree, 1 link", "tree.links1"},
                            {"tree, 5 links", "tree.links5"},
                            {"complete, 1 link", "complete.links1"},
                            {"complete, 5 links", "complete.links5"}})};
}

// D1: VLANs of six switches. D3: links closed by peak, what that saves and what programs lose. The
// time of a phase is that of its busiest channel, network cards included; nothing is simulated.

constexpr std::uint32_t kSwitches = 6;
constexpr std::uint32_t kHostsPerSwitch = 11;
constexpr int kLinks = 5;
constexpr double kMostLoss = 1;  // percent

Result<topology::Graph> cluster(const std::string& family, int parallel) {
  return topology::build(family,
                         {{"switches", std::to_string(kSwitches)},
                          {"hosts", std::to_string(kHostsPerSwitch)},
                          {"parallel", std::to_string(parallel)}},
                         {gigabits_per_second(1)});
}

Result<Measurements> measure_vlans(RunCache&) {
  Measurements measured;
  for (const std::string family : {"complete", "tree"}) {
    for (const int parallel : {1, kLinks}) {
      const auto graph = cluster(family, parallel);
      if (!graph) return fail(graph.error());
      const forwarding::Lags lags(*graph);
      const auto trees = shortest_path_trees(*graph, lags);
      if (!trees) return fail(trees.error());
      const auto vlans = assign_vlans(*graph, *trees);
      if (!vlans) return fail(vlans.error());
      const Errors errors = check_vlans(*graph, lags, *trees, *vlans);
      if (!errors.empty()) return fail(errors);
      measured.emplace_back(fmt::format("{}.vlans{}", family, parallel),
                            static_cast<double>(vlans->vlans.size()));
    }
  }
  return measured;
}

// The network with its path set, from every switch to every other.
struct Cluster {
  topology::Graph graph;
  forwarding::Lags lags;
  std::vector<forwarding::SourceTree> trees;

  [[nodiscard]] std::vector<std::uint32_t> channels(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::uint32_t> channels;
    std::uint32_t at = from;
    for (const std::uint32_t lag : trees[from].path(lags, to)) {
      channels.push_back(2 * lag + (lags[lag].a == at ? 0U : 1U));
      at = lags[lag].other(at);
    }
    return channels;
  }
};

Result<Cluster> complete_cluster() {
  auto graph = cluster("complete", kLinks);
  if (!graph) return fail(graph.error());
  forwarding::Lags lags(*graph);
  auto trees = shortest_path_trees(*graph, lags);
  if (!trees) return fail(trees.error());
  return Cluster{std::move(*graph), std::move(lags), std::move(*trees)};
}

// Bytes over each channel between switches, and in and out of each host.
struct Load {
  std::vector<policy::RegulatedFlow> flows;
  std::map<std::uint32_t, std::int64_t> out;
  std::map<std::uint32_t, std::int64_t> in;
};

Load load_of(const Cluster& cluster, const Program& program, const Phase& phase) {
  Load load;
  for (const RankMessage& message : phase.messages) {
    const std::uint32_t from = message.from / program.ranks_per_host;
    const std::uint32_t to = message.to / program.ranks_per_host;
    if (from == to) continue;
    load.out[from] += message.bytes;
    load.in[to] += message.bytes;
    const std::uint32_t source = from / kHostsPerSwitch;
    const std::uint32_t target = to / kHostsPerSwitch;
    if (source != target)
      load.flows.push_back({bytes(message.bytes), cluster.channels(source, target)});
  }
  return load;
}

double seconds_at_gigabit(double sent) { return sent * 8 / 1e9; }

// Of the busiest channel; lags have so many links.
double seconds(const Cluster& cluster, const Program& program, const Load& load,
               const std::vector<int>& links) {
  double longest = 0;
  for (const auto* ends : {&load.out, &load.in}) {
    for (const auto& [host, sent] : *ends)
      longest = std::max(longest, static_cast<double>(sent) / program.cards_per_host);
  }
  const auto amounts = policy::amount_by_channel(cluster.lags.all().size(), load.flows);
  for (std::size_t channel = 0; channel < amounts.size(); ++channel) {
    const double sent = static_cast<double>(amounts[channel].count()) / 8;
    longest = std::max(longest, sent / links[channel / 2]);
  }
  return seconds_at_gigabit(longest);
}

struct Times {
  double exposed = 0;
  double hidden = 0;
};

Times times(const Cluster& cluster, const Program& program, const std::vector<int>& links) {
  Times times;
  for (const Phase& phase : program.phases) {
    (phase.hidden ? times.hidden : times.exposed) +=
        seconds(cluster, program, load_of(cluster, program, phase), links);
  }
  return times;
}

// In percent. Communication takes longer by what its busiest channels do; what is hidden counts
// only where it is longer than all the rest.
double lost(const Cluster& cluster, const Program& program, const std::vector<int>& links) {
  const std::vector<int> every(links.size(), kLinks);
  const Times full = times(cluster, program, every);
  const Times now = times(cluster, program, links);
  const double run = program.seconds > 0 ? program.seconds : full.exposed / program.communication;
  const double longer = std::max(run + now.exposed - full.exposed, now.hidden);
  return 100 * (1 - run / longer);
}

// In percent of what six switches draw with all links open.
double saved(const Cluster& cluster, const Program& program, const power::Box& box,
             const std::vector<int>& links) {
  const auto watts = [&](const std::vector<int>& open) {
    std::vector<int> ports(kSwitches, static_cast<int>(kHostsPerSwitch) * program.cards_per_host);
    for (std::uint32_t b = 0; b < open.size(); ++b) {
      ports[cluster.lags[b].a] += open[b];
      ports[cluster.lags[b].b] += open[b];
    }
    double sum = 0;
    for (const int count : ports) {
      const power::PortUse use[] = {{&box.setups[0], count}};
      sum += to_watts(box_power(box, use));
    }
    return sum;
  };
  return 100 * (1 - watts(links) / watts(std::vector<int>(links.size(), kLinks)));
}

struct CurvePoint {
  double saved = 0;
  double lost = 0;
};

// From all links open to one for each pair, through every peak that changes something.
std::vector<CurvePoint> curve(const Cluster& cluster, const Program& program,
                              const power::Box& box) {
  std::vector<policy::RegulatedFlow> flows;
  for (const Phase& phase : program.phases) {
    const Load load = load_of(cluster, program, phase);
    flows.insert(flows.end(), load.flows.begin(), load.flows.end());
  }
  const std::size_t count = cluster.lags.all().size();
  std::set<DataSize> peaks;
  for (const DataSize amount : policy::amount_by_channel(count, flows)) {
    for (int links = 1; links <= kLinks; ++links) {
      if (amount > DataSize{}) peaks.insert(bits((amount.count() + links - 1) / links));
    }
  }
  const std::vector<int> every(count, kLinks);
  std::vector<CurvePoint> points = {{0, 0}};
  for (const DataSize peak : peaks) {
    const auto links = policy::regulate(every, flows, {.peak = peak}).links;
    const CurvePoint point{saved(cluster, program, box, links), lost(cluster, program, links)};
    if (point.saved > points.back().saved) points.push_back(point);
  }
  return points;
}

std::vector<Program> programs() {
  std::vector<Program> all = {hpl(RankOrder::by_row), hpl(RankOrder::by_column)};
  for (Program& program : nas_benchmarks()) all.push_back(std::move(program));
  return all;
}

Result<Measurements> measure_regulation(RunCache& cache) {
  const auto cluster = complete_cluster();
  if (!cluster) return fail(cluster.error());
  const auto box = cache.parts().find_as<power::Box>("dell-powerconnect-6248");
  if (!box) return fail(box.error());
  Measurements measured;
  double most = 0;  // of the NAS benchmarks but FT
  for (const Program& program : programs()) {
    const std::vector<CurvePoint> points = curve(*cluster, program, **box);
    double best = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].lost < kMostLoss) best = std::max(best, points[i].saved);
      measured.emplace_back(fmt::format("{}: saved {}", program.name, i), points[i].saved);
      measured.emplace_back(fmt::format("{}: performance {}", program.name, i),
                            100 - points[i].lost);
    }
    measured.emplace_back(program.name + ": points", static_cast<double>(points.size()));
    measured.emplace_back(program.name + ": saved", best);
    measured.emplace_back(program.name + ": lost at most saved", points.back().lost);
    if (program.seconds == 0 && program.name != "FT") most = std::max(most, best);
  }
  measured.emplace_back("NAS: saved", most);
  return measured;
}

plots::Series series_of(const Program& program, const Measurements& measured) {
  plots::Series series{program.name, {}};
  const auto count = static_cast<int>(value_of(measured, program.name + ": points"));
  for (int i = 0; i < count; ++i) {
    series.points.push_back({value_of(measured, fmt::format("{}: saved {}", program.name, i)),
                             value_of(measured, fmt::format("{}: performance {}", program.name, i)),
                             {}});
  }
  return series;
}

std::vector<plots::Figure> draw_regulation(const Row& row, const Measurements& measured) {
  const plots::Axis x{"network power saved", "%"};
  const plots::Axis y{"performance of that with all links", "%"};
  plots::Figure linpack{
      .name = "figure-4", .title = "Fig. 4: HPL, links closed by peak", .x = x, .y = y};
  plots::Figure nas{.name = "figure-5",
                    .title = "Fig. 5: NAS benchmarks, 64 ranks, links closed by peak",
                    .x = x,
                    .y = y};
  std::vector<BarOf> bars;
  for (const Program& program : programs()) {
    (program.seconds > 0 ? linpack : nas).series.push_back(series_of(program, measured));
    bars.push_back({program.name, program.name + ": saved"});
  }
  bars.push_back({"most of NAS but FT", "NAS: saved"});
  return {linpack, nas,
          beside_published({.name = "saved",
                            .title = "Network power saved at less than 1 % loss",
                            .y = {"saved", "%"}},
                           row, measured, bars)};
}

std::vector<plots::Figure> draw_vlans(const Row& row, const Measurements& measured) {
  return {beside_published({.name = "vlans", .title = "VLANs of six switches", .y = {"VLANs", ""}},
                           row, measured,
                           {{"complete, 1 link", "complete.vlans1"},
                            {"complete, 5 links", "complete.vlans5"},
                            {"tree, 1 link", "tree.vlans1"},
                            {"tree, 5 links", "tree.vlans5"}})};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{.id = "D2", .measure = measure_distances, .draw = draw_table_2},
          {.id = "D1", .measure = measure_vlans, .draw = draw_vlans},
          {.id = "D3", .measure = measure_regulation, .draw = draw_regulation},
          {.id = "D4",
           .measure = [](RunCache& cache) { return cache.measure_live("D4"); },
           .cost = Cost::live}};
}

}  // namespace ebb::repro::multi_tree
