// SPDX-License-Identifier: Apache-2.0
#include "patterns/group_adversarial.hpp"

#include <fmt/format.h>

#include <algorithm>

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
