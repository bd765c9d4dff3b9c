// SPDX-License-Identifier: Apache-2.0
#include "world/slotted_ring.hpp"

#include "ebb/core/random.hpp"

#include <array>
#include <deque>
#include <vector>

namespace ebb::validate {
namespace {

constexpr std::uint32_t kChannels = 2;
constexpr std::uint32_t kHostBuffer = kChannels;

struct Packet {
  std::uint32_t buffer = 0;  // of its switch: of a virtual channel, or kHostBuffer
  std::uint32_t hops = 0;    // still ahead
};

struct Switch {
  std::uint64_t waiting = 0;                         // at the host
  std::array<std::uint32_t, kChannels + 1> used{};   // space in the buffers
  std::array<std::deque<Packet>, kChannels> output;  // by virtual channel
  std::uint32_t last = 0;                            // virtual channel served
};

// A packet on its way to a switch.
struct Sent {
  std::uint32_t to = 0;
  std::uint32_t channel = 0;
  std::uint32_t hops = 0;
};

class Model {
 public:
  explicit Model(const SlottedRing& ring) : ring_(ring), switches_(ring.switches) {}

  // How many packets arrive in this slot.
  std::uint64_t slot() {
    sent_.clear();
    for (std::uint32_t i = 0; i < ring_.switches; ++i) send(i);
    for (std::uint32_t i = 0; i < ring_.switches; ++i) inject(i);
    std::uint64_t arrived = 0;
    for (const Sent& packet : sent_) arrived += arrive(packet) ? 1 : 0;
    return arrived;
  }

 private:
  [[nodiscard]] bool is_last(std::uint32_t i) const { return i + 1 == ring_.switches; }

  void send(std::uint32_t i) {
    Switch& here = switches_[i];
    const std::uint32_t to = is_last(i) ? 0 : i + 1;
    for (std::uint32_t turn = 1; turn <= kChannels; ++turn) {
      const std::uint32_t channel = (here.last + turn) % kChannels;
      if (here.output[channel].empty() || switches_[to].used[channel] == ring_.buffer) continue;
      const Packet packet = here.output[channel].front();
      here.output[channel].pop_front();
      --here.used[packet.buffer];
      ++switches_[to].used[channel];
      here.last = channel;
      sent_.push_back({to, channel, packet.hops - 1});
      return;
    }
  }

  void inject(std::uint32_t i) {
    Switch& here = switches_[i];
    if (random_.unit() < ring_.offered) ++here.waiting;
    if (here.waiting == 0 || here.used[kHostBuffer] == ring_.buffer) return;
    --here.waiting;
    ++here.used[kHostBuffer];
    here.output[is_last(i) ? 1 : 0].push_back({kHostBuffer, ring_.hops});
  }

  bool arrive(const Sent& packet) {
    Switch& here = switches_[packet.to];
    if (packet.hops == 0) {
      --here.used[packet.channel];
      return true;
    }
    const std::uint32_t next = packet.channel == 1 || is_last(packet.to) ? 1 : 0;
    here.output[next].push_back({packet.channel, packet.hops});
    return false;
  }

  const SlottedRing& ring_;
  std::vector<Switch> switches_;
  std::vector<Sent> sent_;
  RandomStream random_ = RandomStream(1, "validate/slotted-ring");
};

}  // namespace

double accepted(const SlottedRing& ring) {
  Model model(ring);
  std::uint64_t arrived = 0;
  for (std::uint64_t t = 0; t < ring.slots; ++t) {
    const std::uint64_t now = model.slot();
    if (2 * t >= ring.slots) arrived += now;
  }
  const double slots = static_cast<double>(ring.slots) / 2;
  return static_cast<double>(arrived) / slots / static_cast<double>(ring.switches);
}

}  // namespace ebb::validate
