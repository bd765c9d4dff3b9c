// SPDX-License-Identifier: Apache-2.0
//
// ebb-host INTERFACE: asks the switch for the address of this host and takes it.
#include "interface.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <random>
#include <string>

namespace ebb::host {
namespace {

using Clock = std::chrono::steady_clock;

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

// Frames that answer others may come in between.
std::optional<dmp::MacBytes> wait_for_answer(const Interface& interface, std::uint64_t nonce,
                                             std::chrono::milliseconds time) {
  const auto end = Clock::now() + time;
  for (auto left = time; left.count() > 0;
       left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now())) {
    const auto frame = interface.receive(left);
    if (!frame) return std::nullopt;
    if (const auto mac = dmp::read_answer(*frame, interface.mac(), nonce)) return *mac;
  }
  return std::nullopt;
}

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
  std::random_device entropy;
  const std::uint64_t nonce = (std::uint64_t{entropy()} << 32U) | entropy();
  for (int attempt = 0; attempt < options.tries; ++attempt) {
    const auto sent = interface->send(dmp::request(interface->mac(), nonce));
    if (!sent) return refuse(sent.error());
    const auto mac = wait_for_answer(*interface, nonce, std::chrono::milliseconds(options.wait_ms));
    if (mac) return take(options, *interface, *mac);
  }
  fmt::print(stderr, "error: {}: no switch answered {} requests\n", options.interface,
             options.tries);
  return kFailed;
}

}  // namespace
}  // namespace ebb::host

int main(int argc, char** argv) {
  CLI::App app("ebb-host: asks the switch where this host is, and takes the address that says so");
  app.set_version_flag("--version", "ebb-host " EBB_VERSION);
  ebb::host::Options options;
  app.add_option("interface", options.interface, "As eth0")->required();
  app.add_option("--tries", options.tries, "Requests before it gives up")
      ->check(CLI::Range(1, 100000));
  app.add_option("--wait-ms", options.wait_ms, "For an answer to each")
      ->check(CLI::Range(1, 60000));
  app.add_flag("--ip", options.ip, "Take the IP address 10.x.y.z that belongs to it as well");
  app.add_flag("--print", options.only_print, "Print the address and change nothing");
  CLI11_PARSE(app, argc, argv);
  return ebb::host::run(options);
}
