// SPDX-License-Identifier: Apache-2.0
//
// Against a real snmpd on real interfaces, in namespaces of its own: needs no privileges where
// users may make them.
#ifdef EBB_HAVE_SNMP
#include "ebb/snmp/ports.hpp"

#include "../../tests/contract.hpp"
#include "../../tests/power_contract.hpp"
#include "support/listens.hpp"
#include "support/open_vswitch.hpp"

#include "ebb/core/process.hpp"
#include "ebb/snmp/outlets.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Net-SNMP 5.9 loses 104 bytes of a request that it cannot send again: it takes the request off its
// list without freeing it. The leak sanitizer asks for this function.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions();
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:snmp_sess_async_send\n"; }

namespace ebb::drivers::contract {
namespace {

bool works(const std::string& command) {
  return std::system(("PATH=$PATH:/usr/sbin:/sbin; (" + command + ") >/dev/null 2>&1").c_str()) ==
         0;
}

constexpr const char* kUdp = "udp:127.0.0.1:1161";  // of a network namespace of its own

// Port 1 is one end of a virtual cable whose other end is q1, and so on.
class TestedSnmpDriver : public TestedDriver {
 public:
  static std::string missing() {
    if (!works("command -v snmpd && command -v ip && command -v python3"))
      return "no snmpd, ip or python3";
    return works("unshare -Urn ip link add p1 type veth peer name q1") ? ""
                                                                       : "no namespaces for users";
  }

  explicit TestedSnmpDriver(snmp::Agent agent = {{}, snmp::Community{"secret"}, 1s, 1})
      : agent_(std::move(agent)) {
    if (agent_.address.empty()) agent_.address = "unix:" + folder_.file("snmp.sock");
    std::ofstream(folder_.file("snmpd.conf"))
        << "com2secunix reader default secret\ncom2sec reader 127.0.0.1 secret\ngroup all v2c "
           "reader\ngroup all usm ebb\n"
        << "view all included .1\naccess all \"\" any noauth exact all all none\n"
        << "createUser ebb SHA-256 \"a long secret\" AES \"another secret\"\n";
    machine_ = std::make_unique<test::ChildProcess>(std::vector<std::string>{
        "unshare", "-Urn", "sh", "-c",
        fmt::format("PATH=$PATH:/usr/sbin:/sbin; echo $$ >{0}pid; ip link set lo up; "
                    "for i in 1 2 3; do ip link add p$i type veth peer name q$i; "
                    "ip link set p$i up; ip link set q$i up; done; "
                    "MIBS= SNMP_PERSISTENT_DIR={0} exec snmpd -f -C -c {0}snmpd.conf -Lf /dev/null "
                    "-x {0}agentx.sock {1} unix:{0}snmp.sock",
                    folder_.file(""), kUdp)});
    for (int i = 0; i < 2000 && !test::listens(folder_.file("snmp.sock")); ++i)
      std::this_thread::sleep_for(10ms);
  }

  std::shared_ptr<PortDriver> connect(PortEvents events) override {
    return std::make_shared<snmp::Ports>(loop, agent_, std::move(events));
  }
  void send(PortNumber port, int frames) override {
    inside(
        fmt::format("python3 -c 'import socket; s = socket.socket(socket.AF_PACKET, "
                    "socket.SOCK_RAW); s.bind((\"p{}\", 0)); "
                    "[s.send(bytes(12) + bytes([255] * 2) + bytes({})) for i in range({})]'",
                    port, kFrameBytes, frames));
  }
  void cut(PortNumber port) override { inside(fmt::format("ip link set q{} down", port)); }
  void mend(PortNumber port) override { inside(fmt::format("ip link set q{} up", port)); }
  void fall_silent() override { machine_->pause(); }

  [[nodiscard]] const snmp::Agent& agent() const { return agent_; }
  [[nodiscard]] bool succeeds_inside(const std::string& command) const {
    return works(fmt::format("nsenter -t $(cat {}) -U -n --preserve-credentials sh -c '{}'",
                             folder_.file("pid"), command));
  }

 protected:
  [[nodiscard]] std::string network() const {
    std::string pid;
    std::ifstream(folder_.file("pid")) >> pid;
    return fmt::format("/proc/{}/ns/net", pid);
  }

