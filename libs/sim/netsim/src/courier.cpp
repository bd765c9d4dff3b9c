// SPDX-License-Identifier: Apache-2.0
#include "courier.hpp"

#include <set>

namespace ebb::netsim {
namespace {

std::vector<std::uint32_t> neighbours(const World& world) {
  std::set<std::uint32_t> ranks;
  const std::uint32_t here = world.build.ranks.rank();
  for (std::uint32_t which = 0; which < world.fixed.size(); ++which) {
    const std::uint32_t from = world.rank_of(world.partition_of(which));
    const std::uint32_t to = world.rank_of(world.owner_of(world.fixed[which].target));
    if (from == here && to != here) ranks.insert(to);
  }
  return {ranks.begin(), ranks.end()};
}

template <class Item>
void append_items(Bytes& bytes, std::vector<Item>& items) {
  append_list(bytes, items);
  items.clear();
}

// Hands each item to the parcel that `parcel_of` gives for it.
template <class Item, class ParcelOf>
void take_items(ByteReader& reader, std::vector<Item> Parcel::*list, ParcelOf parcel_of) {
  for (auto count = reader.take<std::uint64_t>(); count > 0; --count) {
    const Item item = reader.take<Item>();
    (parcel_of(item).*list).push_back(item);
  }
}

}  // namespace

Courier::Courier(const World& world, Mail& mail)
    : world_(world),
      mail_(mail),
      neighbours_(neighbours(world)),
      out_(neighbours_.size()),
      in_(neighbours_.size()) {}

TimePoint Courier::meet(std::uint32_t round, TimePoint earliest) {
  if (world_.build.ranks.alone()) return earliest;
  for (std::size_t i = 0; i < neighbours_.size(); ++i) pack(round, neighbours_[i], out_[i]);
  const std::int64_t least =
      world_.build.ranks.exchange(neighbours_, out_, in_, earliest.time_since_epoch().count());
  for (std::size_t i = 0; i < neighbours_.size(); ++i) unpack(round, neighbours_[i], in_[i]);
  return TimePoint(Duration(least));
}

void Courier::pack(std::uint32_t round, std::uint32_t rank, Bytes& bytes) {
  bytes.clear();
  for (std::uint32_t p = 0; p < world_.partitions_here; ++p) {
    Parcel& parcel = mail_.to_rank(round, p, rank);
    append_items(bytes, parcel.packets);
    append_items(bytes, parcel.credits);
    append_items(bytes, parcel.notices);
    append_items(bytes, parcel.events);
  }
}

// A packet goes to the node that its channel leads to, credits and news to the one that sends on
// it.
void Courier::unpack(std::uint32_t round, std::uint32_t rank, const Bytes& bytes) {
  const auto parcel_of = [&](std::uint32_t node) -> Parcel& {
    return mail_.from_rank(round, rank, world_.place_here(world_.owner_of(node)));
  };
  const auto to_target = [&](const auto& item) -> Parcel& {
    return parcel_of(world_.fixed[item.channel].target);
  };
  const auto to_source = [&](const auto& item) -> Parcel& {
    return parcel_of(world_.source_of(item.channel));
  };
  const auto to_receiver = [&](const EventMail& item) -> Parcel& {
    return parcel_of(item.receiver);
  };
  ByteReader reader(bytes);
  while (!reader.empty()) {
    take_items(reader, &Parcel::packets, to_target);
    take_items(reader, &Parcel::credits, to_source);
    take_items(reader, &Parcel::notices, to_source);
    take_items(reader, &Parcel::events, to_receiver);
  }
}

}  // namespace ebb::netsim
