// SPDX-License-Identifier: Apache-2.0
#include "destination_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::forwarding {

DestinationCheck::DestinationCheck(const Checked& checked)
    : lost(checked.graph.link_count()),
      checked_(checked),
      host_inputs_(checked.graph.switch_count()),
      switch_inputs_(checked.graph.switch_count()) {
  if (checked.backup_paths != BackupPaths::injection) return;
  const Graph& graph = checked.graph;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    for (const ChannelId channel : graph.outputs(graph.switch_node(s))) {
      if (graph.is_host(graph.target(channel)))
        host_inputs_[s].push_back(topology::reverse(channel));
    }
    for (const Rule& rule : checked.lookups[s].table().rules) {
      if (rule.use == Use::backup && rule.input && !graph.is_host(graph.source(*rule.input)))
        switch_inputs_[s].push_back(*rule.input);
    }
  }
}

void DestinationCheck::begin(std::size_t item, std::uint32_t source, std::uint32_t host) {
  item_ = item;
  source_ = source;
  host_ = host;
  const std::uint32_t switches = checked_.graph.switch_count();
  visit_.assign(switches, Visit::unknown);
  for (std::size_t rerouted = 0; rerouted < 2; ++rerouted) {
    std::swap(known_[rerouted], before_[rerouted]);
    if (failed_ || before_[rerouted].empty()) before_[rerouted].assign(switches, nullptr);
    known_[rerouted].assign(switches, nullptr);
  }
  failed_ = false;
  visited_.clear();
}

void DestinationCheck::look(std::size_t item, std::uint32_t source, std::uint32_t host,
                            std::span<const std::uint32_t> senders) {
  begin(item, source, host);
  for (const std::uint32_t s : senders) walk(s);
  if (failed_ || checked_.backup_paths == BackupPaths::none) return;
  sends_.assign(checked_.graph.switch_count(), false);
  for (const std::uint32_t s : senders) sends_[s] = true;
  note_transit();
  for (const std::uint32_t s : visited_) {
    const Rule& rule = *known_[0][s];
    if (delivers(rule)) continue;
    note_waiting(s, rule);
    lose_output(s, rule);
  }
}

void DestinationCheck::look_at_home(std::size_t item, std::uint32_t source, std::uint32_t host) {
  item_ = item;
  source_ = source;
  host_ = host;
  const std::uint32_t at = checked_.plan.switch_of(host);
  for (const bool rerouted : {false, true}) {
    if (rerouted && checked_.backup_paths != BackupPaths::everywhere) continue;
    const Rule* rule = look_up(at, frame(rerouted, std::nullopt));
    if (rule != nullptr && !delivers(*rule)) complain(at, "sends it away");
  }
}

Frame DestinationCheck::frame(bool rerouted, std::optional<ChannelId> input) const {
  const Address destination = checked_.plan.of_host(host_);
  return {input, checked_.plan.of_host(source_),
          rerouted ? destination | kReroutedTag : destination};
}

const Rule* DestinationCheck::ask(std::uint32_t at, bool rerouted, std::optional<ChannelId> input) {
  if (checked_.lookups[at].asks_for_input()) return look_up(at, frame(rerouted, input));
  const Rule*& known = known_[rerouted ? 1 : 0][at];
  if (known == nullptr) known = look_up(at, frame(rerouted, std::nullopt));
  return known;
}

const Rule* DestinationCheck::look_up(std::uint32_t at, const Frame& frame) {
  ++questions;
  const Graph& graph = checked_.graph;
  const Rule* rule = checked_.lookups[at].rule(frame);
  if (rule == nullptr) {
    complain(at, "has no rule for it");
    return nullptr;
  }
  const NodeId next = graph.target(rule->output);
  if (graph.is_host(next) && graph.host_number(next) != host_) {
    complain(at, "gives it to " + graph.name(next));
    return nullptr;
  }
  if (!as_intended(at, *rule, frame)) {
    complain(at, "sends it to " + graph.name(next) + ", by another path than intended");
    return nullptr;
  }
  return rule;
}

