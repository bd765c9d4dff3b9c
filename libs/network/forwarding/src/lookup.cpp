// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/lookup.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace ebb::forwarding {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kAnyInput = std::numeric_limits<std::uint64_t>::max();
// Where hashing costs more than a row is worth the memory.
constexpr std::size_t kLongRun = 8;
constexpr int kMostGroupBits = 12;

std::uint64_t input_key(const std::optional<topology::ChannelId>& input) {
  return input ? index(*input) : kAnyInput;
}

}  // namespace

Lookup::Lookup(const Table& table, const AddressPlan& plan)
    : table_(&table),
      group_(plan.group_mask()),
      group_shift_(group_ == 0 ? 0 : std::countr_zero(group_)) {
  for (std::uint32_t i = 0; i < table.rules.size(); ++i) {
    const bool alternative = table.rules[i].use == Use::alternative;
    add(i, alternative ? alternatives_ : sets_);
    if (!alternative && table.rules[i].input) asks_for_input_ = true;
  }
  make_rows();
}

// Rules descend by priority, so sets do.
void Lookup::add(std::uint32_t number, std::vector<Set>& sets) const {
  const Rule& rule = table_->rules[number];
  const Values values{rule.source.value, rule.destination.value, input_key(rule.input)};
  for (auto set = sets.rbegin(); set != sets.rend() && set->priority == rule.priority; ++set) {
    if (set->source == rule.source.mask && set->destination == rule.destination.mask &&
        set->by_input == rule.input.has_value()) {
      set->rules.try_emplace(values, number);
      return;
    }
  }
  sets.push_back(
      {rule.priority, rule.source.mask, rule.destination.mask, rule.input.has_value(), {}, {}});
  sets.back().rules.try_emplace(values, number);
}

bool Lookup::looks_at_group_alone(const Set& set) const {
  return set.source == 0 && !set.by_input && (set.destination & ~(group_ | kMark)) == 0;
}

void Lookup::make_rows() {
  if (group_ == 0 || std::bit_width(group_ >> group_shift_) > kMostGroupBits) return;
  std::vector<Set> made;
  for (std::size_t first = 0; first < sets_.size();) {
    std::size_t last = first;
    while (last < sets_.size() && looks_at_group_alone(sets_[last])) ++last;
    if (last - first >= kLongRun) {
      made.push_back(row(std::span(sets_).subspan(first, last - first)));
      first = last;
    } else {
      made.push_back(std::move(sets_[first++]));
    }
  }
  sets_ = std::move(made);
}

// By mark and group; the rules of low priority are painted over.
Lookup::Set Lookup::row(std::span<const Set> run) const {
  const std::size_t groups = (group_ >> group_shift_) + 1;
  std::vector<std::uint32_t> numbers;
  for (const Set& set : run) {
    for (const auto& [values, number] : set.rules) numbers.push_back(number);
  }
  std::sort(numbers.rbegin(), numbers.rend());
  Set made{run.front().priority, 0, group_ | kMark, false, {}, {}};
  made.by_group.assign(2 * groups, kNone);
  for (const std::uint32_t number : numbers) {
    const Match& match = table_->rules[number].destination;
    for (std::size_t i = 0; i < made.by_group.size(); ++i) {
      const Address address = (i % groups << group_shift_) | (i / groups * kMark);
      if (match.matches(address)) made.by_group[i] = number;
    }
  }
  return made;
}

std::size_t Lookup::place_in_row(Address destination) const {
  const std::size_t groups = (group_ >> group_shift_) + 1;
  return ((destination & group_) >> group_shift_) + ((destination & kMark) != 0 ? groups : 0);
}

const Rule* Lookup::find(const Set& set, const Frame& frame) const {
  std::uint32_t number = kNone;
  if (!set.by_group.empty()) {
    number = set.by_group[place_in_row(frame.destination)];
  } else {
    if (set.by_input && !frame.input) return nullptr;
    const auto found =
        set.rules.find({frame.source & set.source, frame.destination & set.destination,
                        set.by_input ? input_key(frame.input) : kAnyInput});
    if (found != set.rules.end()) number = found->second;
  }
  return number == kNone ? nullptr : &table_->rules[number];
}

const Rule* Lookup::rule(const Frame& frame) const {
  for (const Set& set : sets_) {
    if (const Rule* found = find(set, frame)) return found;
  }
  return nullptr;
}

const Rule* Lookup::alternative(const Frame& frame, topology::LinkId dead) const {
  for (const Set& set : alternatives_) {
    const Rule* found = find(set, frame);
    if (found != nullptr && link_of(found->output) != dead) return found;
  }
  return nullptr;
}

}  // namespace ebb::forwarding
