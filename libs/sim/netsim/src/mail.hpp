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

// An event for a node of another partition.
struct EventMail {
  TimePoint at;
  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::uint32_t which = 0;
  std::uint32_t what = 0;  // Partition knows what these mean
};

struct Parcel {
  std::vector<PacketMail> packets;
  std::vector<CreditMail> credits;
  std::vector<NoticeMail> notices;
  std::vector<EventMail> events;

  void clear() {
    packets.clear();
    credits.clear();
    notices.clear();
    events.clear();
  }
};

// Between the partitions of this rank, which count from 0 here, and with other ranks. By round (0
// or 1), sender and receiver.
class Mail {
 public:
  Mail(std::uint32_t partitions, std::uint32_t ranks)
      : partitions_(partitions),
        ranks_(ranks),
        inside_(std::size_t{2} * partitions * partitions),
        out_(std::size_t{2} * partitions * ranks),
        in_(out_.size()) {}

  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }

  [[nodiscard]] Parcel& inside(std::uint32_t round, std::uint32_t from, std::uint32_t to) {
    return inside_[(std::size_t{round} * partitions_ + from) * partitions_ + to];
  }
  [[nodiscard]] Parcel& to_rank(std::uint32_t round, std::uint32_t from, std::uint32_t rank) {
    return out_[(std::size_t{round} * partitions_ + from) * ranks_ + rank];
  }
  [[nodiscard]] Parcel& from_rank(std::uint32_t round, std::uint32_t rank, std::uint32_t to) {
    return in_[(std::size_t{round} * partitions_ + to) * ranks_ + rank];
  }

 private:
  std::uint32_t partitions_;
  std::uint32_t ranks_;
  std::vector<Parcel> inside_;
  std::vector<Parcel> out_;
  std::vector<Parcel> in_;
};

}  // namespace ebb::netsim
