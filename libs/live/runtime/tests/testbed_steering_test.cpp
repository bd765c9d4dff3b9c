// SPDX-License-Identifier: Apache-2.0
//
// The groups of a real Open vSwitch move traffic: three switches with a host each, joined to each
// other, and frames between the hosts of the first two.
#include "../../drivers/tests/steering_contract.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/core/process.hpp"
#include "ebb/drivers/openflow_steering.hpp"
#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/testbed/fabric.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/transport/stream.hpp"

#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ebb::drivers::contract {
namespace {

using forwarding::PortNumber;

constexpr std::uint16_t kOurType =
    0x9000;  // Ethernet configuration testing: no switch rule knows it
constexpr std::uint32_t kSwitches = 3;

// A packet socket at an interface of another network namespace.
UniqueFd packet_socket(const std::string& space, const char* interface, std::uint16_t type) {
  const UniqueFd home(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  const UniqueFd there(open(("/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(setns(there.number(), CLONE_NEWNET), 0) << space;
  UniqueFd made(socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(type)));
  sockaddr_ll at{};
  at.sll_family = AF_PACKET;
  at.sll_protocol = htons(type);
  at.sll_ifindex = static_cast<int>(if_nametoindex(interface));
  EXPECT_EQ(bind(made.number(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  EXPECT_EQ(setns(home.number(), CLONE_NEWNET), 0);
  return made;
}

// Numbered frames from one host to another.
class Flow {
 public:
  Flow(UniqueFd from, UniqueFd to, const forwarding::Mac& source, const forwarding::Mac& target)
      : from_(std::move(from)), to_(std::move(to)) {
    const auto put = [this](std::size_t at, const forwarding::Mac& mac) {
      const auto address = static_cast<std::uint64_t>(mac);
      for (std::size_t i = 0; i < 6; ++i)
        frame_[at + i] = static_cast<std::uint8_t>(address >> (8 * (5 - i)));
    };
    put(0, target);
    put(6, source);
    frame_[12] = kOurType >> 8U;
    frame_[13] = kOurType & 0xffU;
  }

  void send() {
    const std::uint64_t number = arrived_.size();
    std::memcpy(frame_.data() + kHeader, &number, sizeof number);
    arrived_.push_back(false);
    EXPECT_EQ(::send(from_.number(), frame_.data(), frame_.size(), 0),
              static_cast<ssize_t>(frame_.size()));
  }
  void receive() {
    std::array<std::uint8_t, 256> got{};
    while (recv(to_.number(), got.data(), got.size(), 0) >= static_cast<ssize_t>(frame_.size())) {
      std::uint64_t number = 0;
      std::memcpy(&number, got.data() + kHeader, sizeof number);
      if (number < arrived_.size()) arrived_[number] = true;
    }
  }
  [[nodiscard]] std::uint64_t sent() const { return arrived_.size(); }
  [[nodiscard]] std::uint64_t lost() const {
    return static_cast<std::uint64_t>(std::count(arrived_.begin(), arrived_.end(), false));
  }

 private:
  static constexpr std::size_t kHeader = 14;

  UniqueFd from_;
  UniqueFd to_;
  std::array<std::uint8_t, 100> frame_{};
  std::vector<bool> arrived_;  // by number
};

class TestedGroups final : public TestedSteering {
 public:
  static std::string missing() {
    const Errors reasons = testbed::validate_machine();
    return reasons.empty() ? "" : reasons.front().message;
  }

  TestedGroups() {
    std::vector<testbed::HostAddress> addresses;
    addresses.reserve(kSwitches);
    for (std::uint32_t host = 0; host < kSwitches; ++host) {
      const auto mac = static_cast<std::uint64_t>(forwarding::mac_of(plan_.of_host(host)));
      addresses.push_back({mac, static_cast<std::uint32_t>(0x0a000000U | (mac & 0xffffffU))});
    }
    layout_ = testbed::lay_out(name_, graph_, std::move(addresses));
    const auto up = testbed::bring_up(layout_, {.state = state_});
    EXPECT_TRUE(up) << to_string(up.error());
    for (std::uint32_t device = 0; device < kSwitches; ++device) install(device);
    tap_ = packet_socket(layout_.nodes[0].space, ("p" + std::to_string(port())).c_str(), ETH_P_ALL);
  }
  ~TestedGroups() override {
    if (silent_ != 0) kill(silent_, SIGCONT);
    connections_.clear();
    EXPECT_TRUE(testbed::take_down(name_, state_));
  }

  std::unique_ptr<SteeringDriver> connect() override {
    openflow::Connection& connection = connect_to(0);
    std::optional<RoleReplyKind> role;
    request_master(connection, ++generation_, [&](RoleReplyKind kind, auto) { role = kind; });
    EXPECT_TRUE(loop.run_until([&] { return role.has_value(); }, 30s));
    EXPECT_EQ(role, RoleReplyKind::master);
    return std::make_unique<OpenFlowSteering>(connection, graph_, table(0), FailoverState{});
  }

  [[nodiscard]] PortNumber port() const override {
    for (const topology::ChannelId output : graph_.outputs(graph_.switch_node(0))) {
      if (graph_.target(output) == graph_.switch_node(1))
        return forwarding::port_of(graph_, output);
    }
    return no_port();
  }
  [[nodiscard]] PortNumber no_port() const override { return 99; }

  // What the kernel hands to the interface.
  std::uint64_t sent_by_port() override {
    std::array<std::uint8_t, 256> got{};
    sockaddr_ll from{};
    socklen_t size = sizeof from;
    while (recvfrom(tap_.number(), got.data(), got.size(), 0, reinterpret_cast<sockaddr*>(&from),
                    &size) > 0) {
      if (from.sll_pkttype == PACKET_OUTGOING && from.sll_protocol == htons(kOurType)) ++left_;
      size = sizeof from;
    }
    return left_;
  }

  void start_traffic() override {
    flows_.clear();
    flows_.push_back(flow(0, 1));
    flows_.push_back(flow(1, 0));
    late_ = {};
    due_ = transport::Clock::now();
    running_ = true;
    send_on();
  }

  Traffic stop_traffic() override {
    running_ = false;
    Traffic total{.late = late_};
    loop.run_until([] { return false; }, 300ms);  // what is under way arrives
    for (Flow& one : flows_) {
      one.receive();
      total.sent += one.sent();
      total.lost += one.lost();
    }
    return total;
  }

  void fall_silent() override {
    std::ifstream(state_.device(name_, 0) + "/ovs-vswitchd.pid") >> silent_;
    ASSERT_GT(silent_, 0);
    kill(silent_, SIGSTOP);
  }

 private:
  using Milliseconds = transport::Milliseconds;

  [[nodiscard]] const forwarding::Table& table(std::uint32_t device) const {
    return tables_[device];
  }

  static std::vector<forwarding::Table> make_tables(const topology::Graph& graph,
                                                    const forwarding::AddressPlan& plan) {
    const auto maker = forwarding::TableMaker::make(graph, plan);
    std::vector<forwarding::Table> tables;
    tables.reserve(kSwitches);
    for (std::uint32_t device = 0; device < kSwitches; ++device) {
      tables.push_back(
          maker->table(device, forwarding::Detail::compact, forwarding::BackupPaths::everywhere));
    }
    return tables;
  }

  openflow::Connection& connect_to(std::uint32_t device) {
    auto stream = transport::Stream::connect(
        loop,
        {.kind = transport::Kind::unix_socket, .path = state_.device(name_, device) + "/br0.mgmt"},
        {});
    EXPECT_TRUE(stream);
    bool ready = false;
    openflow::ConnectionEvents heard;
    heard.ready = [&](const auto&) { ready = true; };
    auto& made = connections_.emplace_back(std::make_unique<openflow::Connection>(
        loop, std::move(*stream), openflow::Timing{.answer = 2s}, std::move(heard)));
    EXPECT_TRUE(loop.run_until([&] { return ready; }, 30s));
    return *made;
  }

  void install(std::uint32_t device) {
    bool installed = false;
    SwitchEvents events;
    events.installed = [&](const auto&) { installed = true; };
    events.error = [](const std::string& what) { ADD_FAILURE() << what; };
    OpenFlowSwitch one(connect_to(device), std::move(events));
    one.install(program(graph_, plan_, table(device), {}), true, ForeignRules::refuse);
    EXPECT_TRUE(loop.run_until([&] { return installed; }, 30s));
  }

  Flow flow(std::uint32_t from, std::uint32_t to) {
    const auto at = [&](std::uint32_t host) {
      return packet_socket(layout_.nodes[kSwitches + host].space, "eth0", kOurType);
    };
    return {at(from), at(to), forwarding::mac_of(plan_.of_host(from)),
            forwarding::mac_of(plan_.of_host(to))};
  }

  void send_on() {
    if (!running_) return;
    const auto now = transport::Clock::now();
    late_ = std::max(late_, std::chrono::floor<Milliseconds>(now - due_));
    for (; due_ <= now; due_ += 1ms) {
      for (Flow& one : flows_) one.send();
    }
    for (Flow& one : flows_) one.receive();
    loop.after(1ms, [this] { send_on(); });
  }

  test::TemporaryFolder folder_;
  testbed::StateFolder state_{folder_.file("state")};
  std::string name_ = "sc" + std::to_string(getpid());
  topology::Graph graph_ =
      *topology::build("complete", {{"switches", std::to_string(kSwitches)}, {"hosts", "1"}},
                       {megabits_per_second(100)});
  forwarding::AddressPlan plan_ = *forwarding::AddressPlan::make(graph_);
  std::vector<forwarding::Table> tables_ = make_tables(graph_, plan_);
  testbed::Layout layout_;
  std::vector<std::unique_ptr<openflow::Connection>> connections_;
  std::uint64_t generation_ = 0;
  UniqueFd tap_;
  std::uint64_t left_ = 0;
  std::vector<Flow> flows_;
  transport::Clock::time_point due_;
  Milliseconds late_{};
  bool running_ = false;
  pid_t silent_ = 0;
};

INSTANTIATE_TYPED_TEST_SUITE_P(OpenFlow, SteeringContract, TestedGroups);

}  // namespace
}  // namespace ebb::drivers::contract
