// SPDX-License-Identifier: Apache-2.0
#include "patterns/all_to_all.hpp"

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
