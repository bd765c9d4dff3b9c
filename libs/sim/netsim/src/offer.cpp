// SPDX-License-Identifier: Apache-2.0
#include "offer.hpp"

#include <algorithm>

namespace ebb::netsim {

std::optional<traffic::Message> Offer::next(std::uint32_t host) {
  Host& mine = fetched_[host];
  if (mine.kept.empty()) {
    fetch(host);
    return mine.last;
  }
  const traffic::Message message = mine.kept.back();
  mine.kept.pop_back();
  return message;
}

void Offer::fetch(std::uint32_t host) {
  fetched_[host].last = source_.next(host);
  count(fetched_[host]);
}

void Offer::count(Host& host) const {
  if (!host.last || host.last->at < from_ || host.last->at >= to_) return;
  ++host.messages;
  host.data += host.last->size;
  if (host.last->at >= middle_) host.from_middle += host.last->size;
}

void Offer::open(TimePoint from, TimePoint middle, TimePoint to) {
  from_ = from;
  middle_ = middle;
  to_ = to;
  // A host has fetched at most one message that is not born yet.
  for (Host& host : fetched_) count(host);
}

void Offer::fetch_rest() {
  for (std::uint32_t h = 0; h < fetched_.size(); ++h) {
    Host& host = fetched_[h];
    while (host.last && host.last->at < to_) {
      fetch(h);
      if (host.last) host.kept.push_back(*host.last);
    }
    std::reverse(host.kept.begin(), host.kept.end());
  }
}

std::uint64_t Offer::messages() const {
  std::uint64_t total = 0;
  for (const Host& host : fetched_) total += host.messages;
  return total;
}

DataSize Offer::data() const {
  DataSize total;
  for (const Host& host : fetched_) total += host.data;
  return total;
}

DataSize Offer::data_from_middle() const {
  DataSize total;
  for (const Host& host : fetched_) total += host.from_middle;
  return total;
}

}  // namespace ebb::netsim
