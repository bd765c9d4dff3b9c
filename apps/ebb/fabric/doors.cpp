// SPDX-License-Identifier: Apache-2.0
#include "fabric/doors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace ebb::cli {
namespace {

using transport::Address;
using transport::Kind;

std::string as_transport_says(const std::string& text) {
  constexpr std::string_view kSsl = "ssl:";
  return text.starts_with(kSsl) ? "tls:" + text.substr(kSsl.size()) : text;
}

}  // namespace

Result<Address> address_of(const RemoteDoor& door) {
  auto address = transport::parse_address(as_transport_says(door.listen));
  if (!address) return fail(address.error());
  if (address->kind == Kind::unix_socket)
    return fail("--listen takes tcp:ADDRESS:PORT or ssl:ADDRESS:PORT");
  const bool certified =
      !door.tls.certificate.empty() && !door.tls.key.empty() && !door.tls.authority.empty();
  if (address->kind == Kind::tls && !certified)
    return fail(door.listen + ": TLS needs --certificate, --key and --ca");
  if (!transport::is_local(*address) && !door.other_machines) {
    return fail(
        fmt::format("{}: other machines reach this address, and who speaks to a controller "
                    "controls the network; say --other-machines if that is meant",
                    door.listen));
  }
  return address;
}

Result<transport::Listener> open_remote_door(transport::Loop& loop, const RemoteDoor& door,
                                             transport::Listener::Accepted accepted) {
  const auto address = address_of(door);
  if (!address) return fail(address.error());
  transport::ListenerOptions options{.streams = {}, .other_machines = door.other_machines};
  if (address->kind == Kind::tls) {
    auto tls = transport::TlsContext::load(door.tls);
    if (!tls) return fail(tls.error());
    options.streams.tls = std::move(*tls);
  }
  return transport::Listener::open(loop, *address, options, std::move(accepted));
}

Result<transport::Listener> open_box_door(transport::Loop& loop, const std::string& box,
                                          transport::Listener::Accepted accepted) {
  const std::string path = box + "/br0.controller";
  std::filesystem::remove(path);
  return transport::Listener::open(loop, {.kind = Kind::unix_socket, .path = path}, {},
                                   std::move(accepted));
}

}  // namespace ebb::cli
