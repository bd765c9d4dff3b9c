// SPDX-License-Identifier: Apache-2.0
#include "ebb/mpi/post.hpp"

#ifdef EBB_HAVE_MPI
#include "mpi_post.hpp"
#endif

namespace ebb::mpi {
namespace {

class NoPost final : public Post {
 public:
  void send(std::uint32_t /*to*/, const Bytes& /*bytes*/) override {
    EBB_CHECK(false, "a letter to nobody");
  }
  [[nodiscard]] std::optional<Letter> look() override { return std::nullopt; }
};

}  // namespace

std::unique_ptr<Post> open_post([[maybe_unused]] Ranks& ranks) {
#ifdef EBB_HAVE_MPI
  if (!ranks.alone()) return std::make_unique<MpiPost>(ranks);
#endif
  return std::make_unique<NoPost>();
}

}  // namespace ebb::mpi
