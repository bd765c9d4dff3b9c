// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/lookup.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

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

class Lookup::Sets {
 public:
  Sets(const Table& table, const AddressPlan& plan);

  [[nodiscard]] const Rule* rule(const Frame& frame) const;
  [[nodiscard]] const Rule* backup(const Frame& frame, topology::LinkId dead) const;
  [[nodiscard]] bool asks_for_input() const { return asks_for_input_; }

 private:
  using Values = std::tuple<Address, Address, std::uint64_t>;  // source, destination, input
  struct Set {
    std::uint16_t priority = 0;
    Address source = 0;  // masks
    Address destination = 0;
    bool by_input = false;
    absl::flat_hash_map<Values, std::uint32_t> rules;  // numbers of rules
    std::vector<std::uint32_t> by_group;               // not empty: instead of `rules`
  };

  void add(std::uint32_t number, std::vector<Set>& sets) const;
  [[nodiscard]] bool looks_at_group_alone(const Set& set) const;
  // Replaces long runs of such sets by rows.
  void make_rows();
  [[nodiscard]] Set row(std::span<const Set> run) const;
  [[nodiscard]] std::size_t place_in_row(Address destination) const;
  [[nodiscard]] const Rule* find(const Set& set, const Frame& frame) const;

  const Table* table_;
  Address group_ = 0;  // mask
  int group_shift_ = 0;
  std::vector<Set> sets_;  // descending by priority
  std::vector<Set> backups_;
  bool asks_for_input_ = false;
};

Lookup::Sets::Sets(const Table& table, const AddressPlan& plan)
    : table_(&table),
      group_(plan.group_mask()),
      group_shift_(group_ == 0 ? 0 : std::countr_zero(group_)) {
  for (std::uint32_t i = 0; i < table.rules.size(); ++i) {
    const bool backup = table.rules[i].use == Use::backup;
    add(i, backup ? backups_ : sets_);
    if (!backup && table.rules[i].input) asks_for_input_ = true;
  }
  make_rows();
}

// Rules descend by priority, so sets do.
void Lookup::Sets::add(std::uint32_t number, std::vector<Set>& sets) const {
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

bool Lookup::Sets::looks_at_group_alone(const Set& set) const {
  return set.source == 0 && !set.by_input && (set.destination & ~(group_ | kReroutedTag)) == 0;
}

void Lookup::Sets::make_rows() {
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

// By rerouted tag and group; the rules of low priority are painted over.
Lookup::Sets::Set Lookup::Sets::row(std::span<const Set> run) const {
  const std::size_t groups = (group_ >> group_shift_) + 1;
  std::vector<std::uint32_t> numbers;
  for (const Set& set : run) {
    for (const auto& [values, number] : set.rules) numbers.push_back(number);
  }
  std::sort(numbers.rbegin(), numbers.rend());
  Set made{run.front().priority, 0, group_ | kReroutedTag, false, {}, {}};
  made.by_group.assign(2 * groups, kNone);
  for (const std::uint32_t number : numbers) {
    const Match& match = table_->rules[number].destination;
    for (std::size_t i = 0; i < made.by_group.size(); ++i) {
      const Address address = (i % groups << group_shift_) | (i / groups * kReroutedTag);
      if (match.matches(address)) made.by_group[i] = number;
    }
  }
  return made;
}

std::size_t Lookup::Sets::place_in_row(Address destination) const {
  const std::size_t groups = (group_ >> group_shift_) + 1;
  return ((destination & group_) >> group_shift_) +
         ((destination & kReroutedTag) != 0 ? groups : 0);
}

const Rule* Lookup::Sets::find(const Set& set, const Frame& frame) const {
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

const Rule* Lookup::Sets::rule(const Frame& frame) const {
  for (const Set& set : sets_) {
    if (const Rule* found = find(set, frame)) return found;
  }
  return nullptr;
}

const Rule* Lookup::Sets::backup(const Frame& frame, topology::LinkId dead) const {
  for (const Set& set : backups_) {
    const Rule* found = find(set, frame);
    if (found != nullptr && link_of(found->output) != dead) return found;
  }
  return nullptr;
}

NextHops::NextHops(const Table& table, const Rule& rule, const Frame& frame)
    : rule_(&rule), destination_(frame.destination) {
  if (rule.use != Use::primary) return;
  if (const FastReroute* reroute = table.fast_reroute(rule.output))
    reroutes_ = RerouteChoices(*reroute, frame);
}

NextHops::Choice NextHops::operator[](std::size_t i) const {
  const Rerouted taken = i == 0 ? Rerouted{rule_->output, false} : reroutes_[i - 1];
  Address sent = destination_;
  if (taken.tagged) {
    sent |= kReroutedTag;
  } else if (rule_->clears_tag) {
    sent &= ~kReroutedTag;
  }
  return {taken.output, rule_->cos, sent};
}

Lookup::Lookup(const Table& table, const AddressPlan& plan)
    : table_(&table), sets_(std::make_shared<const Sets>(table, plan)) {}

const Rule* Lookup::rule(const Frame& frame) const { return sets_->rule(frame); }

const Rule* Lookup::backup(const Frame& frame, topology::LinkId dead) const {
  return sets_->backup(frame, dead);
}

NextHops Lookup::next_hops(const Frame& frame) const {
  const Rule* found = rule(frame);
  return found == nullptr ? NextHops() : NextHops(*table_, *found, frame);
}

bool Lookup::asks_for_input() const { return sets_->asks_for_input(); }

}  // namespace ebb::forwarding
