// SPDX-License-Identifier: Apache-2.0
#include "offer.hpp"

namespace ebb::netsim {

std::optional<traffic::Message> Offer::next(std::uint32_t host) {
  Host& mine = fetched_[host];
  if (mine.kept.empty()) {
    fetch(host);
    return mine.last;
  }
  const traffic::Message message = mine.kept.front();
  mine.kept.pop_front();
  return message;
}

void Offer::fetch(std::uint32_t host) {
  fetched_[host].last = source_.next(host);
  if (fetched_[host].last) count(*fetched_[host].last);
}

void Offer::count(const traffic::Message& message) {
  if (message.at < from_ || message.at >= to_) return;
  ++messages_;
  data_ += message.size;
}

void Offer::open(TimePoint from, TimePoint to) {
  from_ = from;
  to_ = to;
  // A host has fetched at most one message that is not born yet.
  for (const Host& host : fetched_) {
    if (host.last) count(*host.last);
  }
}

void Offer::fetch_rest() {
  for (std::uint32_t h = 0; h < fetched_.size(); ++h) {
    Host& host = fetched_[h];
    while (host.last && host.last->at < to_) {
      fetch(h);
      if (host.last) host.kept.push_back(*host.last);
    }
  }
}

}  // namespace ebb::netsim
