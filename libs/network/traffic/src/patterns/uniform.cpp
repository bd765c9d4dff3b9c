// SPDX-License-Identifier: Apache-2.0
#include "patterns/uniform.hpp"

#include "patterns/other_host.hpp"

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
