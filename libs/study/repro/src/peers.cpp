// SPDX-License-Identifier: Apache-2.0
// The same work on both sides: runs, verdicts, figures.

#include "ebb/repro/peers.hpp"

#include "ebb/plots/gnuplot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <utility>

namespace ebb::repro {
namespace {

Run run_of(const Peer& peer, const PeerCurve& curve, const PeerPoint& point,
           const std::vector<std::string>& further) {
  Run run{peer.simulation, {}};
  if (!curve.graph.empty())
    run.settings.push_back(fmt::format("topology={{graph: '{}/{}'}}", peer.folder, curve.graph));
  run.settings.insert(run.settings.end(), curve.settings.begin(), curve.settings.end());
  run.settings.insert(run.settings.end(), further.begin(), further.end());
  run.settings.push_back("traffic.injection.load=" + point.load);
  run.settings.push_back(fmt::format("seed={}", point.seed));
  return run;
}

Latency latency_of(const Peer& peer, const results::Summary& run) {
  const auto mean = static_cast<double>(run.report.message_latency.mean().count());
  return {mean / static_cast<double>(peer.cycle.count()), run.accepted_load};
}

bool within_tolerance(const PeerCurve& curve, double difference) {
  return curve.within ? std::abs(difference) <= *curve.within : difference <= 0;
}

bool is_explained(const PeerCurve& curve, double difference) {
  return curve.explanation && difference >= curve.explanation->least &&
         difference <= curve.explanation->most;
}

void write_text(const std::string& path, std::string_view bytes, Errors& errors) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) errors.push_back({"cannot be written", {.file = path}});
}

}  // namespace

std::string agreement_text(Agreement agreement) {
  switch (agreement) {
    case Agreement::holds:
      return "holds";
    case Agreement::explained:
      return "explained";
    case Agreement::near_saturation:
      return "near saturation";
    case Agreement::differs:
      return "DIFFERS";
  }
  return "";
}

std::string tolerance_text(const PeerCurve& curve) {
  return curve.within ? fmt::format("+-{:g} %", 100 * *curve.within) : "at most";
}

Agreement judge(const PeerCurve& curve, const PeerPoint& peer, const Latency& ebb) {
  const double difference = ebb.cycles / peer.latency - 1;
  if (!(ebb.accepted >= peer.accepted * (1 - kAcceptedTolerance))) return Agreement::differs;
  if (within_tolerance(curve, difference)) return Agreement::holds;
  if (is_explained(curve, difference)) return Agreement::explained;
  // A load that is printed as 80 % of the saturation load may be a rounding error above it.
  constexpr double kRounding = 1e-3;
  const bool near = peer.offered > kJudgedShare * curve.saturation * (1 + kRounding);
  return near ? Agreement::near_saturation : Agreement::differs;
}

Result<std::vector<ComparedPoint>> compare(const Peer& peer, const PeerCurve& curve,
                                           RunCache& cache) {
  std::vector<Run> runs;
  // The highest load takes longest.
  for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
    runs.push_back(run_of(peer, curve, *point, {}));
    for (const PeerVariant& variant : curve.beside)
      runs.push_back(run_of(peer, curve, *point, variant.settings));
  }
  const auto all = cache.simulate(runs);
  if (!all) return fail(all.error());
  std::vector<ComparedPoint> compared;
  auto next = all->rbegin();
  for (const PeerPoint& point : curve.points) {
    ComparedPoint one;
    one.peer = point;
    one.beside.resize(curve.beside.size());
    for (auto variant = one.beside.rbegin(); variant != one.beside.rend(); ++variant)
      *variant = latency_of(peer, **next++);
    one.ebb = latency_of(peer, **next++);
    one.difference = one.ebb.cycles / point.latency - 1;
    one.agreement = judge(curve, point, one.ebb);
    compared.push_back(std::move(one));
  }
  return compared;
}

plots::Figure figure_of(const Peer& peer, const ComparedCurve& compared) {
  const PeerCurve& curve = compared.curve;
  plots::Figure figure{.name = curve.name,
                       .title = fmt::format("{}, {}", curve.network, curve.traffic),
                       .kind = plots::Kind::lines,
                       .x = {"offered load, of the host links", "%"},
                       .y = {"mean latency", "cycles"}};
  plots::Series theirs{fmt::format("{}: {}", peer.name, curve.routing), {}};
  plots::Series ours{"ebb: " + curve.label, {}};
  std::vector<plots::Series> variants;
  for (const PeerVariant& variant : curve.beside) variants.push_back({"ebb: " + variant.label, {}});
  for (const ComparedPoint& point : compared.points) {
    if (point.peer.seed != 1) continue;
    const double load = 100 * point.peer.offered;
    theirs.points.push_back({load, point.peer.latency});
    ours.points.push_back({load, point.ebb.cycles});
    for (std::size_t i = 0; i < variants.size(); ++i)
      variants[i].points.push_back({load, point.beside[i].cycles});
  }
  figure.references = {std::move(theirs)};
  figure.series = {std::move(ours)};
  for (plots::Series& variant : variants) figure.series.push_back(std::move(variant));
  return figure;
}

plots::Table values_of(std::span<const ComparedCurve> compared) {
  using Kind = plots::Column::Kind;
  plots::Table table{.title = "Another simulator and ebb"};
  for (const char* name : {"curve", "network", "routing", "traffic", "ebb"})
    table.columns.push_back({name, name, "", Kind::text});
  table.columns.push_back({"load", "offered load", "%", Kind::number});
  table.columns.push_back({"seed", "seed", "", Kind::number});
  for (const char* name : {"peer_latency", "ebb_latency"})
    table.columns.push_back({name, name, "cycles", Kind::number});
  for (const char* name : {"difference", "peer_accepted", "ebb_accepted"})
    table.columns.push_back({name, name, "%", Kind::number});
  for (const char* name : {"tolerance", "verdict"})
    table.columns.push_back({name, name, "", Kind::text});
  const auto add = [&](const PeerCurve& curve, const std::string& label, const PeerPoint& peer,
                       const Latency& ebb, const std::string& tolerance,
                       const std::string& verdict) {
    table.rows.push_back({curve.name, curve.network, curve.routing, curve.traffic, label,
                          100 * peer.offered, static_cast<double>(peer.seed), peer.latency,
                          ebb.cycles, 100 * (ebb.cycles / peer.latency - 1), 100 * peer.accepted,
                          100 * ebb.accepted, tolerance, verdict});
  };
  for (const auto& [curve, points] : compared) {
    for (const ComparedPoint& point : points) {
      add(curve, curve.label, point.peer, point.ebb, tolerance_text(curve),
          agreement_text(point.agreement));
      for (std::size_t i = 0; i < point.beside.size(); ++i)
        add(curve, curve.beside[i].label, point.peer, point.beside[i], "", "beside");
    }
  }
  return table;
}

Errors write_comparison(const Peer& peer, std::span<const ComparedCurve> compared,
                        const std::string& folder) {
  Errors errors;
  for (const ComparedCurve& one : compared) {
    const plots::Figure figure = figure_of(peer, one);
    const auto svg = plots::draw(figure, plots::Format::svg);
    if (!svg) return svg.error();
    write_text(folder + "/" + figure.name + ".svg", *svg, errors);
    write_text(folder + "/" + figure.name + ".csv", to_csv(data_of(figure)), errors);
    if (!errors.empty()) return errors;
  }
  write_text(folder + "/values.csv", to_csv(values_of(compared)), errors);
  return errors;
}

}  // namespace ebb::repro
