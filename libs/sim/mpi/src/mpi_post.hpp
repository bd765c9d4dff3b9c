// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/mpi/post.hpp"

namespace ebb::mpi {

class MpiPost final : public Post {
 public:
  explicit MpiPost(Ranks& ranks) : ranks_(ranks) {}

  void send(std::uint32_t to, const Bytes& bytes) override;
  [[nodiscard]] std::optional<Letter> look() override;

 private:
  Ranks& ranks_;
};

}  // namespace ebb::mpi
