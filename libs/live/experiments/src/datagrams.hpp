// SPDX-License-Identifier: Apache-2.0
//
// Numbered datagrams between hosts of a test fabric, in threads of their own, and how many arrived.
//
//   Datagrams load(fabric, pairs, {.per_second = 200, .bytes = 1000});
//   ...
//   const Datagrams::Count count = load.finish();
//
// A sender that had no processor for a while goes on from there: datagrams all at once, to catch
// up, would fill the buffers of switches whose links are fast enough for the load.
#pragma once

#include "running_fabric.hpp"

#include "ebb/core/result.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ebb::experiments {

struct Pair {
  std::size_t from = 0;  // hosts
  std::size_t to = 0;
};

struct Load {
  double per_second = 100;  // of each pair
  std::size_t bytes = 64;   // of a datagram, without headers
  std::uint64_t most = 0;   // datagrams of each pair; 0: until finish()
};

class Datagrams {
 public:
  struct Count {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;  // each counted once
    // What shows that the machine had no processor for the sender or for the switches.
    std::chrono::nanoseconds latest{};   // by how much the sender was late at most
    std::chrono::nanoseconds slowest{};  // the longest way of a datagram

    void add(const Count& other);
  };

  // Begins.
  [[nodiscard]] static Result<std::unique_ptr<Datagrams>> start(const RunningFabric& fabric,
                                                                std::span<const Pair> pairs,
                                                                const Load& load);
  Datagrams(const Datagrams&) = delete;
  Datagrams& operator=(const Datagrams&) = delete;
  ~Datagrams();

  // Ends the sending, waits for what is on its way, and gives the sums over all pairs.
  [[nodiscard]] Count finish();

 private:
  struct Stream;

  explicit Datagrams(const Load& load);
  void send();
  void receive();
  void close_all();

  Load load_;
  std::vector<Stream> streams_;
  std::chrono::nanoseconds latest_{};  // of the sender; read when it has ended
  std::atomic<bool> stop_sending_{false};
  std::atomic<bool> stop_receiving_{false};
  std::thread sender_;
  std::thread receiver_;
};

}  // namespace ebb::experiments