bool DestinationCheck::as_intended(std::uint32_t at, const Rule& rule, const Frame& frame) const {
  if (checked_.maker == nullptr) return true;
  const bool rerouted = (frame.destination & kReroutedTag) != 0;
  const auto intended =
      checked_.maker->intended(checked_.lookups[at].table(), source_, host_, rerouted, frame.input);
  return intended == TableMaker::NextHop{rule.output, rule.cos, rule.clears_tag};
}

void DestinationCheck::walk(std::uint32_t from) {
  path_.clear();
  Visit answer = Visit::fails;
  std::optional<ChannelId> input;
  for (std::uint32_t at = from;;) {
    if (visit_[at] != Visit::unknown) {
      if (visit_[at] == Visit::on_the_path) complain(at, "sends it in a loop");
      answer = visit_[at] == Visit::arrives ? Visit::arrives : Visit::fails;
      break;
    }
    visit_[at] = Visit::on_the_path;
    path_.push_back(at);
    const Rule* rule = ask(at, false, input);
    if (rule == nullptr) break;
    known_[0][at] = rule;
    if (delivers(*rule)) {
      answer = Visit::arrives;
      break;
    }
    input = rule->output;
    at = index(checked_.graph.target(rule->output));
  }
  for (const std::uint32_t passed : path_) visit_[passed] = answer;
  visited_.insert(visited_.end(), path_.begin(), path_.end());
}

bool DestinationCheck::delivers(const Rule& rule) const {
  return checked_.graph.is_host(checked_.graph.target(rule.output));
}

void DestinationCheck::note_transit() {
  transit_.assign(checked_.graph.switch_count(), false);
  inputs_.resize(checked_.graph.switch_count());
  for (auto& inputs : inputs_) inputs.clear();
  for (const std::uint32_t s : visited_) {
    const Rule& rule = *known_[0][s];
    if (delivers(rule)) continue;
    transit_[index(checked_.graph.target(rule.output))] = true;
    inputs_[index(checked_.graph.target(rule.output))].push_back(rule.output);
  }
}

bool DestinationCheck::as_before(std::uint32_t at, bool rerouted) const {
  const std::size_t which = rerouted ? 1 : 0;
  return checked_.backup_paths == BackupPaths::everywhere && known_[which][at] != nullptr &&
         known_[which][at] == before_[which][at];
}

void DestinationCheck::note_waiting(std::uint32_t from, const Rule& rule) {
  const ClassedChannel taken{rule.output, rule.cos};
  const std::uint32_t at = index(checked_.graph.target(rule.output));
  if (as_before(from, false) && as_before(at, false)) return;
  const Rule& then = *known_[0][at];
  if (delivers(then)) return;
  checked_.dependencies->add(taken, {then.output, then.cos});
  if (then.use != Use::primary) return;
  const Lookup& lookup = checked_.lookups[at];
  if (const FastReroute* reroute = lookup.table().fast_reroute(then.output)) {
    const RerouteChoices offered(*reroute, frame(false, rule.output));
    for (std::size_t i = 0; i < offered.size(); ++i)
      checked_.dependencies->add(taken, {offered[i].output, then.cos});
  } else if (const Rule* other = lookup.backup(frame(false, rule.output), link_of(then.output))) {
    checked_.dependencies->add(taken, {other->output, other->cos});
  }
}

void DestinationCheck::lose_output(std::uint32_t at, const Rule& rule) {
  if (checked_.backup_paths == BackupPaths::injection) {
    if (sends_[at]) {
      for (const ChannelId input : host_inputs_[at]) divert(at, rule, input);
    }
    for (const ChannelId input : switch_inputs_[at]) {
      const Rule* before = known_[0][index(checked_.graph.source(input))];
      if (before != nullptr && before->output == input) divert(at, rule, input);
    }
    if (transit_[at]) divert(at, rule, std::nullopt);
    return;
  }
  const FastReroute* reroute =
      rule.use == Use::primary ? checked_.lookups[at].table().fast_reroute(rule.output) : nullptr;
  // What goes back depends on where it came from; all else is the same for every input.
  const bool by_input = (reroute != nullptr && reroute->back) || is_meant_to_go_back(at);
  const std::size_t inputs =
      by_input ? inputs_[at].size() : std::min<std::size_t>(1, inputs_[at].size());
  if (inputs == 0) return reroute_all(at, rule, reroute, std::nullopt);
  for (std::size_t i = 0; i < inputs; ++i) reroute_all(at, rule, reroute, inputs_[at][i]);
}

