// SPDX-License-Identifier: Apache-2.0
#include "support/certificates.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace ebb::transport {
namespace {

using namespace std::chrono_literals;

constexpr Milliseconds kLong = 30s;  // for sanitizers on a busy machine

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(Loop, TimersRunInOrderAndCancelled) {
  Loop loop;
  std::string order;
  loop.after(20ms, [&] { order += 'c'; });
  loop.after(1ms, [&] { order += 'a'; });
  const auto never = loop.after(5ms, [&] { order += 'x'; });
  loop.after(5ms, [&] { order += 'b'; });
  loop.cancel(never);
  EXPECT_TRUE(loop.run_until([&] { return order.size() == 3; }, kLong));
  EXPECT_EQ(order, "abc");
  EXPECT_FALSE(loop.run_until([] { return false; }, 5ms));
}

TEST(Loop, IsWokenByAnotherThread) {
  Loop loop;
  bool ran = false;
  std::thread other([&] {
    loop.post([&] { ran = true; });
    loop.stop();
  });
  loop.run();
  other.join();
  EXPECT_TRUE(ran);
}

TEST(Address, IsReadAndPrinted) {
  for (const auto* text : {"unix:/run/br0.mgmt", "tcp:127.0.0.1:6653", "tls:[::1]:1"}) {
    EXPECT_EQ(to_text(*parse_address(text)), text);
  }
  for (const auto* text : {"", "unix:", "tcp:1.2.3.4", "tcp:localhost:1", "tcp:1.2.3.4:65536",
                           "tcp:1.2.3.4:-1", "udp:1.2.3.4:5"}) {
    EXPECT_FALSE(parse_address(text)) << text;
  }
  EXPECT_FALSE(parse_address("unix:" + std::string(200, 'x')));
}

TEST(Listener, OtherMachinesMustBeAskedFor) {
  Loop loop;
  const Address everyone{Kind::tcp, "", "0.0.0.0", 0};
  EXPECT_FALSE(Listener::open(loop, everyone, {}, [](Stream) {}));
  EXPECT_TRUE(Listener::open(loop, everyone, {.other_machines = true}, [](Stream) {}));
}

// Sends back what it gets, and keeps the streams that it was given.
class EchoServer {
 public:
  EchoServer(Loop& loop, const Address& address, const StreamOptions& options = {})
      : listener_(*Listener::open(loop, address, {.streams = options}, [this](Stream stream) {
          auto& kept = *streams_.emplace_back(std::make_unique<Stream>(std::move(stream)));
          kept.on({.received = [&kept](std::span<const std::byte> bytes) { kept.send(bytes); },
                   .closed = [this](const std::string& reason) { reasons_.push_back(reason); }});
        })) {}

  [[nodiscard]] const Address& address() const { return listener_.address(); }
  [[nodiscard]] const std::vector<std::string>& reasons() const { return reasons_; }
  void drop_all() { streams_.clear(); }

 private:
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::string> reasons_;
  Listener listener_;
};

// What comes back of a megabyte: more than any buffer of the system holds at once.
void expect_echo(Loop& loop, const Address& address, const StreamOptions& options = {}) {
  std::string sent;
  for (int i = 0; i < 1'000'000; ++i) sent.push_back(static_cast<char>(i % 251));
  std::string received;
  auto stream = Stream::connect(loop, address, options);
  ASSERT_TRUE(stream) << to_string(stream.error());
  std::string problem;
  stream->on({.received = [&](std::span<const std::byte> bytes) { received += text_of(bytes); },
              .closed = [&](const std::string& reason) { problem = reason; }});
  stream->send(bytes_of(sent));
  EXPECT_TRUE(
      loop.run_until([&] { return received.size() >= sent.size() || !problem.empty(); }, kLong));
  EXPECT_EQ(problem, "");
  EXPECT_TRUE(received == sent);
}

TEST(Stream, EchoOverUnixSocket) {
  const test::TemporaryFolder folder;
  Loop loop;
  const EchoServer server(loop, *parse_address("unix:" + folder.file("s")));
  expect_echo(loop, server.address());
}

TEST(Stream, EchoOverTcp) {
  Loop loop;
  const EchoServer server(loop, *parse_address("tcp:127.0.0.1:0"));
  expect_echo(loop, server.address());
}

class Tls : public ::testing::Test {
 protected:
  Tls() {
    ours_.sign("server");
    ours_.sign("client");
    others_.sign("unknown");
  }
  [[nodiscard]] StreamOptions options(const test::Certificates& authority, const std::string& who,
                                      const std::string& peer = "") const {
    return {.tls = *TlsContext::load(
                {authority.certificate(who), authority.key(who), ours_.authority(), peer}),
            .handshake = kLong};
  }
  // Why a connection was closed at the server's end; empty when it was not.
  std::string refusal(const StreamOptions& client, std::string& at_client) {
    EchoServer server(loop_, *parse_address("tls:127.0.0.1:0"),
                      server_.value_or(options(ours_, "server")));
    auto stream = Stream::connect(loop_, server.address(), client);
    bool echoed = false;
    stream->on({.received = [&](auto) { echoed = true; },
                .closed = [&](const std::string& reason) { at_client = reason; }});
    stream->send(bytes_of("hello"));
    loop_.run_until([&] { return echoed || (!server.reasons().empty() && !at_client.empty()); },
                    kLong);
    return server.reasons().empty() ? "" : server.reasons().front();
  }

