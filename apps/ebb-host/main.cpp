// SPDX-License-Identifier: Apache-2.0
//
// ebb-host INTERFACE: asks the switch for the address of this host and takes it.
#include "ebb/core/result.hpp"
#include "ebb/forwarding/dmp_frame.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <random>
#include <string>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ebb::host {
namespace {

// A network interface of this host, by the ioctls of Linux: its addresses, and raw frames of DMP.
class Interface {
 public:
  // Needs CAP_NET_RAW; setting addresses needs CAP_NET_ADMIN.
  [[nodiscard]] static Result<Interface> open(const std::string& name);
  Interface(Interface&& other) noexcept;
  Interface& operator=(Interface&&) = delete;
  ~Interface();

  [[nodiscard]] const dmp::MacBytes& mac() const { return mac_; }
  [[nodiscard]] Result<void> send(const dmp::Frame& frame) const;
  // The next DMP frame, or nothing when the time is over.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> receive(
      std::chrono::milliseconds time) const;
  [[nodiscard]] Result<void> set_mac(const dmp::MacBytes& mac) const;
  // With the mask of 10.0.0.0/8.
  [[nodiscard]] Result<void> set_ip(const std::array<std::uint8_t, 4>& ip) const;

 private:
  Interface(std::string name, int socket) : name_(std::move(name)), socket_(socket) {}

  std::string name_;
  int socket_ = -1;
  int number_ = 0;
  dmp::MacBytes mac_{};
};

Failure failed(const std::string& what) { return fail(what + ": " + std::strerror(errno)); }

ifreq named(const std::string& name) {
  ifreq request{};
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  return request;
}

Result<void> set_address(const std::string& name, unsigned long what,
                         const std::array<std::uint8_t, 4>& address) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return failed("socket");
  ifreq request = named(name);
  sockaddr_in inet{};
  inet.sin_family = AF_INET;
  std::memcpy(&inet.sin_addr, address.data(), address.size());
  std::memcpy(&request.ifr_addr, &inet, sizeof inet);
  const int answer = ::ioctl(socket, what, &request);
  const int problem = errno;
  ::close(socket);
  errno = problem;
  if (answer < 0) return failed(name + ": the IP address was refused");
  return {};
}

Result<Interface> Interface::open(const std::string& name) {
  if (name.empty() || name.size() >= IFNAMSIZ)
    return fail("'" + name.substr(0, 40) + "' is no name of an interface");
  const int socket = ::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(dmp::kEtherType));
  if (socket < 0) return failed("no raw socket (CAP_NET_RAW is needed)");
  Interface self(name, socket);
  ifreq request = named(name);
  if (::ioctl(socket, SIOCGIFINDEX, &request) < 0) return failed(name);
  self.number_ = request.ifr_ifindex;
  if (::ioctl(socket, SIOCGIFHWADDR, &request) < 0) return failed(name);
  std::memcpy(self.mac_.data(), request.ifr_hwaddr.sa_data, self.mac_.size());
  sockaddr_ll here{};
  here.sll_family = AF_PACKET;
  here.sll_protocol = htons(dmp::kEtherType);
  here.sll_ifindex = self.number_;
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&here), sizeof here) < 0)
    return failed(name);
  // The answer still goes to the address that bridges keep to themselves.
  packet_mreq group{self.number_, PACKET_MR_ALLMULTI, 0, {}};
  if (::setsockopt(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &group, sizeof group) < 0)
    return failed(name);
  return self;
}

Interface::Interface(Interface&& other) noexcept
    : name_(std::move(other.name_)),
      socket_(std::exchange(other.socket_, -1)),
      number_(other.number_),
      mac_(other.mac_) {}

Interface::~Interface() {
  if (socket_ >= 0) ::close(socket_);
}

Result<void> Interface::send(const dmp::Frame& frame) const {
  if (::send(socket_, frame.data(), frame.size(), 0) < 0) return failed(name_);
  return {};
}

std::optional<std::vector<std::uint8_t>> Interface::receive(std::chrono::milliseconds time) const {
  pollfd ready{socket_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(time.count())) <= 0) return std::nullopt;
  std::vector<std::uint8_t> frame(ETH_FRAME_LEN);
  const ssize_t length = ::recv(socket_, frame.data(), frame.size(), 0);
  if (length < 0) return std::nullopt;
  frame.resize(static_cast<std::size_t>(length));
  return frame;
}

Result<void> Interface::set_mac(const dmp::MacBytes& mac) const {
  ifreq request = named(name_);
  request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  std::memcpy(request.ifr_hwaddr.sa_data, mac.data(), mac.size());
  if (::ioctl(socket_, SIOCSIFHWADDR, &request) < 0)
    return failed(name_ + ": the address was refused");
  return {};
}

Result<void> Interface::set_ip(const std::array<std::uint8_t, 4>& ip) const {
  if (auto set = set_address(name_, SIOCSIFADDR, ip); !set) return set;
  return set_address(name_, SIOCSIFNETMASK, {255, 0, 0, 0});
}

// ---- the request for an address

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
