// SPDX-License-Identifier: Apache-2.0
#include "interfaces.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace ebb::testbed {
namespace {

ifreq request_about(const std::string& port) {
  ifreq request{};
  port.copy(request.ifr_name, IFNAMSIZ - 1);
  return request;
}

void put_ipv4(sockaddr& target, std::uint32_t ipv4) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(ipv4);
  std::memcpy(&target, &address, sizeof address);
}

void put_mac(sockaddr& target, std::uint64_t mac) {
  constexpr int kOctets = 6;
  target.sa_family = ARPHRD_ETHER;
  for (int octet = 0; octet < kOctets; ++octet)
    target.sa_data[octet] = static_cast<char>(mac >> (8 * (kOctets - 1 - octet)) & 0xffU);
}

}  // namespace

Result<Interfaces> Interfaces::here() {
  Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.open()) return fail(fmt::format("no socket: {}", std::strerror(errno)));
  return Interfaces(std::move(socket));
}

Result<void> Interfaces::ask(unsigned long what, void* request, const std::string& port,
                             const char* purpose) const {
  if (ioctl(socket_.number(), what, request) == 0) return {};
  return fail(fmt::format("{}: cannot set {}: {}", port, purpose, std::strerror(errno)));
}

Result<void> Interfaces::set_up(const std::string& port) const {
  ifreq request = request_about(port);
  if (auto done = ask(SIOCGIFFLAGS, &request, port, "it up"); !done) return done;
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  return ask(SIOCSIFFLAGS, &request, port, "it up");
}

Result<void> Interfaces::set_address(const std::string& port, const HostAddress& address) const {
  constexpr std::uint32_t kNetmask = 0xff000000;
  ifreq request = request_about(port);
  put_mac(request.ifr_hwaddr, address.mac);
  if (auto done = ask(SIOCSIFHWADDR, &request, port, "its MAC"); !done) return done;
  put_ipv4(request.ifr_addr, address.ipv4);
  if (auto done = ask(SIOCSIFADDR, &request, port, "its address"); !done) return done;
  put_ipv4(request.ifr_netmask, kNetmask);
  return ask(SIOCSIFNETMASK, &request, port, "its netmask");
}

Result<void> Interfaces::make_own_checksums(const std::string& port) const {
  ethtool_value offload{ETHTOOL_STXCSUM, 0};
  ifreq request = request_about(port);
  request.ifr_data = reinterpret_cast<char*>(&offload);
  return ask(SIOCETHTOOL, &request, port, "checksum offload");
}

Result<void> Interfaces::add_neighbour(const std::string& port,
                                       const HostAddress& neighbour) const {
  arpreq request{};
  port.copy(request.arp_dev, sizeof request.arp_dev - 1);
  put_ipv4(request.arp_pa, neighbour.ipv4);
  put_mac(request.arp_ha, neighbour.mac);
  request.arp_flags = ATF_PERM | ATF_COM;
  return ask(SIOCSARP, &request, port, "a neighbour");
}

void silence_ipv6() {
  // Without the files this kernel has no IPv6.
  for (const char* which : {"all", "default"})
    std::ofstream(fmt::format("/proc/sys/net/ipv6/conf/{}/disable_ipv6", which)) << "1\n";
}

}  // namespace ebb::testbed