  test::TemporaryFolder folder_;
  test::Certificates ours_{folder_, "authority"};
  test::Certificates others_{folder_, "other-authority"};
  std::optional<StreamOptions> server_;  // none: with a certificate of ours
  Loop loop_;
};

TEST_F(Tls, EchoBetweenThoseOfOneAuthority) {
  const EchoServer server(loop_, *parse_address("tls:127.0.0.1:0"), options(ours_, "server"));
  expect_echo(loop_, server.address(), options(ours_, "client", "server"));
}

TEST_F(Tls, StrangersAreRefused) {
  std::string at_client;
  EXPECT_EQ(refusal(options(others_, "unknown"), at_client),
            "TLS: the peer's certificate: unable to get local issuer certificate");
}

TEST_F(Tls, AnotherNameIsRefused) {
  std::string at_client;
  EXPECT_NE(refusal(options(ours_, "client", "somebody"), at_client), "");
  EXPECT_EQ(at_client, "TLS: the peer's certificate: hostname mismatch");
}

TEST_F(Tls, TheNamesOfThePeerAreKnown) {
  ours_.sign("daemon", "DNS:s0,IP:192.0.2.1,DNS:s1");
  const EchoServer server(loop_, *parse_address("tls:127.0.0.1:0"), options(ours_, "daemon"));
  auto stream = Stream::connect(loop_, server.address(), options(ours_, "client"));
  bool opened = false;
  stream->on({.opened = [&] { opened = true; }});
  ASSERT_TRUE(loop_.run_until([&] { return opened; }, kLong));
  EXPECT_EQ(stream->peer_names(), (std::vector<std::string>{"daemon", "s0", "s1"}));
  stream->close();
  EXPECT_EQ(stream->peer_names(), std::vector<std::string>{}) << "nobody, and not anybody";
}

TEST_F(Tls, ARevokedCertificateIsRefused) {
  ours_.sign("stolen");
  TlsFiles files{ours_.certificate("server"), ours_.key("server"), ours_.authority(), "",
                 ours_.revoke({"stolen"})};
  server_ = {.tls = *TlsContext::load(files), .handshake = kLong};
  std::string at_client;
  EXPECT_EQ(refusal(options(ours_, "client"), at_client), "") << "others are let in";
  EXPECT_EQ(refusal(options(ours_, "stolen"), at_client),
            "TLS: the peer's certificate: certificate revoked");
  files.revoked = folder_.file("none");
  EXPECT_FALSE(TlsContext::load(files)) << "a list that is not there is no empty list";
}

TEST_F(Tls, SilentPeerIsClosed) {
  auto impatient = options(ours_, "server");
  impatient.handshake = 50ms;
  const EchoServer server(loop_, *parse_address("tls:127.0.0.1:0"), impatient);
  Address plain = server.address();
  plain.kind = Kind::tcp;
  bool closed = false;
  auto stream = Stream::connect(loop_, plain);
  stream->on({.closed = [&](const std::string&) { closed = true; }});
  EXPECT_TRUE(loop_.run_until([&] { return closed; }, kLong));
  EXPECT_EQ(server.reasons(),
            std::vector<std::string>{"the peer did not finish connecting in time"});
}

TEST_F(Tls, MissingFilesAreNamed) {
  const auto context = TlsContext::load({folder_.file("none"), "", "", ""});
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().front().where.file, folder_.file("none"));
  EXPECT_FALSE(Stream::connect(loop_, *parse_address("tls:127.0.0.1:1")));
}

