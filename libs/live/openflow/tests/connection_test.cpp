// SPDX-License-Identifier: Apache-2.0
// Against a real Open vSwitch.

#include "ebb/openflow/connection.hpp"

#include "support/certificates.hpp"
#include "support/open_vswitch.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ebb::openflow {
namespace {

using namespace std::chrono_literals;
using namespace openflow;
using transport::Loop;
using transport::Stream;

constexpr Milliseconds kLong = 20s;

FlowMod rule(int number) {
  return {
      .priority = 100,
      .match = {{eth_dst(0x020000000000ULL + static_cast<std::uint64_t>(number), 0x03000000ffff)}},
      .instructions = {ApplyActions{{ToGroup{7}}}}};
}

GroupMod group_of_two() {
  return {.type = GroupType::fast_failover,
          .group = 7,
          .buckets = {{.watch_port = 1, .actions = {Output{1}}},
                      {.watch_port = 2, .actions = {Output{2}}}}};
}

std::vector<Body> rules(int count) {
  std::vector<Body> messages{group_of_two()};
  for (int i = 0; i < count; ++i) messages.emplace_back(rule(i));
  return messages;
}

AsyncMasks hear_ports() { return {.packet_in = {}, .port_status = {7, 7}, .flow_removed = {}}; }

// A connection, what it said, and requests that wait for their answer.
class Peer {
 public:
  Peer(Loop& loop, Stream stream, Timing timing = {})
      : loop_(loop),
        connection_(
            loop, std::move(stream), timing,
            {.ready = [this](const FeaturesReply& reply) { features = reply; },
             .port_status = [this](const PortStatus& status) { statuses.push_back(status); },
             .packet_in = [this](const PacketIn& packet) { packets.push_back(packet); },
             .closed = [this](const std::string& reason) { closed = reason; }}) {}

  [[nodiscard]] bool wait(const std::function<bool()>& condition) {
    return loop_.run_until(condition, kLong);
  }
  [[nodiscard]] bool ready() {
    return wait([&] { return features || !closed.empty(); }) && features;
  }
  Connection& operator*() { return connection_; }

  template <class T, class Ask>
  Reply<T> answer(Ask ask) {
    std::optional<Reply<T>> got;
    ask([&](Reply<T> answer) { got = std::move(answer); });
    EXPECT_TRUE(wait([&] { return got.has_value(); }));
    return *got;
  }
  Reply<void> install(const std::vector<Body>& messages) {
    return answer<void>([&](const Callback<void>& then) { connection_.install(messages, then); });
  }
  std::size_t flow_count() {
    return answer<std::vector<FlowEntry>>(
               [&](const auto& then) { connection_.flow_stats({}, then); })
        ->size();
  }
  std::size_t group_count() {
    return answer<std::vector<GroupEntry>>([&](const auto& then) { connection_.groups(then); })
        ->size();
  }
  std::vector<Port> ports() {
    return *answer<std::vector<Port>>([&](const auto& then) { connection_.ports(then); });
  }
  Reply<RoleReply> role(Role role, std::uint64_t generation) {
    return answer<RoleReply>([&](const auto& then) { connection_.role(role, generation, then); });
  }
  // The last state of a port that was told.
  [[nodiscard]] std::optional<std::uint32_t> told_state(std::uint32_t port) const {
    std::optional<std::uint32_t> state;
    for (const auto& status : statuses) {
      if (status.port.number == port) state = status.port.state;
    }
    return state;
  }

  std::optional<FeaturesReply> features;
  std::vector<PortStatus> statuses;
  std::vector<PacketIn> packets;
  std::string closed;

 private:
  Loop& loop_;
  Connection connection_;
};

class Switch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::OpenVswitch::is_installed()) GTEST_SKIP() << "no Open vSwitch";
    ovs_.emplace();
    ovs_->add_bridge("br0", 3);
  }
  Stream management(const std::string& bridge = "br0") {
    auto stream =
        Stream::connect(loop_, *transport::parse_address("unix:" + ovs_->file(bridge + ".mgmt")));
    EXPECT_TRUE(stream) << to_string(stream.error());
    return *std::move(stream);
  }

  Loop loop_;
  std::optional<test::OpenVswitch> ovs_;
};

