// SPDX-License-Identifier: Apache-2.0
//
// Patterns over the bits of a host number: bit-complement, bit-reversal, transpose.

#include "kinds.hpp"

#include <fmt/format.h>

#include <bit>

namespace ebb::traffic {
namespace {

// The host counts on which patterns over the bits of a host number exist: b when hosts = 2^b, or
// the refusal, which names the nearest power of two.
Result<unsigned> host_bits(std::string_view pattern, std::uint32_t hosts) {
  if (std::has_single_bit(hosts)) return static_cast<unsigned>(std::countr_zero(hosts));
  const std::uint64_t below = std::bit_floor(hosts);
  const std::uint64_t nearest = hosts - below <= 2 * below - hosts ? below : 2 * below;
  return fail(fmt::format("{} needs a power of two of hosts, not {}; the nearest is {}", pattern,
                          hosts, nearest));
}

}  // namespace
}  // namespace ebb::traffic

// Host i sends to the host whose number has every bit flipped, N-1-i. N is a power of two.
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

// Host i sends to the host whose number has the bits in reverse order. N is a power of two. Hosts
// with a palindromic number stay silent.
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

// The hosts fill an m x m matrix by rows, N = m^2: host (row, column) sends to (column, row). The m
// hosts of the diagonal stay silent.
namespace ebb::traffic::transpose {
namespace {

class Transpose final : public Pattern {
 public:
  explicit Transpose(std::uint32_t side) : side_(side) {}

  std::uint32_t destination(std::uint32_t source, std::uint64_t /*sequence*/,
                            RandomStream& /*stream*/) const override {
    return source % side_ * side_ + source / side_;
  }

  bool sends(std::uint32_t source) const override { return source % side_ != source / side_; }

 private:
  std::uint32_t side_;
};

// The largest m with m^2 <= n, by bits: no floating point.
std::uint64_t integer_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 16U; bit > 0; bit >>= 1U) {
    if ((root + bit) * (root + bit) <= n) root += bit;
  }
  return root;
}

Result<std::unique_ptr<Pattern>> make(const Shape& shape, const Parameters& /*parameters*/,
                                      std::uint64_t /*seed*/) {
  const std::uint64_t side = integer_root(shape.hosts);
  if (side * side == shape.hosts)
    return std::make_unique<Transpose>(static_cast<std::uint32_t>(side));
  const std::uint64_t above = (side + 1) * (side + 1);
  const bool down = side >= 2 && shape.hosts - side * side < above - shape.hosts;
  return fail(fmt::format("transpose needs a square number of hosts, not {}; the nearest is {}",
                          shape.hosts, down ? side * side : above));
}

}  // namespace

PatternKind kind() {
  return {.name = "transpose",
          .summary = "row and column of the host swapped; m^2 hosts",
          .parameters = {},
          .make = make};
}

}  // namespace ebb::traffic::transpose
