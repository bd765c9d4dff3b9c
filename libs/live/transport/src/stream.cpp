// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/stream.hpp"

#include "stream_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/epoll.h>

namespace ebb::transport {
namespace {

Progress of_errno(Went when_full) {
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {when_full};
  return {Went::failed, 0, system_text(errno)};
}

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(int descriptor) : descriptor_(descriptor) {}

  Progress handshake() override { return {}; }
  Progress read(std::span<std::byte> into) override {
    const auto got = recv(descriptor_, into.data(), into.size(), 0);
    if (got < 0) return of_errno(Went::wants_read);
    if (got == 0) return {Went::ended};
    return {Went::done, static_cast<std::size_t>(got)};
  }
  Progress write(std::span<const std::byte> bytes) override {
    const auto put = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0) return of_errno(Went::wants_write);
    return {Went::done, static_cast<std::size_t>(put)};
  }

 private:
  int descriptor_;
};

}  // namespace

std::unique_ptr<Channel> plain_channel(int descriptor) {
  return std::make_unique<PlainChannel>(descriptor);
}

StreamImpl::StreamImpl(Loop& loop, UniqueFd descriptor, std::unique_ptr<Channel> channel,
                       const StreamOptions& options)
    : loop_(loop),
      descriptor_(std::move(descriptor)),
      channel_(std::move(channel)),
      most_queued_(options.most_queued),
      handshake_limit_(options.handshake) {}

void StreamImpl::start(bool connecting) {
  state_ = connecting ? State::connecting : State::handshaking;
  watched_for_ = EPOLLIN | EPOLLOUT;
  loop_.watch(descriptor_.get(), watched_for_,
              [self = shared_from_this()](std::uint32_t) { self->ready(); });
  handshake_timer_ = loop_.after(handshake_limit_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->end("the peer did not finish connecting in time");
  });
}

void StreamImpl::send(std::span<const std::byte> bytes) {
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

void StreamImpl::shut() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  if (handshake_timer_) loop_.cancel(*handshake_timer_);
  loop_.forget(descriptor_.get());
  channel_.reset();
  descriptor_ = UniqueFd();
}

void StreamImpl::end(const std::string& reason) {
  if (state_ == State::closed) return;
  shut();
  const auto closed = events_.closed;  // a copy: the call may replace the events
  closed(reason);
}

void StreamImpl::ready() {
  const auto self = shared_from_this();
  if (state_ == State::connecting && !finish_connecting()) return;
  if (state_ == State::handshaking && !finish_handshake()) return;
  if (state_ == State::open) write_some();
  if (state_ == State::open) read_some();
  if (state_ == State::open) watch_for_what_is_wanted();
}

bool StreamImpl::finish_connecting() {
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

bool StreamImpl::finish_handshake() {
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

bool StreamImpl::went_on(const Progress& progress) {
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
void StreamImpl::read_some() {
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

void StreamImpl::write_some() {
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

std::optional<std::uint32_t> StreamImpl::peer_user() const {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor_.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return {};
  constexpr uid_t kNobodyKnows = ~uid_t{0};  // of a socket that is not a unix socket
  return peer.uid == kNobodyKnows ? std::nullopt : std::optional<std::uint32_t>(peer.uid);
}

std::optional<std::vector<std::string>> StreamImpl::peer_names() const {
  if (!channel_) return std::vector<std::string>();
  return channel_->peer_names();
}

void StreamImpl::watch_for_what_is_wanted() {
  const bool to_write = wants_write_ || (state_ == State::open && queued() > 0);
  const std::uint32_t wanted = EPOLLIN | (to_write ? EPOLLOUT : 0U);
  if (wanted != watched_for_) loop_.change(descriptor_.get(), wanted);
  watched_for_ = wanted;
}

Result<std::shared_ptr<StreamImpl>> make_stream_impl(Loop& loop, UniqueFd descriptor, Kind kind,
                                                     Side side, const StreamOptions& options) {
  if (kind == Kind::tls && !options.tls) return fail("TLS: no certificate was given");
  const int number = descriptor.get();
  auto channel =
      kind == Kind::tls ? tls_channel(number, *options.tls, side) : plain_channel(number);
  return std::make_shared<StreamImpl>(loop, std::move(descriptor), std::move(channel), options);
}

Result<Stream> Stream::connect(Loop& loop, const Address& address, const StreamOptions& options) {
  const auto where = socket_address(address);
  if (!where) return fail(where.error());
  UniqueFd descriptor = new_socket(*where);
  const int result = ::connect(descriptor.get(), where->get(), where->size);
  const bool connecting = result != 0 && errno == EINPROGRESS;
  if (result != 0 && !connecting)
    return fail(fmt::format("{}: {}", to_text(address), system_text(errno)));
  auto impl = make_stream_impl(loop, std::move(descriptor), address.kind, Side::client, options);
  if (!impl) return fail(impl.error());
  (*impl)->start(connecting);
  return Stream(*std::move(impl));
}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this == &other) return *this;
  if (impl_) impl_->shut();
  impl_ = std::move(other.impl_);
  return *this;
}

Stream::~Stream() {
  if (impl_) impl_->shut();
}

void Stream::on(StreamEvents events) { impl_->on(std::move(events)); }
void Stream::send(std::span<const std::byte> bytes) { impl_->send(bytes); }
void Stream::close() { impl_->shut(); }
std::size_t Stream::queued() const { return impl_->queued(); }
std::optional<std::uint32_t> Stream::peer_user() const { return impl_->peer_user(); }

std::optional<std::vector<std::string>> Stream::peer_names() const { return impl_->peer_names(); }

Result<std::optional<std::string>> LineFramer::next() {
  const std::size_t end = waiting_.find('\n', looked_at_);
  if (std::min(end, waiting_.size()) - taken_ > longest_)
    return fail(fmt::format("a line of more than {} bytes", longest_));
  if (end == std::string::npos) {
    waiting_.erase(0, taken_);
    taken_ = 0;
    looked_at_ = waiting_.size();
    return std::nullopt;
  }
  std::string line = waiting_.substr(taken_, end - taken_);
  taken_ = looked_at_ = end + 1;
  return line;
}

}  // namespace ebb::transport
