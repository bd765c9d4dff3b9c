// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/stream.hpp"

#include "link.hpp"

#include <fmt/format.h>

#include <cerrno>

namespace ebb::transport {

Result<Stream> Stream::connect(Loop& loop, const Address& address, const StreamOptions& options) {
  const auto where = socket_address(address);
  if (!where) return fail(where.error());
  Descriptor descriptor = new_socket(*where);
  const int result = ::connect(descriptor.get(), where->get(), where->size);
  const bool connecting = result != 0 && errno == EINPROGRESS;
  if (result != 0 && !connecting)
    return fail(fmt::format("{}: {}", to_text(address), system_text(errno)));
  auto link = make_link(loop, std::move(descriptor), address.kind, Side::client, options);
  if (!link) return fail(link.error());
  (*link)->start(connecting);
  return Stream(*std::move(link));
}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this == &other) return *this;
  if (link_) link_->shut();
  link_ = std::move(other.link_);
  return *this;
}

Stream::~Stream() {
  if (link_) link_->shut();
}

void Stream::on(StreamEvents events) { link_->on(std::move(events)); }
void Stream::send(std::span<const std::byte> bytes) { link_->send(bytes); }
void Stream::close() { link_->shut(); }
std::size_t Stream::queued() const { return link_->queued(); }
std::optional<std::uint32_t> Stream::peer_user() const { return link_->peer_user(); }

}  // namespace ebb::transport
