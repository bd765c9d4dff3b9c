// SPDX-License-Identifier: Apache-2.0
#include "marks.hpp"

#include <algorithm>

namespace ebb::forwarding {
namespace {

Rule unmarked(Rule rule, const Table& table) {
  rule.destination.mask |= kMark;
  rule.use = table.detour(rule.output) ? Use::conditional : Use::always;
  return rule;
}

Rule marked(Rule rule, std::uint8_t cos, bool clears) {
  rule.destination.value |= kMark;
  rule.destination.mask |= kMark;
  rule.use = Use::always;
  rule.cos = cos;
  rule.clears = clears;
  return rule;
}

}  // namespace

std::vector<Detour> detours_for(const Way& way, std::uint32_t at, const Layers& layers) {
  std::vector<ChannelId> outputs;
  for (const auto& layer : layers) {
    for (const Rule& rule : layer) outputs.push_back(rule.output);
  }
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  std::vector<Detour> detours;
  for (const ChannelId output : outputs) {
    if (const auto instead = way.detour(at, output)) detours.push_back({output, *instead});
  }
  return detours;
}

Layers marked_and_unmarked(const Way& way, const Table& table, const Layers& layers) {
  const std::vector<Rule> bounces = way.bounces(table.of_switch);
  const std::uint8_t shift = way.mark_shift();
  Layers result;
  std::vector<Rule> up;
  for (const auto& layer : layers) {
    result.emplace_back();
    for (const Rule& rule : layer) {
      std::vector<Rule>& to = goes_up(bounces, rule.output) ? up : result.back();
      to.push_back(unmarked(rule, table));
      to.push_back(marked(rule, shifted(rule.cos, shift), way.detours_end()));
    }
  }
  if (!bounces.empty()) result.push_back(bounces);
  result.push_back(std::move(up));
  return result;
}

std::uint8_t shifted(std::uint8_t cos, std::uint8_t shift) {
  return static_cast<std::uint8_t>(std::min<int>(cos + shift, kMostClass));
}

bool goes_up(std::span<const Rule> bounces, ChannelId output) {
  return std::any_of(bounces.begin(), bounces.end(),
                     [&](const Rule& rule) { return rule.input == topology::reverse(output); });
}

void make_unconditional(Layers& layers) {
  for (auto& layer : layers) {
    for (Rule& rule : layer) rule.use = Use::always;
  }
}

}  // namespace ebb::forwarding
