// SPDX-License-Identifier: Apache-2.0
//
// Connects, and tries again with growing pauses until it succeeds. Without chance: the same
// failures are followed by the same attempts.
//
//   Connector connector(loop, address, {}, {}, [&](Stream stream) { ... });
//   connector.start();
#pragma once

#include "ebb/transport/stream.hpp"

namespace ebb::transport {

struct BackOff {
  Milliseconds first{100};
  Milliseconds longest{5000};
};

// The pause before attempt n + 2: first, twice that, and so on up to the longest.
[[nodiscard]] Milliseconds pause_after(const BackOff& back_off, int failures);

class Connector {
 public:
  using Connected = std::function<void(Stream)>;
  // Asked before each attempt: what starts again may listen elsewhere.
  using Where = std::function<Address()>;

  Connector(Loop& loop, Where where, StreamOptions options, BackOff back_off, Connected connected);
  Connector(Loop& loop, Address address, StreamOptions options, BackOff back_off,
            Connected connected);
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;
  ~Connector();

  // Also to be called when a connection was lost: it counts as a failure until the next succeeds.
  void start();
  [[nodiscard]] int failures() const { return failures_; }
  [[nodiscard]] const std::string& last_problem() const { return problem_; }

 private:
  void attempt();
  void failed(const std::string& reason);

  Loop& loop_;
  Where where_;
  StreamOptions options_;
  BackOff back_off_;
  Connected connected_;
  std::optional<Stream> stream_;
  std::optional<Loop::Timer> timer_;
  int failures_ = 0;
  std::string problem_;
};

}  // namespace ebb::transport
