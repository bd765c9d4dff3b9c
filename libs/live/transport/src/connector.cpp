// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/connector.hpp"

#include <algorithm>

namespace ebb::transport {

Milliseconds pause_after(const BackOff& back_off, int failures) {
  Milliseconds pause = back_off.first;
  for (int i = 1; i < failures && pause < back_off.longest; ++i) pause *= 2;
  return std::min(pause, back_off.longest);
}

Connector::Connector(Loop& loop, Where where, StreamOptions options, BackOff back_off,
                     Connected connected)
    : loop_(loop),
      where_(std::move(where)),
      options_(std::move(options)),
      back_off_(back_off),
      connected_(std::move(connected)) {}

Connector::Connector(Loop& loop, Address address, StreamOptions options, BackOff back_off,
                     Connected connected)
    : Connector(
          loop, [address = std::move(address)] { return address; }, std::move(options), back_off,
          std::move(connected)) {}

Connector::~Connector() {
  if (timer_) loop_.cancel(*timer_);
}

// Never from inside the caller: who loses a connection may be in the middle of saying so.
void Connector::start() {
  if (timer_ || stream_) return;
  const auto pause = failures_ == 0 ? Milliseconds{0} : pause_after(back_off_, failures_);
  timer_ = loop_.after(pause, [this] { attempt(); });
}

void Connector::attempt() {
  timer_.reset();
  auto stream = Stream::connect(loop_, where_(), options_);
  if (!stream) return failed(stream.error().front().message);
  stream_ = *std::move(stream);
  stream_->on({.opened =
                   [this] {
                     failures_ = 0;
                     Stream connected = *std::move(stream_);
                     stream_.reset();
                     connected.on({});
                     connected_(std::move(connected));
                   },
               .closed = [this](const std::string& reason) { failed(reason); }});
}

void Connector::failed(const std::string& reason) {
  problem_ = reason;
  stream_.reset();
  ++failures_;
  start();
}

}  // namespace ebb::transport
