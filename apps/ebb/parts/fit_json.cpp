// SPDX-License-Identifier: Apache-2.0
//
// `ebb parts fit --json`; docs/schema/parts-fit.schema.json has its keys.
#include "parts/measured.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::cli {
namespace {

using Json = nlohmann::ordered_json;
using measurements::Estimate;
using measurements::Parameter;
using measurements::Term;

// By measurements::LeftOut.
constexpr std::array<std::string_view, measurements::kLeftOutReasons> kLeftOut = {
    "no_power", "other_ports", "state_changed", "no_counter", "reset"};

// As the keys of part files; energies begin with "energy".
std::string_view key_of(Term term) {
  switch (term) {
    case Term::base:
      break;
    case Term::port:
      return "port";
    case Term::plugged:
      return "plugged";
    case Term::up:
      return "up";
    case Term::per_bit:
      return "energy_per_bit";
    case Term::per_packet:
      return "energy_per_packet";
  }
  return "base";
}

Json parameter_json(const Parameter& parameter) {
  return {{"term", key_of(parameter.term)},
          {"setup", parameter.term == Term::base ? Json(nullptr) : Json(parameter.setup)}};
}

Json estimate_json(const Estimate& estimate) {
  const Term term = estimate.parameter.term;
  const bool is_energy = term == Term::per_bit || term == Term::per_packet;
  Json json = parameter_json(estimate.parameter);
  json["unit"] = is_energy ? "J" : "W";
  json["value"] = estimate.at_bound ? 0.0 : estimate.value;
  json["low"] = estimate.at_bound ? 0.0 : estimate.low;
  json["high"] = estimate.high;
  json["at_bound"] = estimate.at_bound;
  return json;
}

Json residuals_json(const measurements::Residuals& residuals) {
  return {{"rms_w", residuals.rms},
          {"largest_w", residuals.largest},
          {"r_squared", residuals.r_squared ? Json(*residuals.r_squared) : Json(nullptr)},
          {"autocorrelation", residuals.autocorrelation},
          {"neighbours", residuals.neighbours}};
}

}  // namespace

std::string fit_json(const measurements::Fit& fit, const measurements::Series& series) {
  Json json = {{"schema_version", 1},
               {"intervals", fit.intervals},
               {"left_out", Json::object()},
               {"most_ports", series.most_ports},
               {"estimates", Json::array()},
               {"unidentified", Json::array()},
               {"residuals", residuals_json(fit.residuals)}};
  for (std::size_t reason = 0; reason < kLeftOut.size(); ++reason)
    json["left_out"][std::string(kLeftOut.at(reason))] = series.left_out.at(reason);
  for (const Estimate& estimate : fit.estimates)
    json["estimates"].push_back(estimate_json(estimate));
  for (const measurements::Unidentified& group : fit.unidentified) {
    Json one = {{"parameters", Json::array()}, {"never_used", group.never_used}};
    for (const Parameter& parameter : group.parameters)
      one["parameters"].push_back(parameter_json(parameter));
    json["unidentified"].push_back(std::move(one));
  }
  return json.dump(2) + "\n";
}

}  // namespace ebb::cli
