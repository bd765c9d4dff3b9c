// SPDX-License-Identifier: Apache-2.0
#include "ebb/netlink/netlink.hpp"

#include <cerrno>
#include <cstring>
#include <libmnl/libmnl.h>
#include <string>

namespace ebb::netlink {
namespace {

constexpr std::size_t kBufferSize = 32768;  // what the kernel fills at most at a time

Failure failed(const std::string& what) {
  return fail("netlink: " + what + ": " + std::strerror(errno));
}

int give(const nlmsghdr* message, void* handle) {
  (*static_cast<const Netlink::Handle*>(handle))(*message);
  return MNL_CB_OK;
}

int give_attribute(const nlattr* attribute, void* handle) {
  (*static_cast<const HandleAttribute*>(handle))(*attribute);
  return MNL_CB_OK;
}

}  // namespace

void Netlink::Close::operator()(mnl_socket* socket) const { mnl_socket_close(socket); }

Netlink::Netlink(mnl_socket* socket) : socket_(socket), buffer_(kBufferSize) {}

Result<Netlink> Netlink::open(std::uint32_t groups) {
  mnl_socket* socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
  if (socket == nullptr) return failed("open");
  Netlink self(socket);
  if (mnl_socket_bind(socket, groups, MNL_SOCKET_AUTOPID) < 0) return failed("bind");
  return self;
}

int Netlink::descriptor() const { return mnl_socket_get_fd(socket_.get()); }

Result<void> Netlink::send(std::uint16_t kind, std::uint16_t flags,
                           std::span<const std::byte> header) {
  nlmsghdr* request = mnl_nlmsg_put_header(buffer_.data());
  request->nlmsg_type = kind;
  request->nlmsg_flags = NLM_F_REQUEST | flags;
  request->nlmsg_seq = ++sequence_;
  std::memcpy(mnl_nlmsg_put_extra_header(request, header.size()), header.data(), header.size());
  if (mnl_socket_sendto(socket_.get(), request, request->nlmsg_len) < 0) return failed("ask");
  return {};
}

Result<void> Netlink::read_answer(const Handle& handle) {
  int more = MNL_CB_OK;
  while (more > MNL_CB_STOP) {
    const auto got = mnl_socket_recvfrom(socket_.get(), buffer_.data(), buffer_.size());
    if (got < 0) return failed("read");
    more = mnl_cb_run(buffer_.data(), static_cast<std::size_t>(got), sequence_,
                      mnl_socket_get_portid(socket_.get()), give, const_cast<Handle*>(&handle));
    // An answer to a request that was given up has another sequence number.
    if (more < 0 && errno == EPROTO) more = MNL_CB_OK;
    if (more < 0) return failed("read");
  }
  return {};
}

Result<void> Netlink::dump(std::uint16_t kind, std::span<const std::byte> header,
                           const Handle& handle) {
  if (auto sent = send(kind, NLM_F_DUMP, header); !sent) return sent;
  return read_answer(handle);
}

Result<void> Netlink::change(std::uint16_t kind, std::span<const std::byte> header) {
  if (auto sent = send(kind, NLM_F_ACK, header); !sent) return sent;
  return read_answer([](const nlmsghdr&) {});
}

bool Netlink::wait_for_change() {
  // What was lost has changed as well.
  return ::recv(descriptor(), buffer_.data(), buffer_.size(), 0) >= 0 || errno == ENOBUFS ||
         errno == EINTR;
}

Result<void> Netlink::receive(const Handle& handle) {
  while (true) {
    const auto got = ::recv(descriptor(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return {};
    if (got < 0) return failed("read");
    mnl_cb_run(buffer_.data(), static_cast<std::size_t>(got), 0, 0, give,
               const_cast<Handle*>(&handle));
  }
}

void for_each_attribute(const nlmsghdr& message, std::size_t header,
                        const HandleAttribute& handle) {
  mnl_attr_parse(&message, static_cast<unsigned>(header), give_attribute,
                 const_cast<HandleAttribute*>(&handle));
}

void for_each_attribute(const nlattr& whole, const HandleAttribute& handle) {
  mnl_attr_parse_nested(&whole, give_attribute, const_cast<HandleAttribute*>(&handle));
}

}  // namespace ebb::netlink
