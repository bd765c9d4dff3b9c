// SPDX-License-Identifier: Apache-2.0
#include "stream_impl.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace ebb::transport {
namespace {

Failure bad_address(std::string_view text, std::string_view why) {
  return fail(fmt::format("address '{}': {}; expected unix:PATH, tcp:HOST:PORT or tls:HOST:PORT",
                          text, why));
}

bool read_ip(const std::string& host, SocketAddress& out, std::uint16_t port) {
  auto& v4 = reinterpret_cast<sockaddr_in&>(out.storage);
  if (inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    out.size = sizeof v4;
    return true;
  }
  auto& v6 = reinterpret_cast<sockaddr_in6&>(out.storage);
  if (inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) != 1) return false;
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  out.size = sizeof v6;
  return true;
}

// The same socket by a path that the system takes, if there is one: its folder, opened.
std::string short_path(const std::string& path, UniqueFd& folder) {
  const std::size_t slash = path.rfind('/');
  if (path.size() < sizeof(sockaddr_un::sun_path) || slash == std::string::npos) return path;
  folder = UniqueFd(
      ::open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
  if (folder.get() < 0) return path;
  return fmt::format("/proc/self/fd/{}{}", folder.get(), path.substr(slash));
}

Result<Address> parse_host_and_port(Kind kind, std::string_view text, std::string_view rest) {
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) return bad_address(text, "no port");
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  Address address{kind, "", std::string(host), 0};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc{} || end != port.data() + port.size())
    return bad_address(text, "the port is no number to 65535");
  SocketAddress ignored;
  if (!read_ip(address.host, ignored, 0))
    return bad_address(text, "the host is no IPv4 or IPv6 address");
  return address;
}

}  // namespace

Result<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (kind == "tcp") return parse_host_and_port(Kind::tcp, text, rest);
  if (kind == "tls") return parse_host_and_port(Kind::tls, text, rest);
  if (kind != "unix") return bad_address(text, "unknown kind");
  if (rest.empty() || rest.size() >= sizeof(sockaddr_un::sun_path) ||
      rest.find('\0') != std::string_view::npos) {
    return bad_address(
        text, fmt::format("a path has 1 to {} characters", sizeof(sockaddr_un::sun_path) - 1));
  }
  return Address{Kind::unix_socket, std::string(rest), "", 0};
}

std::string to_text(const Address& address) {
  if (address.kind == Kind::unix_socket) return "unix:" + address.path;
  const bool v6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}:{}{}{}:{}", address.kind == Kind::tcp ? "tcp" : "tls", v6 ? "[" : "",
                     address.host, v6 ? "]" : "", address.port);
}

bool is_local(const Address& address) {
  return address.kind == Kind::unix_socket || address.host == "::1" ||
         address.host.starts_with("127.");
}

Result<SocketAddress> socket_address(const Address& address) {
  SocketAddress out;
  if (address.kind != Kind::unix_socket) {
    if (!read_ip(address.host, out, address.port))
      return bad_address(to_text(address), "not an address");
    return out;
  }
  auto& local = reinterpret_cast<sockaddr_un&>(out.storage);
  const std::string path = short_path(address.path, out.folder);
  if (path.size() >= sizeof local.sun_path)
    return bad_address(to_text(address), "the path is too long");
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, path.c_str(), path.size() + 1);
  out.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return out;
}

std::string system_text(int error) { return std::generic_category().message(error); }

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (number_ >= 0 && number_ != other.number_) close(number_);
  number_ = other.release();
  return *this;
}

UniqueFd::~UniqueFd() {
  if (number_ >= 0) close(number_);
}

int UniqueFd::release() {
  const int number = number_;
  number_ = -1;
  return number;
}

UniqueFd new_socket(const SocketAddress& address) {
  return UniqueFd(socket(address.get()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

}  // namespace ebb::transport
