// SPDX-License-Identifier: Apache-2.0
//
// Gives one order to a gNMI target, for tests: ADDRESS rate|pvid|port PORT MBPS|VLAN|up|down.
#include "ebb/gnmi/gnmi_ports.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string>

int main(int argc, char** argv) {
  using namespace ebb;
  if (argc != 5) return 2;
  const std::string what = argv[2];
  const std::string value = argv[4];
  const auto port = static_cast<forwarding::PortNumber>(std::atoi(argv[3]));
  transport::Loop loop;
  gnmi::Exchange exchange(loop);
  const auto address = transport::parse_address(argv[1]);
  if (!address) return 2;
  const auto driver = gnmi::GnmiPorts::open(exchange, *address, {}, {});
  std::optional<bool> answer;
  const auto done = [&](bool ok, const std::string& why) {
    if (!ok) fmt::print(stderr, "{}\n", why);
    answer = ok;
  };
  if (what == "rate") (*driver)->set_rate(port, megabits_per_second(std::atoi(argv[4])), done);
  if (what == "pvid")
    (*driver)->set_pvid(port, static_cast<std::uint16_t>(std::atoi(argv[4])), done);
  if (what == "port") (*driver)->set_port(port, value == "up", done);
  loop.run_until([&] { return answer.has_value(); }, std::chrono::seconds(20));
  return answer.value_or(false) ? 0 : 1;
}
