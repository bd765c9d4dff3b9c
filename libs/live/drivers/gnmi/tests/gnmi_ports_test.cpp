// SPDX-License-Identifier: Apache-2.0
//
// The driver against a target of ours, over real gRPC.
#include "ebb/gnmi/gnmi_ports.hpp"

#include "contract.hpp"
#include "memory_device.hpp"
#include "support/certificates.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/gnmi/openconfig.hpp"
#include "ebb/gnmi/target.hpp"

namespace ebb::drivers::contract {
namespace {

using gnmi::ClientOptions;
using gnmi::GnmiPorts;

template <gnmi::ValueForm kForm>
class TestedGnmiDriver : public TestedDriver {
 public:
  static std::string missing() { return ""; }

  ~TestedGnmiDriver() override { device_.be_silent(false); }

  std::shared_ptr<PortDriver> connect(PortEvents events) override {
    ClientOptions options{.form = kForm, .timeout = 3s};
    auto driver = GnmiPorts::open(exchange_, place_, options, std::move(events));
    EXPECT_TRUE(driver);
    return std::move(*driver);
  }
  void send(PortNumber port, int frames) override {
    const auto count = static_cast<std::uint64_t>(frames);
    device_.send(port, count, count * kFrameBytes);
  }
  void cut(PortNumber port) override { cable(port, false); }
  void mend(PortNumber port) override { cable(port, true); }
  void fall_silent() override { device_.be_silent(true); }
  std::optional<DataRate> rate_of(PortNumber port) override {
    return device_.interface(port).speed;
  }
  std::optional<std::uint16_t> pvid_of(PortNumber port) override {
    return device_.interface(port).access_vlan;
  }

 private:
  void cable(PortNumber port, bool whole) {
    device_.cable(port, whole);
    target_->changed();
  }

  test::TemporaryFolder folder_;
  transport::Address place_{.path = folder_.file("gnmi.sock")};
  gnmi::test::MemoryDevice device_{kPorts};
  std::unique_ptr<gnmi::Target> target_ = *gnmi::Target::open(device_, {.at = place_});
  gnmi::Exchange exchange_{loop};
};

using ProtoWorld = TestedGnmiDriver<gnmi::ValueForm::proto>;
using JsonWorld = TestedGnmiDriver<gnmi::ValueForm::json_ietf>;
INSTANTIATE_TYPED_TEST_SUITE_P(GnmiProto, PortContract, ProtoWorld);
INSTANTIATE_TYPED_TEST_SUITE_P(GnmiJson, PortContract, JsonWorld);

}  // namespace
}  // namespace ebb::drivers::contract

namespace ebb::gnmi {
namespace {

using namespace std::chrono_literals;
using drivers::PortStatus;

constexpr transport::Milliseconds kLong = 30s;
constexpr PortStatus kLive{false, true};

class GnmiPortsTest : public ::testing::Test {
 protected:
  void open_target(TargetOptions options = {}) {
    if (options.at.path.empty() && options.at.host.empty()) options.at = place_;
    auto target = Target::open(device_, options);
    ASSERT_TRUE(target) << to_string(target.error());
    target_ = std::move(*target);
  }
  std::unique_ptr<GnmiPorts> connect(const transport::Address& to, const ClientOptions& options) {
    auto driver =
        GnmiPorts::open(exchange_, to, options,
                        {.changed = [this](auto port, const auto& found) { seen_[port] = found; },
                         .counted = [this](auto) { ++counted_; },
                         .error = [this](const auto& what) { error_.push_back(what); }});
    EXPECT_TRUE(driver);
    return driver ? std::move(*driver) : nullptr;
  }
  // Why it was refused; empty: it was done.
  std::string set_port(GnmiPorts& driver, int port, bool up) {
    std::optional<std::string> answer;
    driver.set_port(port, up, [&](bool ok, const auto& why) { answer = ok ? "" : "no: " + why; });
    EXPECT_TRUE(loop_.run_until([&] { return answer.has_value(); }, kLong));
    return answer.value_or("no answer");
  }
  std::optional<std::map<forwarding::PortNumber, PortStatus>> find(GnmiPorts& driver) {
    std::optional<std::map<forwarding::PortNumber, PortStatus>> found;
    error_.clear();
    driver.find_ports([&](const auto& ports) { found = ports; });
    EXPECT_TRUE(loop_.run_until([&] { return found || !error_.empty(); }, kLong));
    return found;
  }

