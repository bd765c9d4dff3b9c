// SPDX-License-Identifier: Apache-2.0
//
// Run by mpirun on any number of ranks. Every rank makes the same calls and checks what it gets.
#include "ebb/core/bytes.hpp"
#include "ebb/ranks/join.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace ebb::ranks {
namespace {

std::unique_ptr<Ranks> joined;

Bytes text(const std::string& what) {
  Bytes bytes;
  append_text(bytes, what);
  return bytes;
}

std::string hello(std::uint32_t from, std::uint32_t to) {
  // Longer than what MPI sends eagerly, for some of them.
  return std::string(std::size_t{10'000} * from, 'x') + std::to_string(from * 100 + to);
}

TEST(Together, AsManyAsStarted) {
  EXPECT_EQ(joined->count(), std::stoul(std::getenv("OMPI_COMM_WORLD_SIZE")));
}

TEST(Together, ExchangeReachesEveryPeerAndFindsTheLeast) {
  const std::uint32_t me = joined->rank();
  std::vector<std::uint32_t> peers;
  std::vector<Bytes> out;
  for (std::uint32_t r = 0; r < joined->count(); ++r) {
    if (r == me) continue;
    peers.push_back(r);
    out.push_back(text(hello(me, r)));
  }
  std::vector<Bytes> in(peers.size());
  for (int time = 0; time < 100; ++time) {
    EXPECT_EQ(joined->exchange(peers, out, in, 1000 - me), 1001 - joined->count());
    for (std::size_t i = 0; i < peers.size(); ++i) {
      EXPECT_EQ(ByteReader(in[i]).take_text(), hello(peers[i], me));
    }
  }
}

TEST(Together, SharedByAllCollectedByTheFirst) {
  const Bytes mine = text(hello(joined->rank(), 0));
  const std::vector<Bytes> shared = joined->share(mine);
  const std::vector<Bytes> collected = joined->collect(mine);
  ASSERT_EQ(shared.size(), joined->count());
  ASSERT_EQ(collected.size(), joined->first() ? joined->count() : 0);
  for (std::uint32_t r = 0; r < joined->count(); ++r) {
    EXPECT_EQ(ByteReader(shared[r]).take_text(), hello(r, 0));
    if (joined->first()) {
      EXPECT_EQ(collected[r], shared[r]);
    }
  }
}

TEST(Together, Totals) {
  const std::int64_t n = joined->count();
  EXPECT_EQ(total(*joined, std::int64_t{joined->rank()} + 1), n * (n + 1) / 2);
}

}  // namespace
}  // namespace ebb::ranks

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  ebb::ranks::joined = ebb::ranks::join().value();
  const int code = RUN_ALL_TESTS();
  ebb::ranks::joined.reset();
  return code;
}
