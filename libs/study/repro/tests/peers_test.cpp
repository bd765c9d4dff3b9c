// SPDX-License-Identifier: Apache-2.0
// Another simulator's curves: the shipped file, the verdicts, and a few points simulated.

#include "ebb/repro/peers.hpp"

#include "ebb/files/parts_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ebb::repro {
namespace {

const std::string kRoot = EBB_SOURCE_DIR;

Peer shipped() {
  auto peer = read_peer(kRoot + "/peers/booksim2.yaml");
  if (!peer) ADD_FAILURE() << to_string(peer.error());
  return std::move(peer).value();
}

const PeerCurve& named(const Peer& peer, const std::string& name) {
  const auto found = std::find_if(peer.curves.begin(), peer.curves.end(),
                                  [&](const PeerCurve& curve) { return curve.name == name; });
  EXPECT_NE(found, peer.curves.end()) << name;
  return *found;
}

TEST(Peers, CarryEveryCurve) {
  const Peer peer = shipped();
  EXPECT_EQ(peer.curves.size(), 20U);
  std::size_t points = 0;
  std::set<std::string> names;
  for (const PeerCurve& curve : peer.curves) {
    points += curve.points.size();
    EXPECT_TRUE(names.insert(curve.name).second) << curve.name;
  }
  EXPECT_EQ(points, 114U);
  const PeerPoint& first = named(peer, "mesh8-dor-uniform").points.front();
  EXPECT_EQ(first.load, "2.5%");
  EXPECT_DOUBLE_EQ(first.offered, 0.025);
  EXPECT_DOUBLE_EQ(first.latency, 14.663);
}

// The curves in a run of fifty cycles: every setting is one that ebb knows.
TEST(Peers, EveryCurveResolves) {
  Peer peer = shipped();
  const auto parts = files::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(parts);
  RunCache cache(*parts);
  const std::size_t schedule = peer.simulation.find("schedule:");
  ASSERT_NE(schedule, std::string::npos);
  peer.simulation.resize(schedule);
  peer.simulation += "schedule: {warm_up: 1us, measure: 5us, tail_limit: 1us}\n";
  for (PeerCurve curve : peer.curves) {
    curve.points.resize(1);
    const auto points = compare(peer, curve, cache);
    ASSERT_TRUE(points) << curve.name << ": " << to_string(points.error());
    EXPECT_EQ(points->front().beside.size(), curve.beside.size());
  }
}

// Two points in full, of the network that is simulated fastest.
TEST(Peers, AgreeOnBitComplement) {
  const Peer peer = shipped();
  const auto parts = files::read_parts_folder(kRoot + "/parts");
  ASSERT_TRUE(parts);
  RunCache cache(*parts);
  PeerCurve curve = named(peer, "fbfly4-min-bitcomp");
  curve.points.resize(2);
  const auto points = compare(peer, curve, cache);
  ASSERT_TRUE(points) << to_string(points.error());
  ASSERT_EQ(points->size(), 2U);
  for (const ComparedPoint& point : *points) {
    EXPECT_EQ(point.agreement, Agreement::holds) << point.peer.load << ": " << point.ebb.cycles;
    EXPECT_NEAR(point.ebb.accepted, point.peer.offered, 0.01 * point.peer.offered);
  }
  EXPECT_EQ((*points)[0].peer.load, "2.5%") << "in the order of the file";
  EXPECT_LT((*points)[0].ebb.cycles, (*points)[1].ebb.cycles);
  const std::vector<ComparedCurve> compared = {{curve, *points}};
  EXPECT_EQ(values_of(compared).rows.size(), 2U);
  const plots::Figure figure = figure_of(peer, compared.front());
  EXPECT_EQ(figure.series.size(), 1U);
  EXPECT_EQ(figure.references.front().label, "BookSim2: ran_min");
}

TEST(Agreement, IsJudgedByToleranceSaturationAndExplanation) {
  PeerCurve curve;
  curve.saturation = 0.5;
  curve.within = 0.01;
  const PeerPoint low{.load = "40%", .offered = 0.4, .latency = 100, .accepted = 0.4};
  const PeerPoint high{.load = "45%", .offered = 0.45, .latency = 100, .accepted = 0.4};
  EXPECT_EQ(judge(curve, low, {100.9, 0.4}), Agreement::holds);
  EXPECT_EQ(judge(curve, low, {99.1, 0.4}), Agreement::holds);
  EXPECT_EQ(judge(curve, low, {101.1, 0.4}), Agreement::differs);
  EXPECT_EQ(judge(curve, low, {98.9, 0.4}), Agreement::differs);
  EXPECT_EQ(judge(curve, low, {100, 0.39}), Agreement::differs) << "accepts less";
  EXPECT_EQ(judge(curve, high, {101.1, 0.4}), Agreement::near_saturation);
  curve.explanation = Explanation{-0.1, 0, "sees more"};
  EXPECT_EQ(judge(curve, low, {91, 0.4}), Agreement::explained);
  EXPECT_EQ(judge(curve, low, {89, 0.4}), Agreement::differs);
  EXPECT_EQ(judge(curve, low, {102, 0.4}), Agreement::differs);
  curve.explanation.reset();
  curve.within.reset();
  EXPECT_EQ(judge(curve, low, {50, 0.4}), Agreement::holds) << "at most";
  EXPECT_EQ(judge(curve, low, {100.1, 0.4}), Agreement::differs);
  EXPECT_EQ(judge(curve, low, {0.0 / 0.0, 0.4}), Agreement::differs);
  EXPECT_EQ(judge(curve, low, {50, 0.0 / 0.0}), Agreement::differs);
}

TEST(Peers, AreChosenByNameOrByHowTheNameBegins) {
  const Peer peer = shipped();
  const auto count = [&](const std::string& name) {
    const auto chosen = choose_curves(peer, std::vector{name});
    return chosen ? chosen->size() : 0;
  };
  EXPECT_EQ(count("torus7-dor-uniform"), 1U);
  EXPECT_EQ(count("torus8"), 2U);
  EXPECT_EQ(count("torus"), 0U) << "whole words";
  EXPECT_EQ(choose_curves(peer, {})->size(), 20U);
}

TEST(PeerFile, ReportsMistakes) {
  const auto peer = read_peer_text(
      "schema_version: 1\npeer: x\ncitation: x\nsettings: x\nmapping: x\ncycle: 100ns\n"
      "simulation: x\ncurves:\n"
      "  - {name: a, network: b, routing: c, traffic: d, settings: e, ebb: [], label: f,\n"
      "     saturation: 1, tolerance: about, points: [[10%, 1, 12.5], [20%, 1, 0, 20%]]}\n",
      "peer.yaml");
  ASSERT_FALSE(peer);
  const std::string text = to_string(peer.error());
  EXPECT_NE(text.find("a tolerance is 'at most' or like '+-1%'"), std::string::npos) << text;
  EXPECT_NE(text.find("a point is [load, seed, latency in cycles, accepted load]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("a latency is greater than 0"), std::string::npos) << text;
}

}  // namespace
}  // namespace ebb::repro
