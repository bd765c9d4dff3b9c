// SPDX-License-Identifier: Apache-2.0
//
// Run by mpirun on any number of ranks. Every rank makes the same calls and checks what it gets.
#include "ebb/core/bytes.hpp"
#include "ebb/mpi/communicator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace ebb::mpi {
namespace {

std::unique_ptr<Communicator> joined;

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

TEST(Together, GatheredByAllAndByTheFirst) {
  const Bytes mine = text(hello(joined->rank(), 0));
  const std::vector<Bytes> shared = joined->all_gather(mine);
  const std::vector<Bytes> collected = joined->gather(mine);
  ASSERT_EQ(shared.size(), joined->count());
  ASSERT_EQ(collected.size(), joined->first() ? joined->count() : 0);
  for (std::uint32_t r = 0; r < joined->count(); ++r) {
    EXPECT_EQ(ByteReader(shared[r]).take_text(), hello(r, 0));
    if (joined->first()) {
      EXPECT_EQ(collected[r], shared[r]);
    }
  }
}

TEST(Together, MessagesReachTheirReceiver) {
  const auto messages = point_to_point(*joined);
  const auto wait = [&] {
    for (;;) {
      if (auto message = messages->try_receive()) return *message;
    }
  };
  for (int time = 0; time < 20; ++time) {
    if (!joined->first()) {
      const Message asked = wait();
      EXPECT_EQ(asked.from, 0U);
      EXPECT_EQ(ByteReader(asked.bytes).take_text(), hello(0, joined->rank()));
      messages->send(0, text(hello(joined->rank(), 0)));
      continue;
    }
    for (std::uint32_t r = 1; r < joined->count(); ++r) messages->send(r, text(hello(0, r)));
    std::uint32_t sum = 0;
    for (std::uint32_t n = 1; n < joined->count(); ++n) {
      const Message answer = wait();
      EXPECT_EQ(ByteReader(answer.bytes).take_text(), hello(answer.from, 0));
      sum += answer.from;
    }
    EXPECT_EQ(sum, joined->count() * (joined->count() - 1) / 2) << "one from each";
  }
  EXPECT_FALSE(messages->try_receive());
}

TEST(Together, AllReduceAdds) {
  const std::int64_t n = joined->count();
  EXPECT_EQ(all_reduce(*joined, std::int64_t{joined->rank()} + 1), n * (n + 1) / 2);
}

}  // namespace
}  // namespace ebb::mpi

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  ebb::mpi::joined = ebb::mpi::mpi_init().value();
  const int code = RUN_ALL_TESTS();
  ebb::mpi::joined.reset();
  return code;
}
