// SPDX-License-Identifier: Apache-2.0
//
// What crosses from one partition to another within a round.
#pragma once

#include "packet.hpp"

#include "ebb/units/time.hpp"

#include <cstdint>
#include <vector>

namespace ebb::netsim {

// A packet on a cut channel.
struct PacketMail {
  TimePoint at;
  std::uint32_t channel = 0;
  Packet packet;
};

// Space in the buffer of a cut channel that counts for its sender from `at` on.
struct CreditMail {
  TimePoint at;
  std::uint32_t channel = 0;
  std::uint32_t bits = 0;
  std::uint32_t vc = 0;
};

// Credits of a cut channel stay away or come again.
struct NoticeMail {
  TimePoint at;
  std::uint32_t channel = 0;
  bool dark = false;
};

struct Parcel {
  std::vector<PacketMail> packets;
  std::vector<CreditMail> credits;
  std::vector<NoticeMail> notices;

  void clear() {
    packets.clear();
    credits.clear();
    notices.clear();
  }
};

// By round (0 or 1), sender and receiver.
class Mail {
 public:
  explicit Mail(std::uint32_t partitions)
      : partitions_(partitions), parcels_(std::size_t{2} * partitions * partitions) {}

  [[nodiscard]] Parcel& parcel(std::uint32_t round, std::uint32_t from, std::uint32_t to) {
    return parcels_[(std::size_t{round} * partitions_ + from) * partitions_ + to];
  }

 private:
  std::uint32_t partitions_;
  std::vector<Parcel> parcels_;
};

}  // namespace ebb::netsim