TEST_F(Switch, SaysWhoItIs) {
  ovs_->vsctl("set bridge br0 other-config:datapath-id=0000020000010100");
  Peer peer(loop_, management());
  ASSERT_TRUE(peer.ready()) << peer.closed;
  EXPECT_EQ(peer.features->datapath, 0x0000020000010100U);
  const auto description =
      peer.answer<Description>([&](const auto& then) { (*peer).description(then); });
  EXPECT_EQ(description->manufacturer, "Nicira, Inc.");
  const auto ports = peer.ports();
  ASSERT_EQ(ports.size(), 4U);  // and the local one
  EXPECT_TRUE(std::any_of(ports.begin(), ports.end(), [](const Port& port) {
    return port.name == "br0p3" && port.number == 3;
  }));
}

TEST_F(Switch, InstallsAllRulesAndGroups) {
  Peer peer(loop_, management());
  ASSERT_TRUE(peer.ready());
  const auto done = peer.install(rules(200));
  ASSERT_TRUE(done) << done.error().text;
  EXPECT_EQ(peer.flow_count(), 200U);
  EXPECT_EQ(peer.group_count(), 1U);
}

TEST_F(Switch, OneBadRuleChangesNothing) {
  Peer peer(loop_, management());
  ASSERT_TRUE(peer.ready());
  // Three ways to be bad: seen when it is added, when it is committed, and by us.
  auto unread = rules(200);
  unread[57] = FlowMod{.match = {{{FieldId::arp_op, 1}}}};  // without its eth_type
  auto done = peer.install(unread);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text, "bad_match: bad_prereq (message 58 of 201)");

  auto uncommitted = rules(200);
  uncommitted[101] = FlowMod{.instructions = {ApplyActions{{ToGroup{99}}}}};
  done = peer.install(uncommitted);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().text, "bad_action: bad_out_group (message 102 of 201)");
  EXPECT_EQ(done.error().message, 101U);

  auto unwritten = rules(200);
  unwritten[3] = FlowMod{.instructions = {ApplyActions{Actions(9000, PopVlan{})}}};
  done = peer.install(unwritten);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().why, Why::not_sent);

  EXPECT_EQ(peer.flow_count(), 0U);
  EXPECT_EQ(peer.group_count(), 0U);
  EXPECT_TRUE(peer.install(rules(2))) << "the connection is as good as before";
  EXPECT_EQ(peer.flow_count(), 2U);
}

TEST_F(Switch, CountsWhatPasses) {
  Peer peer(loop_, management());
  ASSERT_TRUE(peer.ready());
  ASSERT_TRUE(peer.install(
      {FlowMod{.match = {{{FieldId::in_port, 1}}}, .instructions = {ApplyActions{{Output{2}}}}}}));
  (*peer).packet_out({.in_port = 1, .actions = {Output{2}}, .data = Bytes(60)});
  const auto stats = [&](std::uint32_t port) {
    return peer.answer<std::vector<PortCounters>>(
        [&](const auto& then) { (*peer).port_stats(port, then); });
  };
  EXPECT_EQ(stats(port::kAny)->size(), 4U);
  const auto one = stats(2);
  ASSERT_EQ(one->size(), 1U);
  EXPECT_EQ(one->front().tx_packets, 1U);
  EXPECT_EQ(one->front().tx_bytes, 60U);
  EXPECT_TRUE(stats(77)->empty());  // so says Open vSwitch of a port that it has not
}

