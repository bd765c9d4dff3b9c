// SPDX-License-Identifier: Apache-2.0
#include "chakra_groups.hpp"

#include "ebb/core/names.hpp"
#include "ebb/program/check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace ebb::trace {
namespace {

using nlohmann::json;

std::optional<std::vector<std::uint32_t>> group_ranks(const json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::uint32_t> ranks;
  ranks.reserve(list.size());
  for (const json& one : list) {
    if (!one.is_number_unsigned() || one.get<std::uint64_t>() >= program::kAny) return std::nullopt;
    ranks.push_back(one.get<std::uint32_t>());
  }
  std::ranges::sort(ranks);
  const auto twice = std::ranges::unique(ranks);
  ranks.erase(twice.begin(), twice.end());
  return ranks;
}

// Names are written as text or as numbers.
std::string group_name(const json& name) {
  return name.is_string() ? name.get<std::string>() : name.dump();
}

}  // namespace

Result<std::vector<ChakraGroup>> read_chakra_groups(std::string_view text,
                                                    const std::string& file) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_structured()) return fail("is no JSON of groups of ranks", {file});
  Errors errors;
  std::vector<ChakraGroup> groups;
  for (const auto& [key, value] : document.items()) {
    const bool is_entry = document.is_array() && value.is_object() && value.contains("pg_name");
    const std::string name = is_entry ? group_name(value["pg_name"]) : key;
    const auto ranks = group_ranks(is_entry ? value.value("ranks", json::array()) : value);
    if (ranks && (is_entry || document.is_object())) {
      groups.push_back({name, *ranks});
    } else if (errors.size() < program::kMostErrors) {
      errors.push_back({"is no group: a list of ranks was expected", {file, 0, 0, name}});
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  return groups;
}

ChakraGroups::ChakraGroups(std::uint32_t ranks, std::vector<std::uint32_t> dimensions)
    : world_(ranks), dimensions_(std::move(dimensions)) {
  std::vector<std::uint32_t> all(ranks);
  std::iota(all.begin(), all.end(), 0U);
  index_of(std::move(all));
}

ChakraGroups::Index ChakraGroups::index_of(std::vector<std::uint32_t> ranks) {
  const auto [at, is_new] = by_ranks_.try_emplace(ranks, groups_.size());
  if (is_new) {
    const std::size_t size = ranks.size();
    groups_.push_back({std::move(ranks), {}, std::vector<std::size_t>(size)});
  }
  return at->second;
}

Result<ChakraGroups::Index> ChakraGroups::find(const ChakraNode& node, std::uint32_t rank,
                                               const std::vector<ChakraGroup>& named) {
  auto ranks = members(node, rank, named);
  if (!ranks) return fail(ranks.error());
  if (ranks->empty()) return Index{0};
  if (ranks->back() >= world_) {
    return fail(fmt::format("its group '{}' has rank {}, and there are {} ranks", node.group,
                            ranks->back(), world_));
  }
  if (!std::ranges::binary_search(*ranks, rank))
    return fail(fmt::format("rank {} is not in its group '{}'", rank, node.group));
  return index_of(*std::move(ranks));
}

// Empty: all ranks.
Result<std::vector<std::uint32_t>> ChakraGroups::members(
    const ChakraNode& node, std::uint32_t rank, const std::vector<ChakraGroup>& named) const {
  const auto found = std::ranges::find(named, node.group, &ChakraGroup::name);
  if (found != named.end()) return found->ranks;
  if (!node.group.empty() && node.group != "0") {
    std::vector<std::string> names;
    names.reserve(named.size());
    for (const ChakraGroup& one : named) names.push_back(one.name);
    return fail(unknown_name("group (pg_name)", node.group, names));
  }
  const bool is_all = std::ranges::all_of(node.dimensions, [](bool is_in) { return is_in; });
  return is_all ? std::vector<std::uint32_t>{} : along(node.dimensions, rank);
}

// The ranks that differ from `rank` in places along the involved dimensions alone.
Result<std::vector<std::uint32_t>> ChakraGroups::along(const std::vector<bool>& involved,
                                                       std::uint32_t rank) const {
  if (dimensions_.empty()) {
    return fail(
        "it involves some of the dimensions of the network: give their sizes, as in "
        "--set dimensions=4x2");
  }
  std::vector<std::uint32_t> ranks = {rank};
  std::uint32_t stride = 1;
  for (std::size_t dimension = 0; dimension < dimensions_.size(); ++dimension) {
    const std::uint32_t size = dimensions_[dimension];
    if (dimension < involved.size() && involved[dimension]) {
      std::vector<std::uint32_t> wider;
      wider.reserve(ranks.size() * size);
      for (const std::uint32_t one : ranks) {
        const std::uint32_t first = one - one / stride % size * stride;
        for (std::uint32_t place = 0; place < size; ++place)
          wider.push_back(first + place * stride);
      }
      ranks = std::move(wider);
    }
    stride *= size;
  }
  std::ranges::sort(ranks);
  return ranks;
}

Result<void> ChakraGroups::take_part(Index group, std::uint32_t rank, const ChakraNode& node) {
  Group& taken = groups_[group];
  const auto place = std::ranges::lower_bound(taken.ranks, rank) - taken.ranks.begin();
  const std::size_t which = taken.taken_part[static_cast<std::size_t>(place)]++;
  if (which == taken.sequence.size()) {
    taken.sequence.push_back({node.collective, node.size, false});
    return {};
  }
  Meeting& meeting = taken.sequence[which];
  if (meeting.kind != node.collective) {
    return fail(fmt::format(
        "it is collective {} of its group, which is of another kind at the ranks before", which));
  }
  if (meeting.size != node.size && !meeting.is_unequal) {
    meeting.is_unequal = true;
    ++unequal_;
  }
  meeting.size = std::max(meeting.size, node.size);
  return {};
}

Errors ChakraGroups::validate() const {
  Errors errors;
  for (const Group& group : groups_) {
    for (std::size_t place = 0; place < group.ranks.size(); ++place) {
      if (group.taken_part[place] == group.sequence.size()) continue;
      if (errors.size() >= program::kMostErrors) return errors;
      errors.push_back(
          {fmt::format("takes part in {} of the {} collectives of its group of {} ranks",
                       group.taken_part[place], group.sequence.size(), group.ranks.size()),
           {{}, 0, 0, fmt::format("rank {}", group.ranks[place])}});
    }
  }
  return errors;
}

std::vector<std::uint64_t> ChakraGroups::first_numbers() const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(groups_.size());
  std::uint64_t next = 0;
  for (const Group& group : groups_) {
    numbers.push_back(next);
    next += group.sequence.size();
  }
  return numbers;
}

}  // namespace ebb::trace
