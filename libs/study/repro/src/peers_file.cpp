// SPDX-License-Identifier: Apache-2.0
// Reading the curves of another simulator.

#include "ebb/core/names.hpp"
#include "ebb/files/document.hpp"
#include "ebb/repro/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ebb::repro {
namespace {

using files::Diagnostics;
using files::Section;
using files::Value;

constexpr std::size_t kLargestPeerFile = 1 << 20;

double number(const std::optional<Ratio>& ratio) { return ratio ? ratio->to_double() : 0; }

std::vector<std::string> texts(Section& section, std::string_view key) {
  std::vector<std::string> all;
  const auto value = section.find(key);
  if (!value) return all;
  for (const Value& one : value->list(section.errors()).value_or(std::vector<Value>{})) {
    if (auto text = one.text(section.errors())) all.push_back(std::move(*text));
  }
  return all;
}

// [load, seed, latency in cycles, accepted load]
std::optional<PeerPoint> read_point(const Value& value, Diagnostics& errors) {
  constexpr std::size_t kFields = 4;
  constexpr std::int64_t kLargestSeed = 1'000'000;
  const auto fields = value.list(errors);
  if (!fields) return std::nullopt;
  if (fields->size() != kFields) {
    value.report(errors, "a point is [load, seed, latency in cycles, accepted load]");
    return std::nullopt;
  }
  PeerPoint point;
  point.load = (*fields)[0].text(errors).value_or("");
  point.offered = number((*fields)[0].quantity<Ratio>(errors));
  point.seed =
      static_cast<std::uint64_t>((*fields)[1].integer(0, kLargestSeed, errors).value_or(0));
  point.latency = number((*fields)[2].quantity<Ratio>(errors));
  point.accepted = number((*fields)[3].quantity<Ratio>(errors));
  if (point.latency <= 0) (*fields)[2].report(errors, "a latency is greater than 0");
  return point;
}

std::vector<PeerPoint> read_points(Section& section) {
  std::vector<PeerPoint> points;
  const auto list = section.require("points");
  if (!list) return points;
  for (const Value& value : list->list(section.errors()).value_or(std::vector<Value>{})) {
    if (const auto point = read_point(value, section.errors())) points.push_back(*point);
  }
  if (points.empty()) list->report(section.errors(), "a curve has at least one point");
  return points;
}

// "+-1%", or "at most".
void read_tolerance(Section& section, PeerCurve& curve) {
  const auto value = section.require("tolerance");
  const auto text = value ? value->text(section.errors()) : std::nullopt;
  if (!text || *text == "at most") return;
  const auto width =
      text->starts_with("+-") ? parse<Ratio>(text->substr(2)) : Result<Ratio>(fail(""));
  if (!width) return value->report(section.errors(), "a tolerance is 'at most' or like '+-1%'");
  curve.within = width->to_double();
}

std::optional<Explanation> read_explanation(Section& curve) {
  const auto value = curve.find("explained");
  if (!value) return std::nullopt;
  Section section(*value, curve.errors());
  Explanation explanation;
  explanation.least = number(section.require<Ratio>("least"));
  explanation.most = number(section.require<Ratio>("most"));
  explanation.reason = section.require_text("reason").value_or("");
  section.finish();
  return explanation;
}

std::vector<PeerVariant> read_variants(Section& curve) {
  std::vector<PeerVariant> variants;
  const auto list = curve.find("beside");
  if (!list) return variants;
  for (const Value& value : list->list(curve.errors()).value_or(std::vector<Value>{})) {
    Section section(value, curve.errors());
    variants.push_back({section.require_text("label").value_or(""), texts(section, "ebb")});
    section.finish();
  }
  return variants;
}

PeerCurve read_curve(const Value& value, Diagnostics& errors) {
  Section section(value, errors);
  PeerCurve curve;
  curve.name = section.require_text("name").value_or("");
  curve.network = section.require_text("network").value_or("");
  curve.routing = section.require_text("routing").value_or("");
  curve.traffic = section.require_text("traffic").value_or("");
  curve.peer_settings = section.require_text("settings").value_or("");
  curve.graph = section.find_text("graph").value_or("");
  curve.settings = texts(section, "ebb");
  curve.label = section.require_text("label").value_or("");
  curve.saturation = number(section.require<Ratio>("saturation"));
  read_tolerance(section, curve);
  curve.explanation = read_explanation(section);
  curve.note = section.find_text("note").value_or("");
  curve.beside = read_variants(section);
  curve.points = read_points(section);
  section.finish();
  return curve;
}

}  // namespace

Result<Peer> read_peer_text(std::string_view text, const std::string& file) {
  Diagnostics errors(file);
  const auto root = files::read_yaml(text, errors);
  if (!root) return fail(errors.take());
  Section section(*root, errors);
  section.require_schema_version(1);
  Peer peer;
  peer.name = section.require_text("peer").value_or("");
  peer.citation = section.require_text("citation").value_or("");
  peer.settings = section.require_text("settings").value_or("");
  peer.mapping = section.require_text("mapping").value_or("");
  peer.cycle = section.require<Duration>("cycle").value_or(Duration(1));
  peer.simulation = section.require_text("simulation").value_or("");
  if (const auto curves = section.require("curves")) {
    for (const Value& value : curves->list(errors).value_or(std::vector<Value>{}))
      peer.curves.push_back(read_curve(value, errors));
  }
  section.finish();
  if (!errors.empty()) return fail(errors.take());
  peer.folder = std::filesystem::path(file).parent_path().string();
  return peer;
}

Result<Peer> read_peer(const std::string& path) {
  const auto text = files::read_file(path, kLargestPeerFile);
  if (!text) return fail(text.error());
  return read_peer_text(*text, path);
}

Result<std::vector<PeerCurve>> choose_curves(const Peer& peer, std::span<const std::string> names) {
  if (names.empty()) return peer.curves;
  std::vector<std::string> known;
  for (const PeerCurve& curve : peer.curves) known.push_back(curve.name);
  std::vector<PeerCurve> chosen;
  Errors errors;
  for (const std::string& name : names) {
    const std::size_t before = chosen.size();
    std::copy_if(
        peer.curves.begin(), peer.curves.end(), std::back_inserter(chosen),
        [&](const PeerCurve& curve) { return (curve.name + "-").starts_with(name + "-"); });
    if (chosen.size() == before) errors.push_back({unknown_name("curve", name, known), {}});
  }
  if (!errors.empty()) return fail(std::move(errors));
  return chosen;
}

}  // namespace ebb::repro
