// SPDX-License-Identifier: Apache-2.0
#include "patterns/shift.hpp"

#include <fmt/format.h>

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
