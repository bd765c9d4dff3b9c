// SPDX-License-Identifier: Apache-2.0
//
// Credits on their way back to the sender of a channel. A credit is not an event: it lies in the
// list of its virtual channel with the time from which it counts, and the sender looks there when
// it runs short. At that time every event of the moment sees it, whichever comes first, so it makes
// no difference when it was put there.
#pragma once

#include "ebb/netsim/packet.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::netsim {

struct Credit {
  TimePoint at;
  std::uint32_t bits = 0;
  std::uint32_t next = kNone;
};
static_assert(sizeof(Credit) == 16);

class CreditPool {
 public:
  void push(std::uint32_t& list, TimePoint at, std::uint32_t bits) {
    std::uint32_t credit = free_;
    if (credit == kNone) {
      credit = static_cast<std::uint32_t>(credits_.size());
      credits_.emplace_back();
    } else {
      free_ = credits_[credit].next;
    }
    credits_[credit] = {at, bits, list};
    list = credit;
  }

  // Takes the credits that count by `now` out of the list and gives their sum.
  [[nodiscard]] std::int32_t collect(std::uint32_t& list, TimePoint now) {
    std::int32_t bits = 0;
    std::uint32_t* link = &list;
    while (*link != kNone) {
      Credit& credit = credits_[*link];
      if (credit.at > now) {
        link = &credit.next;
        continue;
      }
      bits += static_cast<std::int32_t>(credit.bits);
      const std::uint32_t taken = *link;
      *link = credit.next;
      credits_[taken].next = free_;
      free_ = taken;
    }
    return bits;
  }

  // When the first credit of the list counts; `none` for an empty one.
  [[nodiscard]] TimePoint earliest(std::uint32_t list, TimePoint none) const {
    TimePoint at = none;
    for (; list != kNone; list = credits_[list].next) {
      if (credits_[list].at < at) at = credits_[list].at;
    }
    return at;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return credits_.capacity() * sizeof(Credit); }

 private:
  std::vector<Credit> credits_;
  std::uint32_t free_ = kNone;
};

}  // namespace ebb::netsim
