// SPDX-License-Identifier: Apache-2.0
//
// The processes that work on one run, on one machine or many. Each has a number, its rank; rank 0
// speaks to the world. All of them make the same collective calls in the same order. Point-to-point
// messages go from one rank to another at any time, for work that is dispatched; they do not
// disturb the collective calls.
//
//   const auto communicator = mpi_init();             // once in the life of a process
//   const auto sum = all_reduce(**communicator, 7);   // the same on every rank
#pragma once

#include "ebb/core/bytes.hpp"
#include "ebb/core/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ebb::mpi {

class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::uint32_t rank() const = 0;
  [[nodiscard]] virtual std::uint32_t count() const = 0;
  [[nodiscard]] bool first() const { return rank() == 0; }
  [[nodiscard]] bool is_serial() const { return count() == 1; }

  // Sends out[i] to peers[i] and receives in[i] from it; gives the least of the numbers of all
  // ranks. Every rank is a peer of its own peers.
  virtual std::int64_t exchange(std::span<const std::uint32_t> peers, std::span<const Bytes> out,
                                std::span<Bytes> in, std::int64_t number) = 0;

  // What each rank has, by rank: for all of them, or for rank 0 while the others get nothing.
  [[nodiscard]] virtual std::vector<Bytes> all_gather(const Bytes& mine) = 0;
  [[nodiscard]] virtual std::vector<Bytes> gather(const Bytes& mine) = 0;

  // Says why, and ends the processes of all ranks.
  [[noreturn]] virtual void fail(std::string_view why) = 0;
};

// A process by itself.
class SerialCommunicator final : public Communicator {
 public:
  [[nodiscard]] std::uint32_t rank() const override { return 0; }
  [[nodiscard]] std::uint32_t count() const override { return 1; }
  std::int64_t exchange(std::span<const std::uint32_t> /*peers*/, std::span<const Bytes> /*out*/,
                        std::span<Bytes> /*in*/, std::int64_t number) override {
    return number;
  }
  [[nodiscard]] std::vector<Bytes> all_gather(const Bytes& mine) override { return {mine}; }
  [[nodiscard]] std::vector<Bytes> gather(const Bytes& mine) override { return {mine}; }
  [[noreturn]] void fail(std::string_view why) override;
};

// It has no state: one serves all.
[[nodiscard]] Communicator& serial_communicator();

// The ranks that mpirun or srun started with this process, or this process by itself. At most once
// in the life of a process; MPI ends when the result is destroyed. An error when there are other
// ranks but this program was built without MPI.
[[nodiscard]] Result<std::unique_ptr<Communicator>> mpi_init();

// The sum over all ranks, at each of them; exact types only, so that the order does not show.
template <class Sum>
[[nodiscard]] Sum all_reduce(Communicator& communicator, const Sum& mine) {
  static_assert(!std::is_floating_point_v<Sum>);
  if (communicator.is_serial()) return mine;
  Bytes bytes;
  append(bytes, mine);
  Sum sum{};
  for (const Bytes& part : communicator.all_gather(bytes)) sum += ByteReader(part).take<Sum>();
  return sum;
}

// A point-to-point message that has arrived.
struct Message {
  std::uint32_t from = 0;
  Bytes bytes;
};

// Used by one thread of a rank.
class PointToPoint {
 public:
  PointToPoint() = default;
  PointToPoint(const PointToPoint&) = delete;
  PointToPoint& operator=(const PointToPoint&) = delete;
  virtual ~PointToPoint() = default;

  // A long message waits until the other rank receives.
  virtual void send(std::uint32_t to, const Bytes& bytes) = 0;
  // The next message, if there is one. Those of one sender come in their order.
  [[nodiscard]] virtual std::optional<Message> try_receive() = 0;
};

// A serial process receives no message, and has no rank to send one to.
[[nodiscard]] std::unique_ptr<PointToPoint> point_to_point(Communicator& communicator);

}  // namespace ebb::mpi
