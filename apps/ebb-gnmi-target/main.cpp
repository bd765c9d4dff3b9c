// SPDX-License-Identifier: Apache-2.0
//
// ebb-gnmi-target: serves the interfaces of the network namespace that it runs in by gNMI.
#include "shell_integration/program.hpp"

#include "ebb/core/process.hpp"
#include "ebb/gnmi/target.hpp"
#include "ebb/netlink/interfaces.hpp"
#include "ebb/testbed/fabric.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <thread>

namespace ebb::target {
namespace {

// A switch of a test fabric, whose power can be switched.
struct FabricSwitch {
  std::string fabric;
  std::size_t number = 0;
  testbed::StateFolder state;
};

// The interfaces of this network namespace as a device: what the kernel has no word for (the speed
// of a virtual cable, VLANs of a port, transceivers) is kept here and shown again. VLANs are passed
// on to Open vSwitch where its ports these are.
class KernelDevice final : public gnmi::Device {
 public:
  // `ovsdb`: where the database of the switch is, as unix:PATH; empty: none.
  KernelDevice(netlink::Netlink kernel, std::string ovsdb, std::optional<FabricSwitch> power)
      : kernel_(std::move(kernel)), ovsdb_(std::move(ovsdb)), power_(std::move(power)) {}

  Result<std::vector<gnmi::Interface>> look() override;
  Result<void> set_enabled(const std::string& interface, bool enabled) override;
  // Sends no faster, by a token bucket.
  Result<void> set_speed(const std::string& interface, DataRate speed) override;
  Result<void> set_access_vlan(const std::string& interface, std::uint16_t vlan) override;
  Result<void> set_module(const std::string& interface, bool enabled) override;
  // One, that is the switch, where it is one of a test fabric.
  std::vector<gnmi::Component> components() override;
  Result<void> set_power(const std::string& component, bool on) override;

 private:
  struct Kept {
    std::optional<DataRate> speed = {};
    std::uint16_t access_vlan = 1;
    bool module_enabled = true;
  };

