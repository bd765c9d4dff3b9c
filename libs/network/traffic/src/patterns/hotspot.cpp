// SPDX-License-Identifier: Apache-2.0
#include "patterns/hotspot.hpp"

#include "patterns/other_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

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