 private:
  void inside(const std::string& command) {
    EXPECT_TRUE(works(fmt::format("nsenter -t $(cat {}) -U -n --preserve-credentials {}",
                                  folder_.file("pid"), command)))
        << command;
  }

  test::TemporaryFolder folder_;
  snmp::Agent agent_;
  std::unique_ptr<test::ChildProcess> machine_;
};

class SnmpUserWorld final : public TestedSnmpDriver {
 public:
  SnmpUserWorld()
      : TestedSnmpDriver({{}, snmp::User{"ebb", "a long secret", "another secret", true}, 1s, 1}) {}
};

// This thread is in the network of the agent as long as the tested stands: sockets are made where
// it is.
class SnmpUdpWorld final : public TestedSnmpDriver {
 public:
  static std::string missing() {
    return geteuid() == 0 ? TestedSnmpDriver::missing()
                          : "not root: no way into the agent's network";
  }
  SnmpUdpWorld()
      : TestedSnmpDriver(
            {kUdp, snmp::User{"ebb", "a long secret", "another secret", true}, 1s, 1}) {
    enter(network());
  }
  ~SnmpUdpWorld() override { setns(home_.number(), CLONE_NEWNET); }

 private:
  static UniqueFd network_at(const std::string& path) {
    return UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  static void enter(const std::string& path) {
    EXPECT_EQ(setns(network_at(path).number(), CLONE_NEWNET), 0) << path;
  }

  UniqueFd home_ = network_at("/proc/thread-self/ns/net");
};

INSTANTIATE_TYPED_TEST_SUITE_P(SnmpUdp, PortContract, SnmpUdpWorld);
INSTANTIATE_TYPED_TEST_SUITE_P(Snmp2c, PortContract, TestedSnmpDriver);
INSTANTIATE_TYPED_TEST_SUITE_P(Snmp3, PortContract, SnmpUserWorld);

// Two objects of a real agent that take 1 and 2, as outlets do: the ifAdminStatus of two
// interfaces.
class TestedOutlets final : public TestedPower {
 public:
  static std::string missing() { return TestedSnmpDriver::missing(); }

  TestedOutlets() {
    snmp::Session session(loop, machine_.agent());
    bool set = false;  // answers are to be of now
    session.set({{snmp::objects::kInterfaceCacheSeconds, std::int64_t{0}}},
                [&](const snmp::Reply&) { set = true; });
    EXPECT_TRUE(loop.run_until([&] { return set; }, kLong));
    bool read = false;
    snmp::read_table(session, {snmp::objects::kName}, [&](const auto& names) {
      read = true;
      if (!names) return;
      for (const auto& [index, row] : *names) {
        if (row[0] == snmp::Value(std::string("p1"))) indices_[0] = index;
        if (row[0] == snmp::Value(std::string("p2"))) indices_[1] = index;
      }
    });
    EXPECT_TRUE(loop.run_until([&] { return read; }, kLong));
  }

  std::unique_ptr<PowerDriver> connect() override {
    std::map<std::uint32_t, snmp::Outlet> outlets;
    for (const auto& [device, index] : indices_)
      outlets[device] = {machine_.agent(), snmp::below(snmp::objects::kAdminStatus, index), 1, 2};
    return (*snmp::outlets_on(std::move(outlets)))(loop);
  }
  bool is_on(std::uint32_t device) override {
    return machine_.succeeds_inside(
        fmt::format("ip link show p{} | grep -q \"[<,]UP\"", device + 1));
  }
  bool fall_silent() override {
    machine_.fall_silent();
    return true;
  }

