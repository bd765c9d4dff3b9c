// SPDX-License-Identifier: Apache-2.0
//
// The driver of power against a target of ours, over real gRPC: two line cards of one chassis.
#include "ebb/gnmi/gnmi_power.hpp"

#include "memory_device.hpp"
#include "power_contract.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/gnmi/target.hpp"

namespace ebb::drivers::contract {
namespace {

using namespace std::chrono_literals;

template <gnmi::ValueForm kForm>
class TestedComponents final : public TestedPower {
 public:
  static std::string missing() { return ""; }
  ~TestedComponents() override { device_.be_silent(false); }

  std::unique_ptr<PowerDriver> connect() override {
    const auto made = gnmi::components_on({{0, {place_, "card1"}}, {1, {place_, "card2"}}},
                                          {.form = kForm, .timeout = 1s});
    EXPECT_TRUE(made);
    return (*made)(loop);
  }
  bool is_on(std::uint32_t device) override { return device_.components()[device].has_power; }
  bool fall_silent() override {
    device_.be_silent(true);
    return true;
  }

 private:
  test::TemporaryFolder folder_;
  transport::Address place_{.path = folder_.file("gnmi.sock")};
  gnmi::test::MemoryDevice device_{1};
  std::unique_ptr<gnmi::Target> target_ = *gnmi::Target::open(device_, {.at = place_});
};

using ProtoComponents = TestedComponents<gnmi::ValueForm::proto>;
using JsonComponents = TestedComponents<gnmi::ValueForm::json_ietf>;
INSTANTIATE_TYPED_TEST_SUITE_P(GnmiProto, PowerContract, ProtoComponents);
INSTANTIATE_TYPED_TEST_SUITE_P(GnmiJson, PowerContract, JsonComponents);

TEST(GnmiPower, AComponentThatThereIsNotIsRefusedInWords) {
  test::TemporaryFolder folder;
  const transport::Address place{.path = folder.file("gnmi.sock")};
  gnmi::test::MemoryDevice device(1);
  const auto target = *gnmi::Target::open(device, {.at = place});
  transport::Loop loop;
  const auto driver = (*gnmi::components_on({{0, {place, "card9"}}}, {}))(loop);
  std::optional<std::string> answer;
  driver->set_power(0, false, [&](bool ok, const std::string& why) { answer = ok ? "" : why; });
  EXPECT_TRUE(loop.run_until([&] { return answer.has_value(); }, 10s));
  EXPECT_NE(answer.value_or("").find("there is no 'card9'"), std::string::npos);
}

}  // namespace
}  // namespace ebb::drivers::contract
