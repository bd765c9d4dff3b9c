// SPDX-License-Identifier: Apache-2.0
//
// What crosses from one partition to another within a round, here and between ranks: the outbox of
// the partitions of this rank, the exchange of its batches with other ranks, and values by channel
// that are gathered from the ranks that own them.
#pragma once

#include "calendar.hpp"
#include "network_state.hpp"
#include "packet.hpp"

#include "ebb/units/time.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::netsim {

// A packet on a cut channel.
struct PacketItem {
  TimePoint at;
  ChannelId channel{};
  Packet packet;
};

// Space in the buffer of a cut channel that counts for its sender from `at` on.
struct CreditItem {
  TimePoint at;
  ChannelId channel{};
  std::uint32_t bits = 0;
  std::uint32_t vc = 0;
};

// Credits of a cut channel stay away or come again.
struct NoticeItem {
  TimePoint at;
  ChannelId channel{};
  bool blocked = false;
};

// An event for a node of another partition.
struct EventItem {
  TimePoint at;
  NodeId receiver{};
  std::uint32_t which = 0;
  EventKind what{};
};

struct ExchangeBatch {
  std::vector<PacketItem> packets;
  std::vector<CreditItem> credits;
  std::vector<NoticeItem> notices;
  std::vector<EventItem> events;

  void clear() {
    packets.clear();
    credits.clear();
    notices.clear();
    events.clear();
  }
};

// Between the partitions of this rank, which count from 0 here, and with other ranks. By round (0
// or 1), sender and receiver.
class Outbox {
 public:
  Outbox(std::uint32_t partitions, std::uint32_t ranks)
      : partitions_(partitions),
        ranks_(ranks),
        inside_(std::size_t{2} * partitions * partitions),
        out_(std::size_t{2} * partitions * ranks),
        in_(out_.size()) {}

  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }

  [[nodiscard]] ExchangeBatch& inside(std::uint32_t round, std::uint32_t from, std::uint32_t to) {
    return inside_[(std::size_t{round} * partitions_ + from) * partitions_ + to];
  }
  [[nodiscard]] ExchangeBatch& to_rank(std::uint32_t round, std::uint32_t from,
                                       std::uint32_t rank) {
    return out_[(std::size_t{round} * partitions_ + from) * ranks_ + rank];
  }
  [[nodiscard]] ExchangeBatch& from_rank(std::uint32_t round, std::uint32_t rank,
                                         std::uint32_t to) {
    return in_[(std::size_t{round} * partitions_ + to) * ranks_ + rank];
  }

 private:
  std::uint32_t partitions_;
  std::uint32_t ranks_;
  std::vector<ExchangeBatch> inside_;
  std::vector<ExchangeBatch> out_;
  std::vector<ExchangeBatch> in_;
};

// The end of one partition: what its nodes tell those of others.
class Exchange {
 public:
  Exchange(const NetworkState& net, Outbox& outbox, Calendar& calendar, std::uint32_t number)
      : net_(net), outbox_(outbox), calendar_(calendar), number_(number) {}

  [[nodiscard]] TimePoint earliest_enqueued() const { return earliest_enqueued_; }

  // The batch for the partition of a node, to be read there before `at`.
  [[nodiscard]] ExchangeBatch& enqueue(NodeId to_node, TimePoint at);
  // An event for a neighbour, wherever it lives.
  void send(NodeId from, NodeId to, TimePoint at, EventKind what, std::uint32_t which);

  // What other partitions have enqueued in `round` becomes events here; calls
  // credit(CreditItem) for what is none.
  template <class TakeCredit>
  void receive(std::uint32_t round, PacketPool& packets, TakeCredit credit) {
    round_ = round ^ 1U;
    earliest_enqueued_ = kNever;
    const std::uint32_t me = net_.place_here(number_);
    const auto take = [&](ExchangeBatch& batch) {
      take_in(batch, packets);
      for (const CreditItem& item : batch.credits) credit(item);
      batch.clear();
    };
    for (std::uint32_t p = 0; p < net_.partitions_here; ++p) take(outbox_.inside(round, p, me));
    for (std::uint32_t r = 0; r < outbox_.ranks(); ++r) take(outbox_.from_rank(round, r, me));
  }

 private:
  void take_in(const ExchangeBatch& batch, PacketPool& packets);

  const NetworkState& net_;
  Outbox& outbox_;
  Calendar& calendar_;
  const std::uint32_t number_;            // of all ranks' partitions
  std::uint32_t round_ = 0;               // in which it enqueues
  TimePoint earliest_enqueued_ = kNever;  // in this round
};

// Carries batches between the partitions of this rank and those of others. Buffers are kept: once
// they have reached their working size nothing is allocated.
class RankExchange {
 public:
  RankExchange(const NetworkState& net, Outbox& outbox);

  // Swaps what was enqueued in `round` with the neighbours; gives the earliest time of all ranks.
  TimePoint exchange(std::uint32_t round, TimePoint earliest);

 private:
  void pack(std::uint32_t round, std::uint32_t rank, Bytes& bytes);
  void unpack(std::uint32_t round, std::uint32_t rank, const Bytes& bytes);

  const NetworkState& net_;
  Outbox& outbox_;
  std::vector<std::uint32_t> neighbours_;  // ranks at the other end of a cut link
  std::vector<Bytes> out_;                 // by neighbour
  std::vector<Bytes> in_;
};

// Which channels live on which rank, and values by channel that travel between ranks: each sends
// those of its own channels, ascending, and whoever receives them knows whose they are.
class ChannelGathering {
 public:
  explicit ChannelGathering(const NetworkState& net);

  // Of this rank, ascending.
  [[nodiscard]] std::span<const ChannelId> here() const { return of_[communicator_.rank()]; }

  // Calls put(channel, value) for channels of other ranks, with what `get` gives for a channel
  // where it lives: on every rank, or on rank 0 alone.
  template <class Get, class Put>
  void share(Get get, Put put) const {
    if (!communicator_.is_serial()) spread(communicator_.all_gather(pack(get)), get, put);
  }
  template <class Get, class Put>
  void collect(Get get, Put put) const {
    if (!communicator_.is_serial()) spread(communicator_.gather(pack(get)), get, put);
  }

 private:
  template <class Get>
  [[nodiscard]] Bytes pack(Get get) const {
    Bytes bytes;
    bytes.reserve(here().size() * sizeof(get(ChannelId{})));
    for (const ChannelId channel : here()) append(bytes, get(channel));
    return bytes;
  }
  template <class Get, class Put>
  void spread(const std::vector<Bytes>& by_rank, Get /*get*/, Put put) const {
    using Value = std::invoke_result_t<Get, ChannelId>;
    for (std::uint32_t r = 0; r < by_rank.size(); ++r) {
      if (r == communicator_.rank()) continue;
      ByteReader reader(by_rank[r]);
      for (const ChannelId channel : of_[r]) put(channel, reader.take<Value>());
    }
  }

  mpi::Communicator& communicator_;
  std::vector<std::vector<ChannelId>> of_;  // by rank
};

}  // namespace ebb::netsim
