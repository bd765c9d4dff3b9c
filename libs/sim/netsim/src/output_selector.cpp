// SPDX-License-Identifier: Apache-2.0
#include "output_selector.hpp"

#include <limits>

namespace ebb::netsim {
namespace {

using routing::Candidate;
using routing::Candidates;

constexpr std::int64_t kClosed = std::int64_t{1} << 60U;

// The output of the least cost; equal ones by lot.
template <class Cost>
Candidate cheapest(const Candidates& candidates, RandomStream& ties, Cost cost) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::uint64_t equal = 0;
  Candidate best;
  for (const Candidate& one : candidates) {
    const std::int64_t its = cost(one);
    if (its > least) continue;
    equal = its < least ? 1 : equal + 1;
    least = its;
    if (equal == 1 || ties.below(equal) == 0) best = one;
  }
  return best;
}

class First final : public OutputSelector {
 public:
  [[nodiscard]] Candidate select(const Candidates& candidates, std::uint8_t /*first_vc*/,
                                 RandomStream& /*ties*/) const override {
    return candidates[0];
  }
};

// A fast-failover group. Where none is live, the packet waits for the first.
class FirstLive final : public OutputSelector {
 public:
  explicit FirstLive(const ChannelView& view) : view_(view) {}

  [[nodiscard]] Candidate select(const Candidates& candidates, std::uint8_t /*first_vc*/,
                                 RandomStream& /*ties*/) const override {
    for (const Candidate& one : candidates) {
      if (view_.is_live(one.channel)) return one;
    }
    return candidates[0];
  }

 private:
  const ChannelView& view_;
};

// Any of those that are not closed.
class AtRandom final : public OutputSelector {
 public:
  explicit AtRandom(const ChannelView& view) : view_(view) {}

  [[nodiscard]] Candidate select(const Candidates& candidates, std::uint8_t /*first_vc*/,
                                 RandomStream& ties) const override {
    return cheapest(candidates, ties, [&](const Candidate& one) {
      return view_.is_closed(one.channel) ? kClosed : 0;
    });
  }

 private:
  const ChannelView& view_;
};

// What all others share.
template <bool kFlits>
class ByCost : public OutputSelector {
 public:
  ByCost(const Hardware& hardware, ChannelView& view)
      : view_(view), packet_bits_(hardware.packet.count()) {}

 protected:
  // With flits a virtual channel that another packet has is worth a packet.
  [[nodiscard]] std::int64_t closed(const Candidate& one, std::uint8_t first_vc) const {
    std::int64_t cost = view_.is_closed(one.channel) ? kClosed : 0;
    if constexpr (kFlits) {
      if (view_.is_taken(one.channel, vc(one, first_vc))) cost += packet_bits_;
    }
    return cost;
  }
  [[nodiscard]] static std::uint8_t vc(const Candidate& one, std::uint8_t first_vc) {
    return static_cast<std::uint8_t>(first_vc + one.vc);
  }

  ChannelView& view_;
  const std::int64_t packet_bits_;
};

// The least waiting for it and on its wire; each link of a detour counts as a packet more.
template <bool kFlits, bool kCredits>
class ShortestQueue final : public ByCost<kFlits> {
 public:
  using ByCost<kFlits>::ByCost;

  [[nodiscard]] Candidate select(const Candidates& candidates, std::uint8_t first_vc,
                                 RandomStream& ties) const override {
    return cheapest(candidates, ties, [&](const Candidate& one) {
      std::int64_t cost = this->closed(one, first_vc) + this->view_.depth(one.channel) +
                          one.extra_hops * this->packet_bits_;
      if constexpr (kCredits)
        cost += this->view_.downstream_occupancy(one.channel, this->vc(one, first_vc));
      return cost;
    });
  }
};

// The shortest path over channels that are awake, then the one that was used least.
template <bool kFlits>
class LeastUsed final : public ByCost<kFlits> {
 public:
  using ByCost<kFlits>::ByCost;

  [[nodiscard]] Candidate select(const Candidates& candidates, std::uint8_t first_vc,
                                 RandomStream& ties) const override {
    constexpr std::int64_t kLink = std::int64_t{1} << 50U;
    return cheapest(candidates, ties, [&](const Candidate& one) {
      std::int64_t cost = this->closed(one, first_vc);
      if (this->view_.is_asleep(one.channel)) cost |= kClosed;
      return cost + one.extra_hops * kLink + this->view_.used(one.channel);
    });
  }
};

template <bool kFlits>
std::unique_ptr<OutputSelector> make(const Hardware& hardware, ChannelView& view) {
  switch (hardware.output_selection) {
    case OutputSelection::queue:
      return std::make_unique<ShortestQueue<kFlits, false>>(hardware, view);
    case OutputSelection::credits:
      return std::make_unique<ShortestQueue<kFlits, true>>(hardware, view);
    case OutputSelection::least_used:
      return std::make_unique<LeastUsed<kFlits>>(hardware, view);
    case OutputSelection::random:
      return std::make_unique<AtRandom>(view);
    case OutputSelection::first:
      break;
  }
  return std::make_unique<First>();
}

}  // namespace

std::unique_ptr<OutputSelector> make_output_selector(const Hardware& hardware,
                                                     const routing::Routing& routing,
                                                     ChannelView& view) {
  if (routing.takes_first_live()) return std::make_unique<FirstLive>(view);
  return hardware.switching == Switching::wormhole ? make<true>(hardware, view)
                                                   : make<false>(hardware, view);
}

}  // namespace ebb::netsim
