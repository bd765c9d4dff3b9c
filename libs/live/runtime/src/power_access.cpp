// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/power_access.hpp"

#include "device_access.hpp"

#include "ebb/snmp/outlets.hpp"
#include "ebb/testbed/fabric.hpp"

#ifdef EBB_HAVE_GNMI
#include "ebb/gnmi/gnmi_power.hpp"
#endif

#include <atomic>
#include <filesystem>
#include <list>
#include <map>
#include <thread>
#include <utility>

namespace ebb::runtime {
namespace {

class TestbedPower final : public drivers::PowerDriver {
 public:
  TestbedPower(transport::Loop& loop, std::string fabric, testbed::StateFolder state,
               std::uint32_t switches)
      : loop_(loop), fabric_(std::move(fabric)), state_(std::move(state)), switches_(switches) {}
  TestbedPower(const TestbedPower&) = delete;
  TestbedPower& operator=(const TestbedPower&) = delete;
  ~TestbedPower() override {
    for (Change& one : changes_) one.thread.join();
  }

  void set_power(std::uint32_t device, bool on, const Done& done) override {
    if (device >= switches_) return later([done] { done(false, drivers::kNoOutlet); });
    forget_ended();
    Change& change = changes_.emplace_back();
    change.thread = std::thread([=, this, &change] {
      const auto set = testbed::set_power(fabric_, state_, device, on);
      later(
          [done, ok = set.has_value(), why = set ? "" : to_string(set.error())] { done(ok, why); });
      change.ended = true;
    });
  }

  void read_power(std::uint32_t device, const Found& found) override {
    later([=, this] {
      if (device >= switches_) return found(std::nullopt, drivers::kNoOutlet);
      found(testbed::has_power(fabric_, state_, device), "");
    });
  }

 private:
  struct Change {
    std::thread thread;
    std::atomic<bool> ended = false;
  };

  void forget_ended() {
    changes_.remove_if([](Change& one) {
      const bool ended = one.ended;
      if (ended) one.thread.join();
      return ended;
    });
  }
  void later(std::function<void()> what) {
    loop_.post([what = std::move(what), here = std::weak_ptr(here_)] {
      if (!here.expired()) what();
    });
  }

  transport::Loop& loop_;
  std::string fabric_;
  testbed::StateFolder state_;
  std::uint32_t switches_;
  std::list<Change> changes_;  // the fabric's lock lets one at a time proceed
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
};

}  // namespace

drivers::PowerOn testbed_power(std::string fabric, testbed::StateFolder state,
                               std::uint32_t switches) {
  return [fabric = std::move(fabric), state = std::move(state),
          switches](transport::Loop& loop) -> std::unique_ptr<drivers::PowerDriver> {
    return std::make_unique<TestbedPower>(loop, fabric, state, switches);
  };
}

namespace {

Result<drivers::PowerOn> power_by_snmp(const fabric_config::SwitchPowerSpec& spec, bool insecure) {
  const auto who = who_we_are(*spec.snmp);
  if (!who) return fail(who.error());
  std::map<std::uint32_t, snmp::Outlet> outlets;
  for (const auto& [device, outlet] : spec.outlets) {
    if (!spec.snmp->community_file.empty() && !insecure && !is_local_agent(outlet.address))
      return fail(outlet.address + kCommunityInClear);
    outlets[device] = {
        {.address = outlet.address, .who = *who}, outlet.object, outlet.on, outlet.off};
  }
  return snmp::outlets_on(std::move(outlets));
}

#ifdef EBB_HAVE_GNMI

Result<drivers::PowerOn> power_by_gnmi(const fabric_config::SwitchPowerSpec& spec, bool insecure) {
  std::map<std::uint32_t, gnmi::PoweredComponent> components;
  for (const auto& [device, outlet] : spec.outlets) {
    const auto target = transport::parse_address(outlet.address);
    if (!target) return fail(target.error());
    if (target->kind == transport::Kind::tcp && !transport::is_local(*target) && !insecure)
      return fail(outlet.address + kPlain);
    components[device] = {*target, outlet.component};
  }
  const fabric_config::GnmiAccess access = spec.gnmi.value_or(fabric_config::GnmiAccess{});
  return gnmi::components_on(
      std::move(components),
      {.form = access.json_ietf ? gnmi::ValueForm::json_ietf : gnmi::ValueForm::proto,
       .tls = {access.certificate, access.key, access.authority, ""}});
}

#else

Result<drivers::PowerOn> power_by_gnmi(const fabric_config::SwitchPowerSpec& /*spec*/,
                                       bool /*insecure*/) {
  return fail(
      "this ebb was built without gNMI: it needs libgrpc++-dev, protobuf-compiler and "
      "protobuf-compiler-grpc");
}

#endif

Result<drivers::PowerOn> power_by_daemons(const fabric_config::FabricFile& file,
                                          const testbed::StateFolder& state) {
  if (!std::filesystem::exists(state.manifest(file.name)))
    return fail("driver: testbed switches the switches of `ebb fabric up`; there are none");
  return testbed_power(file.name, state, file.graph.switch_count());
}

}  // namespace

Result<PowerAccess> power_access(const fabric_config::FabricFile& file,
                                 const testbed::StateFolder& state, bool insecure) {
  if (!file.switch_power) return PowerAccess{};
  const fabric_config::SwitchPowerSpec& spec = *file.switch_power;
  PowerAccess access{.limits = {.devices = {},
                                .start_limit = spec.start_limit,
                                .by_policy = spec.by_policy,
                                .min_off_time = spec.min_off_time,
                                .min_use_time = spec.min_use_time}};
  for (const auto& [device, outlet] : spec.outlets) access.limits.devices.insert(device);
  for (std::uint32_t s = 0; spec.driver == "testbed" && s < file.graph.switch_count(); ++s)
    access.limits.devices.insert(s);
  auto make = spec.driver == "snmp"   ? power_by_snmp(spec, insecure)
              : spec.driver == "gnmi" ? power_by_gnmi(spec, insecure)
                                      : power_by_daemons(file, state);
  if (!make) {
    Errors errors = make.error();
    for (Error& error : errors) {
      if (error.where.file.empty()) error.where = {file.path, spec.line};
    }
    return fail(std::move(errors));
  }
  access.make = std::move(*make);
  return access;
}

}  // namespace ebb::runtime
