// SPDX-License-Identifier: Apache-2.0
//
// Patterns with chance: uniform, permutation, hotspot.

#include "kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

// Every message goes to one of the N-1 other hosts, each equally likely.
namespace ebb::traffic::uniform {
namespace {

class Uniform final : public Pattern {
 public:
  explicit Uniform(std::uint32_t hosts) : hosts_(hosts) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& stream) const override {
    return other_host(source, hosts_, stream);
  }

 private:
  std::uint32_t hosts_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  return std::make_unique<Uniform>(shape.hosts);
}

}  // namespace

PatternKind kind() {
  return {.name = "uniform",
          .summary = "every other host equally likely",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::uniform

// Host i always sends to p(i). p is drawn once from the seed, uniformly among all permutations of
// the hosts that leave none in place, so it is the same table in every process of a run.
namespace ebb::traffic::permutation {
namespace {

class Permutation final : public Pattern {
 public:
  explicit Permutation(std::vector<std::uint32_t> partner) : partner_(std::move(partner)) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return partner_[source];
  }

 private:
  std::vector<std::uint32_t> partner_;
};

// One shuffle (Fisher and Yates) of 0 .. n-1; false as soon as an element ends in its own place.
bool shuffle_without_fixed_point(std::vector<std::uint32_t>& order, RandomStream& stream) {
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t last = order.size(); last-- > 0;) {
    std::swap(order[last], order[stream.below(last + 1)]);
    if (order[last] == last) return false;
  }
  return true;
}

// Shuffles until none is in place: uniform among derangements, after e = 2.7 attempts on average.
Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t seed) {
  RandomStream stream(seed, "traffic/pattern/permutation");
  std::vector<std::uint32_t> order(shape.hosts);
  while (!shuffle_without_fixed_point(order, stream)) {
  }
  return std::make_unique<Permutation>(std::move(order));
}

}  // namespace

PatternKind kind() {
  return {.name = "permutation",
          .summary = "each host sends to one partner, drawn once for all hosts",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::permutation

// A message goes with probability `fraction` to one of `hot` hosts, each equally likely, otherwise
// to any other host as in `uniform`. The hot hosts are drawn once from the seed. A hot host picks
// among the others; the only hot host of a network sends all its messages as in `uniform`.
namespace ebb::traffic::hotspot {
namespace {

class Hotspot final : public Pattern {
 public:
  Hotspot(std::uint32_t hosts, Ratio fraction, std::vector<std::uint32_t> hot)
      : hosts_(hosts), fraction_(fraction), hot_(std::move(hot)) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& stream) const override {
    const auto draw = stream.below(static_cast<std::uint64_t>(fraction_.den()));
    if (draw >= static_cast<std::uint64_t>(fraction_.num()))
      return other_host(source, hosts_, stream);
    const auto place = std::lower_bound(hot_.begin(), hot_.end(), source);
    if (place == hot_.end() || *place != source) return hot_[stream.below(hot_.size())];
    if (hot_.size() == 1) return other_host(source, hosts_, stream);
    const auto own = static_cast<std::uint32_t>(place - hot_.begin());
    return hot_[other_host(own, static_cast<std::uint32_t>(hot_.size()), stream)];
  }

 private:
  std::uint32_t hosts_;
  Ratio fraction_;
  std::vector<std::uint32_t> hot_;  // ascending
};

// `count` of the hosts, each set equally likely, ascending.
std::vector<std::uint32_t> draw_hot_hosts(std::uint32_t hosts, std::uint32_t count,
                                          std::uint64_t seed) {
  RandomStream stream(seed, "traffic/pattern/hotspot");
  std::vector<std::uint32_t> order(hosts);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = 0; i < count; ++i) std::swap(order[i], order[i + stream.below(hosts - i)]);
  order.resize(count);
  order.shrink_to_fit();
  std::sort(order.begin(), order.end());
  return order;
}

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& parameters,
                                      std::uint64_t seed) {
  const std::int64_t count = parameters.integer("hot");
  if (count > shape.hosts) {
    return fail(fmt::format("'hot' must be at most the {} hosts of the network, got {}",
                            shape.hosts, count),
                {.path = "hot"});
  }
  return std::make_unique<Hotspot>(
      shape.hosts, parameters.ratio("fraction"),
      draw_hot_hosts(shape.hosts, static_cast<std::uint32_t>(count), seed));
}

}  // namespace

PatternKind kind() {
  return {
      .name = "hotspot",
      .summary = "a share of the messages goes to a few hot hosts, the rest to any",
      .parameters = {{"fraction", Range<Ratio>{Ratio(0, 1), Ratio(1, 1)}, std::nullopt,
                      "share of the messages that goes to the hot hosts"},
                     {"hot", Range<std::int64_t>{1, 1'000'000'000}, "1", "number of hot hosts"}},
      .make = make};
}

}  // namespace ebb::traffic::hotspot
