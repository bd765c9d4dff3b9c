// SPDX-License-Identifier: Apache-2.0
#include "patterns/bit_complement.hpp"

#include "patterns/power_of_two.hpp"

namespace ebb::traffic::bit_complement {
namespace {

class BitComplement final : public Pattern {
 public:
  explicit BitComplement(std::uint32_t hosts) : mask_(hosts - 1) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return source ^ mask_;
  }

 private:
  std::uint32_t mask_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  if (const auto bits = host_bits("bit-complement", shape.hosts); !bits) return fail(bits.error());
  return std::make_unique<BitComplement>(shape.hosts);
}

}  // namespace

PatternKind kind() {
  return {.name = "bit-complement",
          .summary = "to the host with every bit of the number flipped; 2^b hosts",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::bit_complement