 private:
  TestedSnmpDriver machine_;
  std::map<std::uint32_t, snmp::Oid> indices_;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Snmp2c, PowerContract, TestedOutlets);

TEST(SnmpPorts, AWrongPassphraseIsNoAnswer) {
  if (!TestedSnmpDriver::missing().empty()) GTEST_SKIP() << TestedSnmpDriver::missing();
  TestedSnmpDriver tested(
      {{}, snmp::User{"ebb", "a long secret", "a wrong secret", true}, 300ms, 0});
  std::vector<std::string> error;
  PortEvents events;
  events.error = [&](const std::string& what) { error.push_back(what); };
  const auto driver = tested.connect(events);
  driver->find_ports([](const auto&) { ADD_FAILURE() << "it was let in"; });
  EXPECT_TRUE(tested.loop.run_until([&] { return !error.empty(); }, kLong));
}

// The first order is with the agent when the second is given, and when the lease is lost.
TEST(SnmpPorts, AnOrderThatWaitedIsNotSentWithoutTheLease) {
  if (!TestedSnmpDriver::missing().empty()) GTEST_SKIP() << TestedSnmpDriver::missing();
  TestedSnmpDriver tested;
  bool leads = true;
  PortEvents events;
  events.leads = [&] { return leads; };
  const auto driver = tested.connect(events);
  std::map<PortNumber, PortStatus> found;
  driver->find_ports([&](const auto& ports) { found = ports; });
  ASSERT_TRUE(tested.loop.run_until([&] { return !found.empty(); }, kLong));
  std::vector<std::string> answers;
  const auto answer = [&](bool ok, const std::string& why) { answers.push_back(ok ? "ok" : why); };
  driver->set_port(1, false, answer);
  driver->set_port(2, false, answer);
  driver->set_port(3, false, answer);
  leads = false;
  ASSERT_TRUE(tested.loop.run_until([&] { return answers.size() == 3; }, kLong));
  EXPECT_EQ(answers, (std::vector<std::string>{"ok", kLeadsNoLonger, kLeadsNoLonger}));
  found.clear();
  driver->find_ports([&](const auto& ports) { found = ports; });
  ASSERT_TRUE(tested.loop.run_until([&] { return !found.empty(); }, kLong));
  EXPECT_TRUE(found[1].admin_down);
  EXPECT_FALSE(found[2].admin_down);
}

TEST(SnmpPorts, OrdersThatWaitAreBounded) {
  if (!TestedSnmpDriver::missing().empty()) GTEST_SKIP() << TestedSnmpDriver::missing();
  TestedSnmpDriver tested;
  const auto driver = tested.connect({});
  bool found = false;
  driver->find_ports([&](const auto&) { found = true; });
  ASSERT_TRUE(tested.loop.run_until([&] { return found; }, kLong));
  std::vector<std::string> refused;
  for (std::size_t i = 0; i < kMostOrders + 7; ++i)
    driver->set_port(1, true, [&](bool ok, const auto& why) {
      if (!ok) refused.push_back(why);
    });
  EXPECT_EQ(refused, std::vector<std::string>(7, kTooManyOrders));
}

// An agent that takes a request, never answers, and then does not take it when it is sent again.
TEST(SnmpSession, ARequestThatCannotBeSentAgainIsAnsweredOnce) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("snmp.sock");
  const UniqueFd agent(socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{.sun_family = AF_UNIX};
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(agent.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(agent.number(), 1), 0);
  transport::Loop loop;
  snmp::Session session(loop, {"unix:" + path, snmp::Community{"x"}, 100ms, 3});
  int answers = 0;
  session.set({{{1, 3, 6, 1}, std::int64_t{1}}}, [&](const snmp::Reply& answer) {
    EXPECT_FALSE(answer);
    ++answers;
  });
  const UniqueFd peer(accept(agent.number(), nullptr, nullptr));
  shutdown(peer.number(), SHUT_RD);
  EXPECT_TRUE(loop.run_until([&] { return answers > 0; }, kLong));
  loop.run_until([] { return false; }, 1000ms);
  EXPECT_EQ(answers, 1);
}

TEST(SnmpPorts, WhereNobodyListensIsSaid) {
  transport::Loop loop;
  std::vector<std::string> error;
  PortEvents events;
  events.error = [&](const std::string& what) { error.push_back(what); };
  snmp::Ports driver(loop, {"unix:/nowhere/snmp.sock", snmp::Community{"x"}, 300ms, 0}, events);
  driver.find_ports([](const auto&) { ADD_FAILURE() << "nobody answered"; });
  ASSERT_TRUE(loop.run_until([&] { return !error.empty(); }, kLong));
  EXPECT_NE(error[0].find("/nowhere/snmp.sock"), std::string::npos) << error[0];
}

}  // namespace
}  // namespace ebb::drivers::contract

#endif