// A socket that takes connections and never reads.
class SilentServer {
 public:
  explicit SilentServer(const std::string& path) : descriptor_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(descriptor_, 1) != 0) {
      std::abort();
    }
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;
  ~SilentServer() { close(descriptor_); }

 private:
  int descriptor_;
};

TEST(Stream, PeerThatDoesNotReadIsCutOff) {
  const test::TemporaryFolder folder;
  const SilentServer server(folder.file("s"));
  Loop loop;
  auto stream =
      Stream::connect(loop, *parse_address("unix:" + folder.file("s")), {.most_queued = 100'000});
  std::string problem;
  stream->on({.closed = [&](const std::string& reason) { problem = reason; }});
  const std::string piece(10'000, 'x');
  for (int i = 0; i < 1000 && problem.empty(); ++i) {  // the system's buffer takes the first ones
    stream->send(bytes_of(piece));
    EXPECT_LE(stream->queued(), 100'000U);
    EXPECT_EQ(problem, "") << "not from inside send";
    loop.run_until([] { return false; }, 1ms);
  }
  EXPECT_EQ(problem, "the peer does not read: its queue is full");
}

TEST(Stream, NothingIsCalledAfterClosing) {
  const test::TemporaryFolder folder;
  Loop loop;
  EchoServer server(loop, *parse_address("unix:" + folder.file("s")));
  std::optional<Stream> stream = *Stream::connect(loop, server.address());
  int calls = 0;
  stream->on({.received =
                  [&](auto) {
                    ++calls;
                    stream.reset();  // inside its own event
                    server.drop_all();
                  },
              .closed = [&](const auto&) { ++calls; }});
  stream->send(bytes_of("hello"));
  EXPECT_TRUE(loop.run_until([&] { return calls > 0; }, kLong));
  loop.run_until([] { return false; }, 20ms);
  EXPECT_EQ(calls, 1);
}

TEST(Connector, PausesGrow) {
  const BackOff back_off{100ms, 500ms};
  EXPECT_EQ(pause_after(back_off, 1), 100ms);
  EXPECT_EQ(pause_after(back_off, 2), 200ms);
  EXPECT_EQ(pause_after(back_off, 3), 400ms);
  EXPECT_EQ(pause_after(back_off, 1000), 500ms);
}

TEST(Connector, TriesUntilSomebodyListens) {
  const test::TemporaryFolder folder;
  const Address address = *parse_address("unix:" + folder.file("s"));
  Loop loop;
  std::optional<Stream> connected;
  Connector connector(loop, address, {}, {1ms, 4ms},
                      [&](Stream stream) { connected = std::move(stream); });
  connector.start();
  EXPECT_TRUE(loop.run_until([&] { return connector.failures() >= 3; }, kLong));
  EXPECT_FALSE(connected);
  EXPECT_NE(connector.last_problem().find("No such file"), std::string::npos);
  const EchoServer server(loop, address);
  EXPECT_TRUE(loop.run_until([&] { return connected.has_value(); }, kLong));
  EXPECT_EQ(connector.failures(), 0);
}

TEST(Connector, LooksForTheAddressBeforeEachAttempt) {
  const test::TemporaryFolder folder;
  std::string path = folder.file("before");
  Loop loop;
  bool connected = false;
  Connector connector(
      loop, [&path] { return *parse_address("unix:" + path); }, {}, {1ms, 4ms},
      [&](const Stream&) { connected = true; });
  connector.start();
  EXPECT_TRUE(loop.run_until([&] { return connector.failures() >= 1; }, kLong));
  path = folder.file("after");
  const EchoServer server(loop, *parse_address("unix:" + path));
  EXPECT_TRUE(loop.run_until([&] { return connected; }, kLong));
}

}  // namespace
}  // namespace ebb::transport
