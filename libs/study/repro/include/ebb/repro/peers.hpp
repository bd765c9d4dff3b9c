// SPDX-License-Identifier: Apache-2.0
//
// Another simulator beside ebb: its load-latency curves as data, the same work simulated by ebb,
// and a verdict for each point. A curve is a network, a routing and a traffic pattern; a point is a
// load. peers/booksim2.yaml has the settings of both sides; docs/peers.md has the results.
//
//   RunCache cache(parts);
//   const auto peer = read_peer("peers/booksim2.yaml");
//   for (const PeerCurve& curve : peer->curves) const auto points = compare(*peer, curve, cache);
//
// Invariant: a point that differs by more than its tolerance stays visible. It counts as explained
// only within the bounds that the curve's explanation states.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/figure.hpp"
#include "ebb/repro/run_cache.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::repro {

// What the other simulator printed.
struct PeerPoint {
  std::string load;  // of the host links, as `traffic.injection.load` takes it: "2.5%"
  double offered = 0;
  std::uint64_t seed = 1;
  double latency = 0;   // mean of packets from their creation on, in cycles
  double accepted = 0;  // share of the host links
};

// ebb with other settings, shown beside the curve and not judged.
struct PeerVariant {
  std::string label;
  std::vector<std::string> settings;
};

// Why a systematic difference is there, and how large it may be: the bounds of
// ebb's latency over the other's, less one.
struct Explanation {
  double least = 0;
  double most = 0;
  std::string reason;
};

struct PeerCurve {
  std::string name;
  std::string network;
  std::string routing;  // as the other simulator calls it
  std::string traffic;
  std::string peer_settings;
  std::string graph;                  // file of the network; empty: the settings name a family
  std::vector<std::string> settings;  // of ebb, as `ebb sim --set` takes them
  std::string label;                  // of ebb's curve: its routing
  double saturation = 1;              // load at which the other simulator saturates
  // |difference| may be so much; none: ebb may be as slow as the other simulator, and no slower.
  std::optional<double> within;
  std::optional<Explanation> explanation;
  std::string note;
  std::vector<PeerVariant> beside;
  std::vector<PeerPoint> points;
};

struct Peer {
  std::string name;
  std::string citation;
  std::string settings;  // of every curve, on the other side
  std::string mapping;
  Duration cycle{};
  std::string simulation;  // text of the simulation file that curves change
  std::vector<PeerCurve> curves;
  std::string folder;  // where its graphs are
};

[[nodiscard]] Result<Peer> read_peer(const std::string& path);
[[nodiscard]] Result<Peer> read_peer_text(std::string_view text, const std::string& file);

// The curves whose names are given, or begin with what is given: "dfly2" is all of that network.
[[nodiscard]] Result<std::vector<PeerCurve>> choose_curves(const Peer& peer,
                                                           std::span<const std::string> names);

// Points above this share of the saturation load are shown and not judged: there the latency is
// that of queues that grow, and a small difference of load is a large one of latency.
inline constexpr double kJudgedShare = 0.8;
// How much less than the other simulator ebb may accept.
inline constexpr double kAcceptedTolerance = 0.01;

enum class Agreement : std::uint8_t { holds, explained, near_saturation, differs };
[[nodiscard]] std::string agreement_text(Agreement agreement);

// What ebb measured.
struct Latency {
  double cycles = 0;
  double accepted = 0;
};

struct ComparedPoint {
  PeerPoint peer;
  Latency ebb;
  std::vector<Latency> beside;  // by variant
  double difference = 0;        // ebb's latency over the other's, less one
  Agreement agreement = Agreement::differs;
};

// Simulates every point, and every variant at each, on all cores.
[[nodiscard]] Result<std::vector<ComparedPoint>> compare(const Peer& peer, const PeerCurve& curve,
                                                         RunCache& cache);
[[nodiscard]] Agreement judge(const PeerCurve& curve, const PeerPoint& peer, const Latency& ebb);
[[nodiscard]] std::string tolerance_text(const PeerCurve& curve);

struct ComparedCurve {
  PeerCurve curve;
  std::vector<ComparedPoint> points;
};

// Latency over load, both simulators and the variants.
[[nodiscard]] plots::Figure figure_of(const Peer& peer, const ComparedCurve& compared);
// Every point, one row each.
[[nodiscard]] plots::Table values_of(std::span<const ComparedCurve> compared);
// values.csv, and an SVG and a CSV for each curve, in a folder that exists. Needs gnuplot.
[[nodiscard]] Errors write_comparison(const Peer& peer, std::span<const ComparedCurve> compared,
                                      const std::string& folder);

}  // namespace ebb::repro