  transport::Loop loop_;
  ebb::test::TemporaryFolder folder_;
  transport::Address place_{.path = folder_.file("gnmi.sock")};
  test::MemoryDevice device_{2};
  std::unique_ptr<Target> target_;
  Exchange exchange_{loop_};
  std::map<forwarding::PortNumber, PortStatus> seen_;
  std::vector<std::string> error_;
  int counted_ = 0;
};

TEST_F(GnmiPortsTest, ModulesGoWithTheirPorts) {
  open_target();
  const auto driver = connect(place_, {.modules = module_of("p")});
  EXPECT_EQ(set_port(*driver, 1, false), "");
  EXPECT_FALSE(device_.interface(1).module_enabled);
  EXPECT_TRUE(device_.interface(2).module_enabled);
  EXPECT_EQ(set_port(*driver, 1, true), "");
  EXPECT_TRUE(device_.interface(1).module_enabled);
}

// The first order is with the target when the second is given, and when the lease is lost.
TEST_F(GnmiPortsTest, AnOrderThatWaitedIsNotSentWithoutTheLease) {
  open_target();
  bool leads = true;
  drivers::PortEvents events;
  events.leads = [&] { return leads; };
  const auto driver = *GnmiPorts::open(exchange_, place_, {}, events);
  std::vector<std::string> answers;
  const auto answer = [&](bool ok, const std::string& why) { answers.push_back(ok ? "ok" : why); };
  driver->set_port(1, false, answer);
  driver->set_port(2, false, answer);
  leads = false;
  ASSERT_TRUE(loop_.run_until([&] { return answers.size() == 2; }, kLong));
  EXPECT_EQ(answers, (std::vector<std::string>{"ok", drivers::kLeadsNoLonger}));
  EXPECT_FALSE(device_.interface(1).enabled);
  EXPECT_TRUE(device_.interface(2).enabled);
}

TEST_F(GnmiPortsTest, OrdersThatWaitAreBounded) {
  open_target();
  const auto driver = connect(place_, {});
  std::vector<std::string> refused;
  for (std::size_t i = 0; i < drivers::kMostOrders + 7; ++i)
    driver->set_port(1, true, [&](bool ok, const auto& why) {
      if (!ok) refused.push_back(why);
    });
  EXPECT_EQ(refused, std::vector<std::string>(7, drivers::kTooManyOrders));
}

TEST_F(GnmiPortsTest, BothOrNeither) {
  device_.modules_fail = true;
  open_target();
  const auto driver = connect(place_, {.modules = module_of("p")});
  EXPECT_EQ(set_port(*driver, 1, false), "no: the module does not apply");
  EXPECT_TRUE(device_.interface(1).enabled) << "the port was switched back on";
}

TEST_F(GnmiPortsTest, ATargetThatComesBackIsUsedAndHeardAgain) {
  open_target();
  const auto driver = connect(place_, {.heartbeat = 500ms});
  ASSERT_TRUE(find(*driver));
  target_.reset();
  EXPECT_NE(set_port(*driver, 1, false), "");
  EXPECT_TRUE(loop_.run_until([&] { return !error_.empty(); }, kLong));
  EXPECT_TRUE(device_.set_enabled("p2", false));
  open_target();
  EXPECT_TRUE(loop_.run_until([&] { return seen_.contains(2) && !seen_[2].oper_up; }, kLong))
      << "what changed meanwhile is told";
  EXPECT_EQ(set_port(*driver, 2, true), "");
  EXPECT_TRUE(loop_.run_until([&] { return seen_[2] == kLive; }, kLong));
}

TEST_F(GnmiPortsTest, AnAnswerThatIsTooLargeIsRefused) {
  open_target();
  const auto driver = connect(place_, {.largest_answer = 64});
  EXPECT_FALSE(find(*driver));
  EXPECT_NE(error_.at(0).find("larger than max"), std::string::npos) << error_[0];
}

TEST_F(GnmiPortsTest, ARequestThatIsTooLargeIsRefused) {
  open_target({.largest_request = 16});
  EXPECT_NE(set_port(*connect(place_, {}), 1, false).find("larger than max"), std::string::npos);
  EXPECT_TRUE(device_.interface(1).enabled);
}

TEST_F(GnmiPortsTest, SpeedsAreWholeMegabits) {
  open_target();
  const auto driver = connect(place_, {});
  std::optional<bool> answer;
  driver->set_rate(1, bits_per_second(1), [&](bool ok, const auto&) { answer = ok; });
  EXPECT_EQ(answer, false);
}

TEST_F(GnmiPortsTest, OtherMachinesMustBeAskedForAndComeByTls) {
  const transport::Address everyone{transport::Kind::tcp, "", "0.0.0.0", 0};
  EXPECT_FALSE(Target::open(device_, {.at = everyone}));
  EXPECT_FALSE(Target::open(device_, {.at = everyone, .other_machines = true}));
}

TEST_F(GnmiPortsTest, AnAddressIsTakenOnce) {
  open_target({.at = {transport::Kind::tcp, "", "127.0.0.1", 0}});
  EXPECT_FALSE(
      Target::open(device_, {.at = {transport::Kind::tcp, "", "127.0.0.1", target_->port()}}));
}

class GnmiTls : public GnmiPortsTest {
 protected:
  GnmiTls() {
    for (const char* who : {"target", "client"}) ours_.sign(who);
    for (const char* who : {"unknown", "impostor"}) theirs_.sign(who);
  }
  void open_tls_target(const transport::TlsFiles& files) {
    open_target({.at = {transport::Kind::tls, "", "127.0.0.1", 0}, .tls = files});
  }
  [[nodiscard]] transport::Address here() const {
    return {transport::Kind::tls, "", "127.0.0.1", target_->port()};
  }
  transport::TlsFiles files(const ebb::test::Certificates& of, const std::string& who,
                            const std::string& peer = "") {
    return {of.certificate(who), of.key(who), ours_.authority(), peer};
  }