  netlink::Netlink kernel_;
  std::string ovsdb_;
  std::optional<FabricSwitch> power_;
  std::map<std::string, Kept> kept_;
};

Result<std::vector<gnmi::Interface>> KernelDevice::look() {
  const auto interfaces = netlink::read_interfaces(kernel_);
  if (!interfaces) return fail(interfaces.error());
  std::vector<gnmi::Interface> found;
  for (const netlink::Interface& one : *interfaces) {
    if (one.loopback) continue;
    const Kept& kept = kept_[one.name];
    found.push_back({.name = one.name,
                     .enabled = one.up,
                     .running = one.up && one.running,
                     .in_octets = one.received_bytes,
                     .out_octets = one.sent_bytes,
                     .out_pkts = one.sent_packets,
                     .speed = kept.speed,
                     .access_vlan = kept.access_vlan,
                     .module_enabled = kept.module_enabled});
  }
  return found;
}

Result<void> KernelDevice::set_enabled(const std::string& interface, bool enabled) {
  return netlink::set_up(kernel_, interface, enabled);
}

Result<void> KernelDevice::set_speed(const std::string& interface, DataRate speed) {
  if (auto done = testbed::set_rate_here(interface, speed); !done) return done;
  kept_[interface].speed = speed;
  return {};
}

Result<void> KernelDevice::set_access_vlan(const std::string& interface, std::uint16_t vlan) {
  if (!ovsdb_.empty()) {
    const auto done = run_program({"ovs-vsctl", "--db=" + ovsdb_, "--timeout=5", "set", "port",
                                   interface, fmt::format("tag={}", vlan)});
    if (!done) return fail(done.error());
    if (done->exit_code != 0) return fail(done->stderr_text);
  }
  kept_[interface].access_vlan = vlan;
  return {};
}

Result<void> KernelDevice::set_module(const std::string& interface, bool enabled) {
  kept_[interface].module_enabled = enabled;
  return {};
}

std::vector<gnmi::Component> KernelDevice::components() {
  if (!power_) return {};
  return {{"switch", testbed::has_power(power_->fabric, power_->state, power_->number)}};
}

Result<void> KernelDevice::set_power(const std::string& /*component*/, bool on) {
  return testbed::set_power(power_->fabric, power_->state, power_->number, on);
}

// ---- the program

struct Options {
  std::string listen;
  std::string pid_file;
  std::string ovsdb;
  FabricSwitch power;  // no fabric: none
  bool detach = false;
  gnmi::TargetOptions target;
};

// Codes as those of ebb: 2 bad usage, 3 the outside world failed.
constexpr int kRefused = 2;
constexpr int kFailed = 3;

int print_errors(const Errors& errors, int code) {
  for (const Error& error : errors) fmt::print(stderr, "{}\n", to_string(error));
  return code;
}

// Before any thread is started: all of them leave these signals to whoever waits for them.
sigset_t block_ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  return ends;
}

int serve(const Options& options, const std::optional<Daemon>& daemon) {
  const sigset_t ends = block_ends();
  auto kernel = netlink::Netlink::open();
  auto changes = netlink::open_for_changes();
  if (!kernel || !changes) return print_errors((kernel ? changes : kernel).error(), kFailed);
  KernelDevice device(std::move(*kernel), options.ovsdb,
                      options.power.fabric.empty() ? std::nullopt : std::optional(options.power));
  const auto target = gnmi::Target::open(device, options.target);
  if (!target) return print_errors(target.error(), kFailed);
  std::optional<PidFile> pid_file;
  if (!options.pid_file.empty()) {
    auto written = PidFile::write(options.pid_file);
    if (!written) return print_errors(written.error(), kFailed);
    pid_file.emplace(std::move(*written));
  }
  if (!options.detach && options.target.at.kind != transport::Kind::unix_socket)
    fmt::print("listens at port {}\n", (*target)->port());
  std::fflush(stdout);
  if (daemon) daemon->ready();
  // It waits in the kernel until the process ends.
  std::thread([&target, changes = std::move(*changes)]() mutable {
    while (changes.wait_for_change()) (*target)->changed();
  }).detach();
  int signal = 0;
  sigwait(&ends, &signal);
  pid_file.reset();
  std::_Exit(0);  // with threads that nobody waits for; nothing is kept
}

int run(Options options) {
  const auto address = transport::parse_address(options.listen);
  if (!address) return print_errors(address.error(), kRefused);
  options.target.at = *address;
  umask(S_IRWXG | S_IRWXO);  // a socket is for its owner alone
  if (!options.detach) return serve(options, std::nullopt);
  const auto daemon = Daemon::enter();
  if (!daemon) return print_errors(daemon.error(), kFailed);
  return serve(options, *daemon);
}

}  // namespace
}  // namespace ebb::target

int main(int argc, char** argv) {
  CLI::App app("ebb-gnmi-target: the interfaces of this network namespace by gNMI (OpenConfig)",
               "ebb-gnmi-target");
  ebb::target::Options options;
  app.add_option("--listen", options.listen,
                 "unix:/PATH, tcp:127.0.0.1:PORT or tls:ADDRESS:PORT; port 0: any, printed")
      ->type_name("ADDRESS")
      ->required();
  app.add_option("--certificate", options.target.tls.certificate, "Ours (PEM), for tls")
      ->type_name("FILE");
  app.add_option("--key", options.target.tls.key, "Of the certificate (PEM)")->type_name("FILE");
  app.add_option("--authority", options.target.tls.authority,
                 "Who signs the certificates that clients must show (PEM)")
      ->type_name("FILE");
  app.add_flag("--other-machines", options.target.other_machines,
               "Listen where other machines can connect; only with tls");
  app.add_option("--ovsdb", options.ovsdb,
                 "The database of an Open vSwitch whose ports these are, as unix:/PATH: it gets "
                 "VLANs of ports");
  auto* const fabric =
      app.add_option("--fabric", options.power.fabric,
                     "A test fabric: its switch is the component 'switch', which has power or not")
          ->type_name("NAME");
  app.add_option("--switch", options.power.number, "The number of that switch")->needs(fabric);
  app.add_option("--state", options.power.state.path, "Folder of fabrics")
      ->type_name("FOLDER")
      ->needs(fabric);
  app.add_option("--pidfile", options.pid_file, "Write the process id there")->type_name("FILE");
  app.add_flag("--detach", options.detach, "Go on in the background once it is ready");
  if (const auto code = ebb::shell::parse(app, EBB_VERSION, argc, argv)) return *code;
  return ebb::target::run(std::move(options));
}
