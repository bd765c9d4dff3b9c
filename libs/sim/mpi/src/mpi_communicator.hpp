// SPDX-License-Identifier: Apache-2.0
//
// The ranks of MPI_COMM_WORLD. Errors of MPI itself end all ranks, which is its default: no rank
// can go on without the others.
#pragma once

#include "ebb/mpi/communicator.hpp"

#include <mpi.h>

namespace ebb::mpi {

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator();
  ~MpiCommunicator() override;

  [[nodiscard]] std::uint32_t rank() const override { return rank_; }
  [[nodiscard]] std::uint32_t count() const override { return count_; }
  std::int64_t exchange(std::span<const std::uint32_t> peers, std::span<const Bytes> out,
                        std::span<Bytes> in, std::int64_t number) override;
  [[nodiscard]] std::vector<Bytes> all_gather(const Bytes& mine) override;
  [[nodiscard]] std::vector<Bytes> gather(const Bytes& mine) override;
  [[noreturn]] void fail(std::string_view why) override;

 private:
  // Of what all ranks bring, and where each begins.
  struct Sizes {
    std::vector<int> size;
    std::vector<int> begin;
    std::size_t all = 0;
  };
  [[nodiscard]] Sizes sizes(const Bytes& mine);
  static std::vector<Bytes> cut(const Bytes& all, const Sizes& sizes);

  std::uint32_t rank_ = 0;
  std::uint32_t count_ = 1;
  std::vector<MPI_Request> sending_;
};

class MpiPointToPoint final : public PointToPoint {
 public:
  explicit MpiPointToPoint(Communicator& communicator) : communicator_(communicator) {}

  void send(std::uint32_t to, const Bytes& bytes) override;
  [[nodiscard]] std::optional<Message> try_receive() override;

 private:
  Communicator& communicator_;
};

}  // namespace ebb::mpi