bool DestinationCheck::is_meant_to_go_back(std::uint32_t at) const {
  if (checked_.maker == nullptr || inputs_[at].empty()) return false;
  const ChannelId input = inputs_[at].back();
  const auto intended = checked_.maker->intended_backup(checked_.lookups[at].table(), source_,
                                                        host_, frame(false, input));
  return intended && intended->output == topology::reverse(input);
}

// Each choice, as if those before it were not live either: with several links asleep any of them
// may be taken.
void DestinationCheck::reroute_all(std::uint32_t at, const Rule& rule, const FastReroute* reroute,
                                   std::optional<ChannelId> input) {
  const LinkId dead = link_of(rule.output);
  const Frame sent = frame(false, input);
  const auto offered = reroute != nullptr ? RerouteChoices(*reroute, sent) : RerouteChoices();
  std::optional<TableMaker::NextHop> first;
  if (!offered.empty()) first = {offered[0].output, rule.cos};
  check_backup(at, sent, first);
  if (!first) lost[index(dead)] = true;
  for (std::size_t i = 0; i < offered.size(); ++i)
    follow(at, {offered[i].output, rule.cos}, offered[i].tagged, dead);
}

void DestinationCheck::divert(std::uint32_t at, const Rule& rule, std::optional<ChannelId> input) {
  const LinkId dead = link_of(rule.output);
  const Rule* other =
      rule.use == Use::primary ? checked_.lookups[at].backup(frame(false, input), dead) : nullptr;
  std::optional<TableMaker::NextHop> taken;
  if (other != nullptr) taken = {other->output, other->cos};
  check_backup(at, frame(false, input), taken);
  if (taken) {
    follow(at, {taken->output, taken->cos}, false, dead);
  } else {
    lost[index(dead)] = true;
  }
}

void DestinationCheck::check_backup(std::uint32_t at, const Frame& frame,
                                    std::optional<TableMaker::NextHop> backup) {
  if (checked_.maker == nullptr) return;
  const auto intended =
      checked_.maker->intended_backup(checked_.lookups[at].table(), source_, host_, frame);
  if (intended != backup) complain(at, "reroutes it otherwise than intended");
}

void DestinationCheck::follow(std::uint32_t from, ClassedChannel taken, bool rerouted,
                              LinkId dead) {
  const Graph& graph = checked_.graph;
  bool known = as_before(from, false);
  bool cleared = false;
  for (std::uint32_t links = 0; links <= graph.switch_count(); ++links) {
    const NodeId end = graph.target(taken.channel);
    if (link_of(taken.channel) == dead || graph.is_host(end))
      return complain(index(graph.source(taken.channel)), "loses it after a reroute");
    const Rule* rule = ask(index(end), rerouted, taken.channel);
    if (rule == nullptr || delivers(*rule)) return;
    const ClassedChannel then{rule->output, rule->cos};
    const bool then_known = as_before(index(end), rerouted);
    if (!known || !then_known) {
      checked_.dependencies->add(taken, then);
      // One that is not rerouted any more may be rerouted again.
      const FastReroute* reroute = checked_.lookups[index(end)].table().fast_reroute(rule->output);
      if ((cleared || !rerouted) && rule->use == Use::primary && reroute != nullptr) {
        const RerouteChoices offered(*reroute, frame(rerouted, taken.channel));
        for (std::size_t i = 0; i < offered.size(); ++i)
          checked_.dependencies->add(taken, {offered[i].output, rule->cos});
      }
    }
    known = then_known;
    cleared = cleared || rule->clears_tag;
    rerouted = rerouted && !rule->clears_tag;
    taken = then;
  }
  complain(index(graph.source(taken.channel)), "sends it in a loop after a reroute");
}

void DestinationCheck::complain(std::uint32_t at, const std::string& what) {
  failed_ = true;
  if (errors.size() >= kMostErrors) return;
  const Graph& graph = checked_.graph;
  errors.push_back({item_,
                    {fmt::format("a frame to {} ({}): {} {}", graph.name(graph.host_node(host_)),
                                 to_text(mac_of(checked_.plan.of_host(host_))),
                                 graph.name(graph.switch_node(at)), what),
                     {}}});
}

}  // namespace ebb::forwarding
