// SPDX-License-Identifier: Apache-2.0

#include "partition_exchange.hpp"

#include <algorithm>
#include <set>

namespace ebb::netsim {
namespace {

std::vector<std::uint32_t> neighbours(const NetworkState& net) {
  std::set<std::uint32_t> ranks;
  const std::uint32_t here = net.config.communicator.rank();
  for (std::uint32_t number = 0; number < net.channels.size(); ++number) {
    const ChannelId channel{number};
    const std::uint32_t from = net.rank_of(net.partition_of(channel));
    const std::uint32_t to = net.rank_of(net.owner_of(net.fixed(channel).target));
    if (from == here && to != here) ranks.insert(to);
  }
  return {ranks.begin(), ranks.end()};
}

template <class Item>
void append_items(Bytes& bytes, std::vector<Item>& items) {
  append_list(bytes, items);
  items.clear();
}

// Hands each item to the batch that `batch_of` gives for it.
template <class Item, class BatchOf>
void take_items(ByteReader& reader, std::vector<Item> ExchangeBatch::*list, BatchOf batch_of) {
  for (auto count = reader.take<std::uint64_t>(); count > 0; --count) {
    const Item item = reader.take<Item>();
    (batch_of(item).*list).push_back(item);
  }
}

}  // namespace

ExchangeBatch& Exchange::enqueue(NodeId to_node, TimePoint at) {
  earliest_enqueued_ = std::min(earliest_enqueued_, at);
  const std::uint32_t to = net_.owner_of(to_node);
  const std::uint32_t me = net_.place_here(number_);
  if (net_.is_here(to)) return outbox_.inside(round_, me, net_.place_here(to));
  return outbox_.to_rank(round_, me, net_.rank_of(to));
}

void Exchange::send(NodeId from, NodeId to, TimePoint at, EventKind what, std::uint32_t which) {
  if (net_.owner_of(from) == net_.owner_of(to)) return calendar_.schedule(to, at, what, which);
  enqueue(to, at).events.push_back({at, to, which, what});
}

void Exchange::take_in(const ExchangeBatch& batch, PacketPool& packets) {
  for (const PacketItem& item : batch.packets) {
    const PacketIndex packet = packets.take();
    packets[packet] = item.packet;
    calendar_.schedule_arrival(item.channel, item.at, packet);
  }
  for (const NoticeItem& item : batch.notices) {
    const EventKind what =
        item.blocked ? EventKind::credit_return_blocked : EventKind::credit_return_unblocked;
    calendar_.schedule_own(item.channel, item.at, what);
  }
  for (const EventItem& item : batch.events)
    calendar_.schedule(item.receiver, item.at, item.what, item.which);
}

RankExchange::RankExchange(const NetworkState& net, Outbox& outbox)
    : net_(net),
      outbox_(outbox),
      neighbours_(neighbours(net)),
      out_(neighbours_.size()),
      in_(neighbours_.size()) {}

TimePoint RankExchange::exchange(std::uint32_t round, TimePoint earliest) {
  if (net_.config.communicator.is_serial()) return earliest;
  for (std::size_t i = 0; i < neighbours_.size(); ++i) pack(round, neighbours_[i], out_[i]);
  const std::int64_t least = net_.config.communicator.exchange(neighbours_, out_, in_,
                                                               earliest.time_since_epoch().count());
  for (std::size_t i = 0; i < neighbours_.size(); ++i) unpack(round, neighbours_[i], in_[i]);
  return TimePoint(Duration(least));
}

void RankExchange::pack(std::uint32_t round, std::uint32_t rank, Bytes& bytes) {
  bytes.clear();
  for (std::uint32_t p = 0; p < net_.partitions_here; ++p) {
    ExchangeBatch& batch = outbox_.to_rank(round, p, rank);
    append_items(bytes, batch.packets);
    append_items(bytes, batch.credits);
    append_items(bytes, batch.notices);
    append_items(bytes, batch.events);
  }
}

// A packet goes to the node that its channel leads to, credits and notices to the one that sends on
// it.
void RankExchange::unpack(std::uint32_t round, std::uint32_t rank, const Bytes& bytes) {
  const auto batch_of = [&](NodeId node) -> ExchangeBatch& {
    return outbox_.from_rank(round, rank, net_.place_here(net_.owner_of(node)));
  };
  const auto to_target = [&](const auto& item) -> ExchangeBatch& {
    return batch_of(net_.fixed(item.channel).target);
  };
  const auto to_source = [&](const auto& item) -> ExchangeBatch& {
    return batch_of(net_.source_of(item.channel));
  };
  const auto to_receiver = [&](const EventItem& item) -> ExchangeBatch& {
    return batch_of(item.receiver);
  };
  ByteReader reader(bytes);
  while (!reader.empty()) {
    take_items(reader, &ExchangeBatch::packets, to_target);
    take_items(reader, &ExchangeBatch::credits, to_source);
    take_items(reader, &ExchangeBatch::notices, to_source);
    take_items(reader, &ExchangeBatch::events, to_receiver);
  }
}

ChannelGathering::ChannelGathering(const NetworkState& net)
    : communicator_(net.config.communicator), of_(communicator_.count()) {
  for (std::uint32_t number = 0; number < net.channels.size(); ++number) {
    const ChannelId channel{number};
    of_[net.rank_of(net.partition_of(channel))].push_back(channel);
  }
}

}  // namespace ebb::netsim