TEST_F(Switch, TellsOfPortsThatGoDownAndUp) {
  Peer peer(loop_, management());
  ASSERT_TRUE(peer.ready());
  ASSERT_TRUE(peer.answer<void>([&](const auto& then) { (*peer).set_async(hear_ports(), then); }));
  Port first;
  for (const Port& port : peer.ports()) first = port.number == 1 ? port : first;
  const auto set_down = [&](bool down) {
    const PortMod mod{
        .port = 1, .address = first.address, .config = down ? kPortDown : 0, .mask = kPortDown};
    return peer.answer<void>([&](const auto& then) { (*peer).port_mod(mod, then); });
  };
  EXPECT_TRUE(set_down(true));
  EXPECT_TRUE(peer.wait([&] {
    return !peer.statuses.empty() && (peer.statuses.back().port.config & kPortDown) != 0;
  }));
  peer.statuses.clear();
  EXPECT_TRUE(set_down(false));
  EXPECT_TRUE(peer.wait([&] { return peer.told_state(1) == kLive; }));
  const auto wrong = peer.answer<void>(
      [&](const auto& then) { (*peer).port_mod({.port = 1, .address = 1}, then); });
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().text, "port_mod_failed: bad_hw_addr");
}

TEST_F(Switch, NewerGenerationWins) {
  Peer first(loop_, management());
  Peer second(loop_, management());
  ASSERT_TRUE(first.ready() && second.ready());
  EXPECT_EQ(first.role(Role::master, 5)->role, Role::master);
  EXPECT_TRUE(first.install(rules(1)));
  const auto stale = second.role(Role::master, 4);
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().text, "role_request_failed: stale");
  EXPECT_EQ(second.role(Role::master, 6)->role, Role::master);
  const auto refused = first.install(rules(3));  // it is a slave now
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("bad_request: is_slave"), std::string::npos)
      << refused.error().text;
  EXPECT_EQ(second.flow_count(), 1U);
}

TEST_F(Switch, SilenceIsNoticed) {
  const Timing quick{.answer = 400ms, .keepalive = {.idle = 50ms, .reply = 500ms}};
  Peer peer(loop_, management(), quick);
  ASSERT_TRUE(peer.ready());
  loop_.run_until([] { return false; }, 300ms);
  EXPECT_EQ(peer.closed, "") << "a switch that answers echoes is alive";
  ovs_->daemon().pause();
  const auto late = peer.answer<void>([&](const auto& then) { (*peer).barrier(then); });
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().why, Why::timed_out);
  EXPECT_TRUE(peer.wait([&] { return !peer.closed.empty(); }));
  EXPECT_EQ(peer.closed, "the switch did not answer whether it is alive");
  ovs_->daemon().go_on();
  Peer again(loop_, management());
  EXPECT_TRUE(again.ready());
}

TEST_F(Switch, RequestsEndWithTheConnection) {
  Peer peer(loop_, management());
  ASSERT_TRUE(peer.ready());
  ovs_->daemon().pause();
  std::optional<Reply<void>> answer;
  (*peer).barrier([&](Reply<void> got) { answer = std::move(got); });
  ovs_.reset();
  EXPECT_TRUE(peer.wait([&] { return answer.has_value() && !peer.closed.empty(); }));
  EXPECT_EQ(answer->error().why, Why::closed);
}

class SwitchOverTls : public Switch {
 protected:
  void SetUp() override {
    Switch::SetUp();
    if (IsSkipped()) return;
    certificates_.emplace(ovs_->folder(), "authority");
    for (const auto* who : {"switch", "controller"}) certificates_->sign(who);
    ovs_->vsctl(fmt::format("set-ssl {} {} {}", certificates_->key("switch"),
                            certificates_->certificate("switch"), certificates_->authority()));
  }
  [[nodiscard]] transport::StreamOptions options() const {
    return {.tls = *transport::TlsContext::load({certificates_->certificate("controller"),
                                                 certificates_->key("controller"),
                                                 certificates_->authority(), "switch"})};
  }

  std::optional<test::Certificates> certificates_;
};

