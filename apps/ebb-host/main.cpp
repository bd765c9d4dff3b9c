// SPDX-License-Identifier: Apache-2.0
//
// ebb-host INTERFACE: asks the switch for the address of this host and takes it.
#include "shell_integration/program.hpp"

#include "ebb/core/result.hpp"
#include "ebb/forwarding/dmp_frame.hpp"
#include "ebb/host/interface.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <string>

namespace ebb::host {
namespace {

struct Options {
  std::string interface;
  int tries = 50;
  int wait_ms = 200;
  bool only_print = false;
  bool ip = false;
};

// Codes as those of ebb: 2 bad usage, 3 the outside world failed.
constexpr int kFailed = 3;

int refuse(const Errors& errors) {
  for (const Error& error : errors) fmt::print(stderr, "error: {}\n", error.message);
  return kFailed;
}

std::string text(const dmp::MacBytes& mac) { return fmt::format("{:02x}", fmt::join(mac, ":")); }

int take(const Options& options, const Interface& interface, const dmp::MacBytes& mac) {
  const auto ip = dmp::ip_of(mac);
  if (!options.only_print) {
    if (const auto set = interface.set_mac(mac); !set) return refuse(set.error());
    if (options.ip) {
      if (const auto set = interface.set_ip(ip); !set) return refuse(set.error());
    }
  }
  fmt::print("{} {} {}\n", options.interface, text(mac), fmt::join(ip, "."));
  return 0;
}

int run(const Options& options) {
  const auto interface = Interface::open(options.interface);
  if (!interface) return refuse(interface.error());
  const auto mac =
      request_address(*interface, {options.tries, std::chrono::milliseconds(options.wait_ms)});
  if (mac) return take(options, *interface, *mac);
  Errors errors = mac.error();
  for (Error& error : errors) error.message = options.interface + ": " + error.message;
  return refuse(errors);
}

}  // namespace
}  // namespace ebb::host

int main(int argc, char** argv) {
  CLI::App app("ebb-host: asks the switch where this host is, and takes the address that says so",
               "ebb-host");
  ebb::host::Options options;
  app.add_option("interface", options.interface, "As eth0")->type_name("INTERFACE")->required();
  app.add_option("--tries", options.tries, "Requests before it gives up")
      ->check(CLI::Range(1, 100000));
  app.add_option("--wait-ms", options.wait_ms, "For an answer to each")
      ->check(CLI::Range(1, 60000));
  app.add_flag("--ip", options.ip, "Take the IP address 10.x.y.z that belongs to it as well");
  app.add_flag("--print", options.only_print, "Print the address and change nothing");
  if (const auto code = ebb::shell::parse(app, EBB_VERSION, argc, argv)) return *code;
  return ebb::host::run(options);
}