  ebb::test::Certificates ours_{folder_, "authority"};
  ebb::test::Certificates theirs_{folder_, "other"};
};

TEST_F(GnmiTls, BothShowTheirCertificates) {
  open_tls_target(files(ours_, "target"));
  const auto driver = connect(here(), {.tls = files(ours_, "client", "target")});
  EXPECT_EQ(set_port(*driver, 1, false), "");
  EXPECT_FALSE(device_.interface(1).enabled);
}

TEST_F(GnmiTls, AClientOfAnotherAuthorityIsRefused) {
  open_tls_target(files(ours_, "target"));
  const auto driver = connect(here(), {.timeout = 3s, .tls = files(theirs_, "unknown", "target")});
  EXPECT_NE(set_port(*driver, 1, false), "");
  EXPECT_TRUE(device_.interface(1).enabled);
}

TEST_F(GnmiTls, ATargetOfAnotherAuthorityOrNameIsRefused) {
  open_tls_target(files(theirs_, "impostor"));
  const auto refused = connect(here(), {.timeout = 3s, .tls = files(ours_, "client", "impostor")});
  EXPECT_NE(set_port(*refused, 1, false), "");
  open_tls_target(files(ours_, "target"));
  const auto other = connect(here(), {.timeout = 3s, .tls = files(ours_, "client", "somebody")});
  EXPECT_NE(set_port(*other, 1, false), "");
  EXPECT_TRUE(device_.interface(1).enabled);
}

TEST_F(GnmiTls, ClientsWithoutTlsAreRefused) {
  open_tls_target(files(ours_, "target"));
  const transport::Address plain{transport::Kind::tcp, "", "127.0.0.1", target_->port()};
  EXPECT_NE(set_port(*connect(plain, {.timeout = 3s}), 1, false), "");
  EXPECT_TRUE(device_.interface(1).enabled);
}

TEST_F(GnmiTls, FilesThatDoNotFitAreNamed) {
  transport::TlsFiles bad = files(ours_, "target");
  bad.key = ours_.key("client");
  EXPECT_FALSE(
      Target::open(device_, {.at = {transport::Kind::tls, "", "127.0.0.1", 0}, .tls = bad}));
  EXPECT_FALSE(
      GnmiPorts::open(exchange_, {transport::Kind::tls, "", "127.0.0.1", 1}, {.tls = bad}, {}));
}

}  // namespace
}  // namespace ebb::gnmi
