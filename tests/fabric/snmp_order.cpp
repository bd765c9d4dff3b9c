// SPDX-License-Identifier: Apache-2.0
//
// One order to a switch of a fabric by the SNMP driver: ADDRESS rate|pvid PORT VALUE. Says why not,
// and ends with 1, when it was refused.
#include "ebb/snmp/ports.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

int main(int argc, char** argv) {
  using namespace std::chrono_literals;
  if (argc != 5) return 2;
  ebb::transport::Loop loop;
  ebb::drivers::PortEvents events;
  events.error = [&](const std::string& what) {
    fmt::print(stderr, "{}\n", what);
    loop.stop();
  };
  ebb::snmp::Ports ports(loop, {argv[1], ebb::snmp::Community{"ebb"}, 2s, 3}, events);
  std::optional<bool> done;
  const auto answered = [&](bool ok, const std::string& why) {
    if (!ok) fmt::print(stderr, "{}\n", why);
    done = ok;
    loop.stop();
  };
  const auto port = static_cast<ebb::forwarding::PortNumber>(std::atoi(argv[3]));
  ports.find_ports([&](const auto&) {
    if (std::string(argv[2]) == "rate") {
      ports.set_rate(port, ebb::parse<ebb::DataRate>(argv[4]).value(), answered);
    } else {
      ports.set_pvid(port, static_cast<std::uint16_t>(std::atoi(argv[4])), answered);
    }
  });
  loop.run();
  return done.value_or(false) ? 0 : 1;
}
