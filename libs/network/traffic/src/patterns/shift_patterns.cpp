// SPDX-License-Identifier: Apache-2.0
//
// Patterns over the numbers of hosts and groups: shift, all-to-all, group-adversarial.

#include "kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

// Host i always sends to (i + by) mod N.
namespace ebb::traffic::shift {
namespace {

class Shift final : public Pattern {
 public:
  Shift(std::uint32_t hosts, std::uint32_t by) : hosts_(hosts), by_(by) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return static_cast<std::uint32_t>((std::uint64_t{source} + by_) % hosts_);
  }

 private:
  std::uint32_t hosts_;
  std::uint32_t by_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& parameters,
                                      std::uint64_t /*seed*/) {
  const std::int64_t by = parameters.integer("by");
  if (by >= shape.hosts) {
    return fail(fmt::format("'by' must be between 1 and {}, as there are {} hosts; got {}",
                            shape.hosts - 1, shape.hosts, by),
                {.path = "by"});
  }
  return std::make_unique<Shift>(shape.hosts, static_cast<std::uint32_t>(by));
}

}  // namespace

PatternKind kind() {
  return {.name = "shift",
          .summary = "to the host a fixed distance on",
          .parameters = {{"by", Range<std::int64_t>{1, 1'000'000'000}, std::nullopt,
                          "distance in hosts"}},
          .make = make};
}

}  // namespace ebb::traffic::shift

// Host i sends its messages to i+1, i+2, ..., i-1 (mod N) in turn, then from i+1 again.
namespace ebb::traffic::all_to_all {
namespace {

class AllToAll final : public Pattern {
 public:
  explicit AllToAll(std::uint32_t hosts) : hosts_(hosts) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t sequence,
                            RandomStream& /*stream*/) const override {
    return static_cast<std::uint32_t>((source + 1 + sequence % (hosts_ - 1)) % hosts_);
  }

 private:
  std::uint64_t hosts_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  return std::make_unique<AllToAll>(shape.hosts);
}

}  // namespace

PatternKind kind() {
  return {.name = "all-to-all",
          .summary = "to every other host in turn, starting after itself",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::all_to_all

// Every message of group g goes to a host of group (g + offset) mod G, each equally likely: with
// offset 1 the worst case of minimal routing on a Dragonfly, whose groups are joined by one link.
namespace ebb::traffic::group_adversarial {
namespace {

class GroupAdversarial final : public Pattern {
 public:
  GroupAdversarial(const Shape& shape, std::uint32_t groups, std::uint32_t offset)
      : hosts_(shape.hosts), size_(shape.hosts_per_group), groups_(groups), offset_(offset) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& stream) const override {
    const std::uint64_t group = (std::uint64_t{source / size_} + offset_) % groups_;
    const auto first = static_cast<std::uint32_t>(group * size_);
    return first + static_cast<std::uint32_t>(stream.below(std::min(size_, hosts_ - first)));
  }

 private:
  std::uint32_t hosts_;
  std::uint32_t size_;
  std::uint32_t groups_;
  std::uint32_t offset_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& parameters,
                                      std::uint64_t /*seed*/) {
  if (shape.hosts_per_group == 0) return fail("group-adversarial needs a network with groups");
  const std::uint32_t groups = (shape.hosts - 1) / shape.hosts_per_group + 1;
  if (groups < 2) {
    return fail(
        fmt::format("group-adversarial needs two groups; all {} hosts are in one", shape.hosts));
  }
  const std::int64_t offset = parameters.integer("offset");
  if (offset >= groups) {
    return fail(fmt::format("'offset' must be between 1 and {}, as there are {} groups; got {}",
                            groups - 1, groups, offset),
                {.path = "offset"});
  }
  return std::make_unique<GroupAdversarial>(shape, groups, static_cast<std::uint32_t>(offset));
}

}  // namespace

PatternKind kind() {
  return {
      .name = "group-adversarial",
      .summary = "to any host of the next group",
      .parameters = {{"offset", Range<std::int64_t>{1, 1'000'000'000}, "1", "how many groups on"}},
      .make = make};
}

}  // namespace ebb::traffic::group_adversarial
