// SPDX-License-Identifier: Apache-2.0
//
// `ebb validate peers`: the load-latency curves of another simulator beside those of ebb.
#include "ebb/repro/peers.hpp"

#include "command_line/inputs.hpp"
#include "command_line/text.hpp"
#include "verbs.hpp"

#include "ebb/plots/gnuplot.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace ebb::cli {
namespace {

using repro::Agreement;
using repro::ComparedCurve;
using repro::ComparedPoint;
using repro::Latency;
using repro::Peer;
using repro::PeerCurve;

struct PeersOptions {
  std::vector<std::string> names;
  std::string folder;
  bool json = false;
};

bool differs(const ComparedPoint& point) { return point.agreement == Agreement::differs; }

bool any_differs(const std::vector<ComparedCurve>& all) {
  return std::any_of(all.begin(), all.end(), [](const ComparedCurve& one) {
    return std::any_of(one.points.begin(), one.points.end(), differs);
  });
}

std::string percent_text(double share) { return fmt::format("{:+.2f} %", 100 * share); }

std::vector<Table::Column> columns_of(const Peer& peer, const PeerCurve& curve) {
  const auto right = Table::Align::right;
  std::vector<Table::Column> columns = {{"load", right}, {"seed", right},    {peer.name, right},
                                        {"ebb", right},  {"differs", right}, {"tolerance"},
                                        {"verdict"}};
  for (const auto& variant : curve.beside) columns.push_back({variant.label, right, "ebb with"});
  return columns;
}

void print_curve(const Peer& peer, const ComparedCurve& compared) {
  const PeerCurve& curve = compared.curve;
  fmt::print("{}: {}, {}; ebb {}\n{}", curve.name, curve.network, curve.traffic, curve.label,
             wrapped(fmt::format("{}: {}", peer.name, curve.peer_settings), 100, "    "));
  fmt::print("    mean latency in cycles\n\n");
  Table table(columns_of(peer, curve));
  for (const ComparedPoint& point : compared.points) {
    std::vector<std::string> cells = {point.peer.load,
                                      std::to_string(point.peer.seed),
                                      fmt::format("{:.3f}", point.peer.latency),
                                      fmt::format("{:.3f}", point.ebb.cycles),
                                      percent_text(point.difference),
                                      tolerance_text(curve),
                                      agreement_text(point.agreement)};
    for (const Latency& variant : point.beside)
      cells.push_back(fmt::format("{:.3f}", variant.cycles));
    table.add(std::move(cells));
  }
  fmt::print("{}", table.text());
  if (curve.explanation) {
    fmt::print(
        "{}", wrapped(fmt::format("{} to {}: {}", percent_text(curve.explanation->least),
                                  percent_text(curve.explanation->most), curve.explanation->reason),
                      100, "    "));
  }
  if (!curve.note.empty()) fmt::print("{}", wrapped(curve.note, 100, "    "));
  fmt::print("\n");
  std::fflush(stdout);  // a curve takes seconds: show each when it is done
}

nlohmann::ordered_json variants_json(const PeerCurve& curve, const ComparedPoint& point) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < point.beside.size(); ++i) {
    list.push_back({{"label", curve.beside[i].label},
                    {"latency", point.beside[i].cycles},
                    {"accepted", point.beside[i].accepted}});
  }
  return list;
}

nlohmann::ordered_json curve_json(const Peer& peer, const ComparedCurve& compared) {
  const PeerCurve& curve = compared.curve;
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const ComparedPoint& point : compared.points) {
    points.push_back({{"load", point.peer.offered},
                      {"seed", point.peer.seed},
                      {"peer_latency", point.peer.latency},
                      {"ebb_latency", point.ebb.cycles},
                      {"difference", point.difference},
                      {"peer_accepted", point.peer.accepted},
                      {"ebb_accepted", point.ebb.accepted},
                      {"tolerance", tolerance_text(curve)},
                      {"verdict", agreement_text(point.agreement)},
                      {"beside", variants_json(curve, point)}});
  }
  return {{"curve", curve.name},
          {"peer", peer.name},
          {"network", curve.network},
          {"routing", curve.routing},
          {"traffic", curve.traffic},
          {"ebb", curve.label},
          {"unit", "cycles"},
          {"points", points},
          {"reason", curve.explanation ? curve.explanation->reason : ""},
          {"note", curve.note}};
}

// Before minutes are spent on simulating.
ExitCode prepare_drawings(const std::string& folder) {
  if (folder.empty()) return ExitCode::done;
  if (plots::gnuplot_found()) return make_folder(folder);
  fmt::print(stderr, "error: {}\n", plots::kGnuplotMissing);
  return ExitCode::outside;
}

Result<std::vector<ComparedCurve>> compare_all(const Peer& peer,
                                               const std::vector<PeerCurve>& curves, bool prints) {
  const auto parts = load_parts({});
  if (!parts) return fail(parts.error());
  repro::RunCache cache(*parts);
  std::vector<ComparedCurve> all;
  for (const PeerCurve& curve : curves) {
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "{} of {}: {}, {} points\n", all.size() + 1, curves.size(), curve.name,
                 curve.points.size());
    }
    auto points = compare(peer, curve, cache);
    if (!points) return fail(points.error());
    all.push_back({curve, std::move(*points)});
    if (prints) print_curve(peer, all.back());
  }
  return all;
}

ExitCode compare_peers(const PeersOptions& options) {
  const auto peer = repro::read_peer(data_folder() + "/peers/booksim2.yaml");
  if (!peer) return refuse(peer.error());
  const auto curves = choose_curves(*peer, options.names);
  if (!curves) return refuse(curves.error());
  if (const auto code = prepare_drawings(options.folder); code != ExitCode::done) return code;
  if (!options.json) {
    fmt::print("{}\n{}\n", wrapped(peer->citation, 100, ""), wrapped(peer->mapping, 100, "    "));
  }
  const auto all = compare_all(*peer, *curves, !options.json);
  if (!all) return refuse(all.error());
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ComparedCurve& one : *all) list.push_back(curve_json(*peer, one));
    fmt::print("{}\n", list.dump(2));
  }
  if (!options.folder.empty()) {
    if (const Errors errors = write_comparison(*peer, *all, options.folder); !errors.empty())
      return failed_outside(errors);
  }
  return any_differs(*all) ? ExitCode::not_met : ExitCode::done;
}

}  // namespace

void add_validate_peers(CLI::App& validate, ExitCode& code) {
  const auto options = std::make_shared<PeersOptions>();
  CLI::App* peers = validate.add_subcommand(
      "peers", "Simulate the curves of another simulator, BookSim2, and print both");
  peers->add_option("names", options->names,
                    "Curves of docs/peers.md, or how their names begin; without any, all");
  peers
      ->add_option("-o,--output", options->folder,
                   "Folder for values.csv, and SVG and CSV of each curve")
      ->type_name("FOLDER");
  peers->add_flag("--json", options->json, "Machine-readable output");
  peers->callback([options, &code] { code = compare_peers(*options); });
}

}  // namespace ebb::cli
