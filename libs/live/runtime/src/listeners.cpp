// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/listeners.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace ebb::runtime {

using transport::Address;
using transport::Kind;

Result<Address> parse_listen_address(const std::string& text) {
  constexpr std::string_view kSsl = "ssl:";
  return transport::parse_address(text.starts_with(kSsl) ? "tls:" + text.substr(kSsl.size())
                                                         : text);
}

Result<Address> address_of(const RemoteListener& remote) {
  auto address = parse_listen_address(remote.listen);
  if (!address) return fail(address.error());
  if (address->kind == Kind::unix_socket)
    return fail("--listen takes tcp:ADDRESS:PORT or ssl:ADDRESS:PORT");
  const bool certified =
      !remote.tls.certificate.empty() && !remote.tls.key.empty() && !remote.tls.authority.empty();
  if (address->kind == Kind::tls && !certified)
    return fail(remote.listen + ": TLS needs --certificate, --key and --ca");
  if (!transport::is_local(*address) && !remote.other_machines) {
    return fail(
        fmt::format("{}: other machines reach this address, and who speaks to a controller "
                    "controls the network; say --other-machines if that is meant",
                    remote.listen));
  }
  return address;
}

Result<transport::Listener> open_remote_listener(transport::Loop& loop,
                                                 const RemoteListener& remote,
                                                 transport::Listener::Accepted accepted) {
  const auto address = address_of(remote);
  if (!address) return fail(address.error());
  transport::ListenerOptions options{.streams = {}, .other_machines = remote.other_machines};
  if (address->kind == Kind::tls) {
    auto tls = transport::TlsContext::load(remote.tls);
    if (!tls) return fail(tls.error());
    options.streams.tls = std::move(*tls);
  }
  return transport::Listener::open(loop, *address, options, std::move(accepted));
}

Result<transport::Listener> open_switch_listener(transport::Loop& loop, const std::string& box,
                                                 transport::Listener::Accepted accepted) {
  const std::string path = box + "/br0.controller";
  std::filesystem::remove(path);
  return transport::Listener::open(loop, {.kind = Kind::unix_socket, .path = path}, {},
                                   std::move(accepted));
}

}  // namespace ebb::runtime
