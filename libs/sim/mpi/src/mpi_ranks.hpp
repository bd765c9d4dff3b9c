// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/mpi/ranks.hpp"

#include <mpi.h>

namespace ebb::mpi {

// Errors of MPI itself end all ranks: that is its default, and there is no way to go on.
class MpiRanks final : public Ranks {
 public:
  MpiRanks();
  ~MpiRanks() override;

  [[nodiscard]] std::uint32_t rank() const override { return rank_; }
  [[nodiscard]] std::uint32_t count() const override { return count_; }
  std::int64_t exchange(std::span<const std::uint32_t> peers, std::span<const Bytes> out,
                        std::span<Bytes> in, std::int64_t number) override;
  [[nodiscard]] std::vector<Bytes> share(const Bytes& mine) override;
  [[nodiscard]] std::vector<Bytes> collect(const Bytes& mine) override;
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

}  // namespace ebb::mpi
