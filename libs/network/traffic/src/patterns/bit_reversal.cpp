// SPDX-License-Identifier: Apache-2.0
#include "patterns/bit_reversal.hpp"

#include "patterns/power_of_two.hpp"

namespace ebb::traffic::bit_reversal {
namespace {

class BitReversal final : public Pattern {
 public:
  explicit BitReversal(unsigned bits) : bits_(bits) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return reversed(source);
  }

  bool sends(std::uint32_t source) const override { return reversed(source) != source; }

 private:
  [[nodiscard]] std::uint32_t reversed(std::uint32_t number) const {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < bits_; ++i) result |= ((number >> i) & 1U) << (bits_ - 1 - i);
    return result;
  }

  unsigned bits_;
};

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  const auto bits = host_bits("bit-reversal", shape.hosts);
  if (!bits) return fail(bits.error());
  if (*bits < 2) return fail("bit-reversal of 2 hosts sends nothing; the nearest size is 4");
  return std::make_unique<BitReversal>(*bits);
}

}  // namespace

PatternKind kind() {
  return {.name = "bit-reversal",
          .summary = "to the host with the bits of the number reversed; 2^b hosts",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::bit_reversal
