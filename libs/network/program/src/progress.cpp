// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace ebb::program {

RankProgress::RankProgress(const RankOperations& rank) : rank_(rank), waits_(rank.size()) {
  for (std::uint32_t i = 0; i < rank.size(); ++i) waits_[i] = rank.dependencies(i);
}

void RankProgress::begin(std::vector<std::uint32_t>& ready) const {
  const Indices roots = rank_.roots();
  for (std::uint32_t i = 0; i < roots.size(); ++i) ready.push_back(roots[i]);
}

void RankProgress::started(std::uint32_t operation, std::vector<std::uint32_t>& ready) {
  release(rank_.after_start(operation), ready);
}

void RankProgress::ended(std::uint32_t operation, std::vector<std::uint32_t>& ready) {
  ++ended_;
  release(rank_.after_end(operation), ready);
}

void RankProgress::release(const Indices& later, std::vector<std::uint32_t>& ready) {
  for (std::uint32_t i = 0; i < later.size(); ++i) {
    if (--waits_[later[i]] == 0) ready.push_back(later[i]);
  }
}

Error waits_for(const Program& program, std::uint32_t rank, std::uint32_t receive,
                std::uint32_t left) {
  const Operation operation = program.rank(rank)[receive];
  const std::string source =
      operation.peer == kAny ? "any rank" : fmt::format("rank {}", operation.peer);
  const std::string tag = operation.tag == kAny ? "any tag" : fmt::format("tag {}", operation.tag);
  return {
      fmt::format("the program stalls: the rank waits for a message from {} with {}, and has {} "
                  "operations left",
                  source, tag, left),
      {program.name(), program.line(rank, receive), 0,
       fmt::format("rank {}, operation {}", rank, receive)}};
}

std::uint32_t Mailbox::take_first(ByEnvelope& from, ByEnvelope::iterator at) {
  const std::uint32_t what = at->second.front().what;
  at->second.pop_front();
  if (at->second.empty()) from.erase(at);
  return what;
}

std::optional<std::uint32_t> Mailbox::arrive(std::uint32_t source, std::uint32_t tag,
                                             std::uint32_t message) {
  const auto exact = exact_.find(envelope(source, tag));
  const auto any = std::find_if(any_.begin(), any_.end(), [&](const AnyReceive& receive) {
    return (receive.source == kAny || receive.source == source) &&
           (receive.tag == kAny || receive.tag == tag);
  });
  const bool has_exact = exact != exact_.end();
  if (any != any_.end() && (!has_exact || any->entry.turn < exact->second.front().turn)) {
    const std::uint32_t receive = any->entry.what;
    any_.erase(any);
    return receive;
  }
  if (has_exact) return take_first(exact_, exact);
  messages_[envelope(source, tag)].push_back({turn_++, message});
  return std::nullopt;
}

// The order in which the table is walked does not matter: no two messages have the same turn.
std::optional<Mailbox::Taken> Mailbox::post(std::uint32_t source, std::uint32_t tag,
                                            std::uint32_t receive) {
  const bool is_exact = source != kAny && tag != kAny;
  auto first = messages_.end();
  if (is_exact) {
    first = messages_.find(envelope(source, tag));
  } else {
    for (auto at = messages_.begin(); at != messages_.end(); ++at) {
      const auto from = static_cast<std::uint32_t>(at->first >> 32U);
      const auto with = static_cast<std::uint32_t>(at->first);
      if ((source != kAny && source != from) || (tag != kAny && tag != with)) continue;
      if (first == messages_.end() || at->second.front().turn < first->second.front().turn)
        first = at;
    }
  }
  if (first != messages_.end()) {
    const auto from = static_cast<std::uint32_t>(first->first >> 32U);
    return Taken{from, take_first(messages_, first)};
  }
  if (is_exact) {
    exact_[envelope(source, tag)].push_back({turn_++, receive});
  } else {
    any_.push_back({source, tag, {turn_++, receive}});
  }
  return std::nullopt;
}

std::vector<std::uint32_t> Mailbox::waiting() const {
  std::vector<Entry> entries;
  for (const auto& [envelope, posted] : exact_)
    entries.insert(entries.end(), posted.begin(), posted.end());
  for (const AnyReceive& receive : any_) entries.push_back(receive.entry);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.turn < b.turn; });
  std::vector<std::uint32_t> receives;
  receives.reserve(entries.size());
  for (const Entry& entry : entries) receives.push_back(entry.what);
  return receives;
}

}  // namespace ebb::program
