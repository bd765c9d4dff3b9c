// SPDX-License-Identifier: Apache-2.0
//
// The processes that work on one run, on one machine or many. Each has a number, its rank; rank 0
// speaks to the world. All of them make the same calls in the same order.
#pragma once

#include "ebb/core/bytes.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ebb::mpi {

class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t count() const = 0;
  [[nodiscard]] bool first() const { return rank() == 0; }
  [[nodiscard]] bool alone() const { return count() == 1; }

  // Sends out[i] to peers[i] and receives in[i] from it; gives the least of the numbers of all
  // ranks. Whoever is somebody's peer has it as a peer too.
  virtual std::int64_t exchange(std::span<const std::uint32_t> peers, std::span<const Bytes> out,
                                std::span<Bytes> in, std::int64_t number) = 0;

  // What each rank has, by rank: for all of them, or for rank 0 while the others get nothing.
  [[nodiscard]] virtual std::vector<Bytes> share(const Bytes& mine) = 0;
  [[nodiscard]] virtual std::vector<Bytes> collect(const Bytes& mine) = 0;

  // Says why, and ends the processes of all ranks.
  [[noreturn]] virtual void fail(std::string_view why) = 0;
};

// A process by itself.
class Alone final : public Ranks {
 public:
  [[nodiscard]] std::uint32_t rank() const override { return 0; }
  [[nodiscard]] std::uint32_t count() const override { return 1; }
  std::int64_t exchange(std::span<const std::uint32_t> /*peers*/, std::span<const Bytes> /*out*/,
                        std::span<Bytes> /*in*/, std::int64_t number) override {
    return number;
  }
  [[nodiscard]] std::vector<Bytes> share(const Bytes& mine) override { return {mine}; }
  [[nodiscard]] std::vector<Bytes> collect(const Bytes& mine) override { return {mine}; }
  [[noreturn]] void fail(std::string_view why) override;
};

// It has no state: one serves all.
[[nodiscard]] Ranks& alone();

// The sum over all ranks, at each of them; exact types only, so that the order does not show.
template <class Sum>
[[nodiscard]] Sum total(Ranks& ranks, const Sum& mine) {
  static_assert(!std::is_floating_point_v<Sum>);
  if (ranks.alone()) return mine;
  Bytes bytes;
  append(bytes, mine);
  Sum sum{};
  for (const Bytes& part : ranks.share(bytes)) sum += ByteReader(part).take<Sum>();
  return sum;
}

}  // namespace ebb::mpi
