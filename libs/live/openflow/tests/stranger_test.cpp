// SPDX-License-Identifier: Apache-2.0
//
// Peers that are no switches.
#include "support/temporary_folder.hpp"

#include "ebb/openflow/connection.hpp"
#include "ebb/transport/listener.hpp"

#include <gtest/gtest.h>

namespace ebb::openflow {
namespace {

using namespace std::chrono_literals;

constexpr Milliseconds kLong = 20s;

class Stranger : public ::testing::Test {
 protected:
  // Why one who says that is left.
  std::string reason(const Bytes& bytes) {
    std::unique_ptr<Connection> connection;
    std::string why;
    const auto door = transport::Listener::open(
        loop_, {.kind = transport::Kind::unix_socket, .path = folder_.file("s")}, {},
        [&](transport::Stream stream) {
          connection = std::make_unique<Connection>(
              loop_, std::move(stream), Timing{.greeting = 200ms},
              ConnectionEvents{.closed = [&](const std::string& text) { why = text; }});
        });
    auto stream = transport::Stream::connect(loop_, door->address());
    stream->send(bytes);
    EXPECT_TRUE(loop_.run_until([&] { return !why.empty(); }, kLong));
    return why;
  }

  test::TemporaryFolder folder_;
  transport::Loop loop_;
};

TEST_F(Stranger, WhoDoesNotSayItInTimeIsLeft) {
  EXPECT_EQ(reason({}), "the switch did not say who it is in time");
  EXPECT_EQ(reason(*openflow::encode({1, openflow::Hello{}})),
            "the switch did not say who it is in time");
}

// Echo requests are answered, into a queue that nobody empties.
TEST_F(Stranger, WhoSaysMuchBeforeIsLeft) {
  Bytes bytes = *openflow::encode({1, openflow::Hello{}});
  const Bytes echo = *openflow::encode({2, openflow::EchoRequest{Bytes(60'000)}});
  for (int i = 0; i < 3; ++i) append_all(bytes, std::span(echo));
  EXPECT_EQ(reason(bytes), "the switch says too much before it says who it is");
}

}  // namespace
}  // namespace ebb::openflow
