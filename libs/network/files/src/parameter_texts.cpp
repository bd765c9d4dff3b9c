// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/parameter_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::files {
namespace {

std::optional<std::string> parameter_text(const Value& value, Diagnostics& errors) {
  if (!value.is_list()) return value.text(errors);
  const auto entries = value.list(errors);
  std::string joined;
  for (const Value& entry : *entries) {
    const auto text = entry.text(errors);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : "x") + *text;
  }
  return joined;
}

}  // namespace

std::optional<topology::RateLadder> read_ladder(const Value& value, Diagnostics& errors) {
  constexpr std::size_t kMostRates = 255;  // a step of a ladder is kept in a byte
  const auto entries = value.list(errors);
  if (!entries) return std::nullopt;
  if (entries->empty() || entries->size() > kMostRates) {
    value.report(errors, fmt::format("a ladder has 1 to {} rates, this one has {}", kMostRates,
                                     entries->size()));
    return std::nullopt;
  }
  topology::RateLadder ladder;
  bool sound = true;
  for (const Value& entry : *entries) {
    const auto rate = entry.quantity<DataRate>(errors);
    if (rate && rate->count() <= 0) entry.report(errors, "a rate must be positive");
    if (rate && !ladder.empty() && *rate <= ladder.back()) {
      entry.report(errors, fmt::format("rates must ascend, but {} follows {}", to_text(*rate),
                                       to_text(ladder.back())));
    }
    sound = sound && rate && rate->count() > 0 && (ladder.empty() || *rate > ladder.back());
    if (rate) ladder.push_back(*rate);
  }
  if (!sound) return std::nullopt;
  return ladder;
}

ParameterTexts parameter_texts(const KeyValues& given, Diagnostics& errors) {
  ParameterTexts texts;
  for (const auto& [name, value] : given) {
    // A value that is no text at all has been reported; the empty text keeps it from being missed.
    texts.emplace_back(name, parameter_text(value, errors).value_or(""));
  }
  return texts;
}

void report_parameters(Errors mistakes, const KeyValues& given, const Value& section,
                       Diagnostics& errors) {
  for (Error& error : mistakes) {
    const auto at = std::find_if(given.begin(), given.end(),
                                 [&](const auto& key) { return key.first == error.where.path; });
    const Value& place = at == given.end() ? section : at->second;
    const bool already_reported = at != given.end() && !place.is_scalar() && !place.is_list();
    if (!already_reported) place.report(errors, std::move(error.message));
  }
}

std::optional<topology::Figures> checked_figures(const std::string& family,
                                                 const ParameterTexts& texts,
                                                 const KeyValues& given, const Value& section,
                                                 Diagnostics& errors) {
  auto known = topology::figures(family, texts);
  if (known) return *known;
  report_parameters(std::move(known.error()), given, section, errors);
  return std::nullopt;
}

}  // namespace ebb::files
