// SPDX-License-Identifier: Apache-2.0
#include "interfaces.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>

namespace ebb::testbed {
namespace {

std::string path_of(const std::string& name) { return "/run/netns/" + name; }

}  // namespace

Result<void> move_into_namespace(const std::string& name) {
  const UniqueFd there(::open(path_of(name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!there.open() || setns(there.number(), CLONE_NEWNET) != 0)
    return fail(fmt::format("cannot enter network namespace {}: {}", name, std::strerror(errno)));
  return {};
}

Result<NamespaceVisit> NamespaceVisit::enter(const std::string& name) {
  UniqueFd home(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!home.open()) return fail(fmt::format("no own network namespace: {}", std::strerror(errno)));
  if (auto moved = move_into_namespace(name); !moved) return fail(moved.error());
  return NamespaceVisit(std::move(home));
}

NamespaceVisit::~NamespaceVisit() {
  if (!home_.open()) return;  // moved from
  EBB_CHECK(setns(home_.number(), CLONE_NEWNET) == 0, "the own namespace can be entered again");
}

bool namespace_exists(const std::string& name) { return access(path_of(name).c_str(), F_OK) == 0; }

Result<void> delete_namespace(const std::string& name) {
  const std::string path = path_of(name);
  umount2(path.c_str(), MNT_DETACH);  // not mounted when `ip netns add` was killed
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return fail(fmt::format("cannot delete network namespace: {}", std::strerror(errno)), {path});
}

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
  UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
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
