// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/builder.hpp"

#include "layout.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

namespace ebb::program {
namespace {

template <class T>
void put(std::vector<std::byte>& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
void put_at(std::vector<std::byte>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::uint64_t amount(const Operation& operation) {
  if (operation.kind == Operation::Kind::compute) {
    using std::chrono::nanoseconds;
    return static_cast<std::uint64_t>(std::chrono::floor<nanoseconds>(operation.time).count());
  }
  return static_cast<std::uint64_t>(operation.size.count()) / 8;
}

}  // namespace

std::uint32_t RankBuilder::add(const Operation& operation, std::uint32_t line) {
  items_.push_back({operation, line});
  return size() - 1;
}

void RankBuilder::wait_for_end(std::uint32_t later, std::uint32_t earlier) {
  ++items_[later].dependencies;
  ++items_[earlier].after_end;
  ends_.push_back({earlier, later});
}

void RankBuilder::wait_for_start(std::uint32_t later, std::uint32_t earlier) {
  ++items_[later].dependencies;
  ++items_[earlier].after_start;
  starts_.push_back({earlier, later});
}

ProgramBuilder::ProgramBuilder(std::uint32_t ranks) : ranks_(ranks) {
  put(bytes_, layout::kCookie);
  put(bytes_, ranks);
  bytes_.resize(layout::kTableAt + ranks * layout::kTableEntry);
}

void ProgramBuilder::add(const RankBuilder& rank) {
  EBB_CHECK(added_ < ranks_, "there are more ranks than were announced");
  const std::size_t entry = layout::kTableAt + added_++ * layout::kTableEntry;
  put_at(bytes_, entry, std::uint64_t{bytes_.size() - layout::kRanksAt});

  put(bytes_, rank.size());
  const auto is_root = [](const RankBuilder::Item& item) { return item.dependencies == 0; };
  put(bytes_,
      static_cast<std::uint32_t>(std::count_if(rank.items_.begin(), rank.items_.end(), is_root)));
  for (std::uint32_t which = 0; which < rank.size(); ++which) {
    if (is_root(rank.items_[which])) put(bytes_, which);
  }

  // Where the successors of each operation stand: those of its end, then those of its start.
  std::vector<std::uint32_t> next_end(rank.size());
  std::vector<std::uint32_t> next_start(rank.size());
  std::uint32_t successors = 0;
  for (std::uint32_t which = 0; which < rank.size(); ++which) {
    const RankBuilder::Item& item = rank.items_[which];
    const Operation& operation = item.operation;
    next_end[which] = successors;
    next_start[which] = successors + item.after_end;
    successors += item.after_end + item.after_start;

    put(bytes_, item.dependencies);
    put(bytes_, static_cast<std::uint8_t>(operation.kind));
    put(bytes_, operation.peer);
    put(bytes_, amount(operation));
    put(bytes_, operation.tag);
    put(bytes_, operation.cpu);
    put(bytes_, operation.nic);
    put(bytes_, item.after_end);
    put(bytes_, next_end[which]);
    put(bytes_, item.after_start);
    put(bytes_, next_start[which]);
    auto& highest_cpu = bytes_[layout::kHighestCpuAt];
    auto& highest_nic = bytes_[layout::kHighestNicAt];
    highest_cpu = std::max(highest_cpu, std::byte{operation.cpu});
    highest_nic = std::max(highest_nic, std::byte{operation.nic});
    has_lines_ = has_lines_ || item.line != 0;
    lines_.push_back(item.line);
  }

  const std::size_t at = bytes_.size();
  bytes_.resize(at + successors * sizeof(std::uint32_t));
  const auto store = [&](std::uint32_t& next, std::uint32_t later) {
    put_at(bytes_, at + next++ * sizeof later, later);
  };
  for (const auto& edge : rank.ends_) store(next_end[edge.earlier], edge.later);
  for (const auto& edge : rank.starts_) store(next_start[edge.earlier], edge.later);
  put_at(bytes_, entry + 8, std::uint64_t{bytes_.size() - layout::kRanksAt});
}

// A file of a few bytes can announce millions of such ranks: each costs the 16 bytes of its place
// and the 8 zero bytes of its two counts, and no call.
void ProgramBuilder::skip(std::uint32_t ranks) {
  EBB_CHECK(ranks <= ranks_ - added_, "there are more ranks than were announced");
  std::uint64_t place = bytes_.size() - layout::kRanksAt;
  bytes_.resize(bytes_.size() + ranks * layout::kRankHeader);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const std::size_t entry = layout::kTableAt + added_++ * layout::kTableEntry;
    put_at(bytes_, entry, place);
    place += layout::kRankHeader;
    put_at(bytes_, entry + 8, place);
  }
}

Program ProgramBuilder::build(std::string name) && {
  skip(ranks_ - added_);
  if (!has_lines_) lines_.clear();
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes_));
  return {std::move(name), owner, *owner, std::move(lines_)};
}

}  // namespace ebb::program
