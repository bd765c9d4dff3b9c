// SPDX-License-Identifier: Apache-2.0
#include "link.hpp"

#include <fmt/format.h>

#include <array>
#include <sys/epoll.h>

namespace ebb::transport {

Link::Link(Loop& loop, Descriptor descriptor, std::unique_ptr<Channel> channel,
           const StreamOptions& options)
    : loop_(loop),
      descriptor_(std::move(descriptor)),
      channel_(std::move(channel)),
      most_queued_(options.most_queued),
      handshake_limit_(options.handshake) {}

void Link::start(bool connecting) {
  state_ = connecting ? State::connecting : State::handshaking;
  watched_for_ = EPOLLIN | EPOLLOUT;
  loop_.watch(descriptor_.get(), watched_for_,
              [self = shared_from_this()](std::uint32_t) { self->ready(); });
  handshake_timer_ = loop_.after(handshake_limit_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->end("the peer did not finish connecting in time");
  });
}

void Link::send(std::span<const std::byte> bytes) {
  if (state_ == State::closed) return;
  if (queued() + bytes.size() > most_queued_) {
    // Not from inside the caller, who does not expect to be told now.
    loop_.after(Milliseconds{0}, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->end("the peer does not read: its queue is full");
    });
    return;
  }
  append_all(queue_, bytes);
  if (state_ == State::open) watch_for_what_is_wanted();
}

void Link::shut() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  if (handshake_timer_) loop_.cancel(*handshake_timer_);
  loop_.forget(descriptor_.get());
  channel_.reset();
  descriptor_ = Descriptor();
}

void Link::end(const std::string& reason) {
  if (state_ == State::closed) return;
  shut();
  const auto closed = events_.closed;  // a copy: the call may replace the events
  closed(reason);
}

void Link::ready() {
  const auto self = shared_from_this();
  if (state_ == State::connecting && !finish_connecting()) return;
  if (state_ == State::handshaking && !finish_handshake()) return;
  if (state_ == State::open) write_some();
  if (state_ == State::open) read_some();
  if (state_ == State::open) watch_for_what_is_wanted();
}

bool Link::finish_connecting() {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(descriptor_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    end(system_text(error));
    return false;
  }
  state_ = State::handshaking;
  return true;
}

bool Link::finish_handshake() {
  wants_write_ = false;
  if (!went_on(channel_->handshake())) {
    if (state_ != State::closed) watch_for_what_is_wanted();
    return false;
  }
  state_ = State::open;
  loop_.cancel(*handshake_timer_);
  handshake_timer_.reset();
  const auto opened = events_.opened;
  opened();
  return true;
}

bool Link::went_on(const Progress& progress) {
  switch (progress.went) {
    case Went::done:
      return true;
    case Went::wants_read:
      return false;
    case Went::wants_write:
      wants_write_ = true;
      return false;
    case Went::ended:
      end("the peer closed the connection");
      return false;
    case Went::failed:
      end(progress.problem);
      return false;
  }
  return false;
}

// A peer that never stops must not keep others waiting: after a few pieces they have their turn.
void Link::read_some() {
  constexpr int kPieces = 16;
  std::array<std::byte, 16384> piece;
  for (int i = 0; i < kPieces; ++i) {
    const Progress progress = channel_->read(piece);
    if (!went_on(progress)) return;
    const auto received = events_.received;
    received(std::span(piece).first(progress.bytes));
    if (state_ != State::open) return;
  }
  // TLS may hold bytes that the descriptor does not show.
  loop_.after(Milliseconds{0}, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->ready();
  });
}

void Link::write_some() {
  wants_write_ = false;
  while (queued() > 0) {
    const Progress progress = channel_->write(std::span(queue_).subspan(sent_));
    if (!went_on(progress)) break;
    sent_ += progress.bytes;
  }
  // What was sent is dropped when it is most of the queue: each byte is moved a bounded number of
  // times.
  if (sent_ * 2 >= queue_.size()) {
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(sent_));
    sent_ = 0;
  }
}

std::optional<std::uint32_t> Link::peer_user() const {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor_.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return {};
  constexpr uid_t kNobodyKnows = ~uid_t{0};  // of a socket that is not a unix socket
  return peer.uid == kNobodyKnows ? std::nullopt : std::optional<std::uint32_t>(peer.uid);
}

void Link::watch_for_what_is_wanted() {
  const bool to_write = wants_write_ || (state_ == State::open && queued() > 0);
  const std::uint32_t wanted = EPOLLIN | (to_write ? EPOLLOUT : 0U);
  if (wanted != watched_for_) loop_.change(descriptor_.get(), wanted);
  watched_for_ = wanted;
}

Result<std::shared_ptr<Link>> make_link(Loop& loop, Descriptor descriptor, Kind kind, Side side,
                                        const StreamOptions& options) {
  if (kind == Kind::tls && !options.tls) return fail("TLS: no certificate was given");
  const int number = descriptor.get();
  auto channel =
      kind == Kind::tls ? tls_channel(number, *options.tls, side) : plain_channel(number);
  return std::make_shared<Link>(loop, std::move(descriptor), std::move(channel), options);
}

}  // namespace ebb::transport