TEST_F(SwitchOverTls, ConnectsToUs) {
  std::unique_ptr<Peer> peer;
  const auto listener = transport::Listener::open(
      loop_, *transport::parse_address("tls:127.0.0.1:0"), {.streams = options()},
      [&](Stream stream) { peer = std::make_unique<Peer>(loop_, std::move(stream)); });
  ovs_->vsctl(
      fmt::format("--no-wait set-controller br0 ssl:127.0.0.1:{}", listener->address().port));
  EXPECT_TRUE(loop_.run_until([&] { return peer && peer->features; }, kLong));
  const auto done = peer->install(rules(200));
  EXPECT_TRUE(done) << done.error().text;
  EXPECT_EQ(peer->flow_count(), 200U);
}

TEST_F(SwitchOverTls, IsConnectedTo) {
  // A port that was free a moment ago.
  const auto port = transport::Listener::open(loop_, *transport::parse_address("tcp:127.0.0.1:0"),
                                              {}, [](Stream) {})
                        ->address()
                        .port;
  ovs_->vsctl(fmt::format("set-controller br0 pssl:{}:127.0.0.1", port));
  Peer peer(loop_,
            *Stream::connect(loop_, {transport::Kind::tls, "", "127.0.0.1", port}, options()));
  EXPECT_TRUE(peer.ready()) << peer.closed;
}

// The figure of docs/fabric/wire.md.
TEST_F(Switch, SixteenBridgesAtOnce) {
  constexpr int kBridges = 16;
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 1; i <= kBridges; ++i) {
    const std::string name = fmt::format("s{}", i);
    ovs_->add_bridge(name, 2);
    peers.push_back(std::make_unique<Peer>(loop_, management(name)));
    ASSERT_TRUE(peers.back()->ready());
  }
  int done = 0;
  const auto start = transport::Clock::now();
  for (const auto& peer : peers)
    (**peer).install(rules(16), [&](const Reply<void>& answer) { done += answer ? 1 : 0; });
  EXPECT_TRUE(loop_.run_until([&] { return done == kBridges; }, kLong));
  const std::chrono::duration<double, std::milli> took = transport::Clock::now() - start;
  fmt::print("{} messages in {} atomic bundles: {:.1f} ms\n", kBridges * 17, kBridges,
             took.count());
  for (const auto& peer : peers) EXPECT_EQ(peer->flow_count(), 16U);
}

// Peers that are no switches.

class UnknownPeer : public ::testing::Test {
 protected:
  // Why the connection to a peer that says that is closed.
  std::string reason(const Bytes& bytes) {
    std::unique_ptr<Connection> connection;
    std::string why;
    const auto listener = transport::Listener::open(
        loop_, {.kind = transport::Kind::unix_socket, .path = folder_.file("s")}, {},
        [&](transport::Stream stream) {
          connection = std::make_unique<Connection>(
              loop_, std::move(stream), Timing{.greeting = 200ms},
              ConnectionEvents{.closed = [&](const std::string& text) { why = text; }});
        });
    auto stream = transport::Stream::connect(loop_, listener->address());
    stream->send(bytes);
    EXPECT_TRUE(loop_.run_until([&] { return !why.empty(); }, kLong));
    return why;
  }

  test::TemporaryFolder folder_;
  transport::Loop loop_;
};

TEST_F(UnknownPeer, WhoDoesNotSayItInTimeIsLeft) {
  EXPECT_EQ(reason({}), "the switch did not say who it is in time");
  EXPECT_EQ(reason(*openflow::encode({1, openflow::Hello{}})),
            "the switch did not say who it is in time");
}

// Echo requests are answered, into a queue that nobody empties.
TEST_F(UnknownPeer, WhoSaysMuchBeforeIsLeft) {
  Bytes bytes = *openflow::encode({1, openflow::Hello{}});
  const Bytes echo = *openflow::encode({2, openflow::EchoRequest{Bytes(60'000)}});
  for (int i = 0; i < 3; ++i) append_all(bytes, std::span(echo));
  EXPECT_EQ(reason(bytes), "the switch says too much before it says who it is");
}

}  // namespace
}  // namespace ebb::openflow
