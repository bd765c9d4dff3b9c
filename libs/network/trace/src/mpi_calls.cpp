// SPDX-License-Identifier: Apache-2.0
#include "mpi_calls.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace ebb::trace {
namespace {

using program::Operation;

struct NamedCollective {
  program::Collective::Kind kind;
  std::string_view name;
};

constexpr std::array kCollectives = {
    NamedCollective{program::Collective::Kind::all_reduce, "all_reduce"},
    NamedCollective{program::Collective::Kind::reduce, "reduce"},
    NamedCollective{program::Collective::Kind::all_gather, "all_gather"},
    NamedCollective{program::Collective::Kind::gather, "gather"},
    NamedCollective{program::Collective::Kind::scatter, "scatter"},
    NamedCollective{program::Collective::Kind::broadcast, "broadcast"},
    NamedCollective{program::Collective::Kind::all_to_all, "all_to_all"},
    NamedCollective{program::Collective::Kind::reduce_scatter, "reduce_scatter"},
    NamedCollective{program::Collective::Kind::barrier, "barrier"},
};

Operation message(Operation::Kind kind, std::uint32_t peer, std::uint32_t tag, DataSize size) {
  return {.kind = kind, .peer = peer, .tag = tag, .size = size};
}

}  // namespace

std::vector<Parameter> algorithm_parameters() {
  std::vector<Parameter> parameters;
  parameters.reserve(kCollectives.size());
  for (const auto& [kind, name] : kCollectives) {
    const auto names = program::algorithms(kind);
    parameters.push_back({std::string(name), Choice{{names.begin(), names.end()}},
                          std::string(names.front()),
                          fmt::format("algorithm: {}", fmt::join(names, ", "))});
  }
  return parameters;
}

MpiCalls::MpiCalls(std::uint32_t ranks, const Parameters& parameters) : world_(ranks) {
  std::iota(world_.begin(), world_.end(), 0U);
  for (const auto& [kind, name] : kCollectives) algorithms_[kind] = parameters.choice(name);
}

void MpiCalls::begin(std::uint32_t rank) {
  earlier_ += built_.size();
  built_ = {};
  returned_.clear();
  collectives_.clear();
  use_group(world_, rank, 0);
}

void MpiCalls::use_group(std::span<const std::uint32_t> ranks, std::uint32_t place,
                         std::uint32_t number) {
  group_ = ranks;
  place_ = place;
  number_ = number;
}

std::uint32_t MpiCalls::add(const Operation& operation, int line) {
  const std::uint32_t added = built_.add(operation, static_cast<std::uint32_t>(line));
  for (const std::uint32_t earlier : returned_) built_.wait_for_end(added, earlier);
  return added;
}

// Of many one is made, so that what follows does not wait for each of them.
void MpiCalls::go_on_after(std::vector<std::uint32_t> operations) {
  returned_ = std::move(operations);
  if (returned_.size() > 2) returned_ = {add({.kind = Operation::Kind::compute}, 0)};
}

void MpiCalls::compute(Duration time, int line) {
  if (time == Duration{}) return;
  go_on_after({add({.kind = Operation::Kind::compute, .time = time}, line)});
}

void MpiCalls::send(std::uint32_t to, std::uint32_t tag, DataSize size, int line) {
  go_on_after({isend(to, tag, size, line)});
}

void MpiCalls::receive(std::uint32_t from, std::uint32_t tag, DataSize size, int line) {
  go_on_after({ireceive(from, tag, size, line)});
}

std::uint32_t MpiCalls::isend(std::uint32_t to, std::uint32_t tag, DataSize size, int line) {
  return add(message(Operation::Kind::send, to, tag, size), line);
}

std::uint32_t MpiCalls::ireceive(std::uint32_t from, std::uint32_t tag, DataSize size, int line) {
  return add(message(Operation::Kind::receive, from, tag, size), line);
}

void MpiCalls::send_receive(const Operation& send, const Operation& receive, int line) {
  exchange({send, receive}, line);
}

// What was to be waited for before is waited for still.
void MpiCalls::wait(std::span<const std::uint32_t> requests) {
  if (requests.empty()) return;
  std::vector<std::uint32_t> all = returned_;
  all.insert(all.end(), requests.begin(), requests.end());
  returned_.clear();
  go_on_after(std::move(all));
}

void MpiCalls::exchange(const std::vector<Operation>& messages, int line) {
  if (messages.empty()) return;
  std::vector<std::uint32_t> added;
  added.reserve(messages.size());
  for (const Operation& one : messages) added.push_back(add(one, line));
  go_on_after(std::move(added));
}

// Of 1,023 groups and 2^21 operations of each, so that those that are under way at the same time
// have different tags.
std::uint32_t MpiCalls::next_collective_tag() {
  constexpr std::uint32_t kGroups = 1023;
  constexpr std::uint32_t kOperations = 1U << 21U;
  return kFirstCollectiveCallTag + number_ % kGroups * kOperations +
         collectives_[number_]++ % kOperations;
}

void MpiCalls::append(program::Collective collective) {
  collective.ranks = group_;
  collective.me = place_;
  collective.tag = next_collective_tag();
  collective.algorithm = algorithms_[collective.kind];
  if (returned_.size() > 1) returned_ = {add({.kind = Operation::Kind::compute}, 0)};
  const auto after = returned_.empty() ? std::nullopt : std::optional(returned_.front());
  returned_ = {program::append(built_, collective, after)};
}

void MpiCalls::collective(Kind kind, DataSize size, std::uint32_t root) {
  append({.kind = kind, .ranks = {}, .root = root, .size = size});
}

void MpiCalls::collective(Kind kind, std::span<const DataSize> sizes) {
  append({.kind = kind, .ranks = {}, .sizes = sizes});
}

void MpiCalls::all_to_all(std::span<const DataSize> to, std::span<const DataSize> from, int line) {
  const std::uint32_t tag = next_collective_tag();
  const auto p = static_cast<std::uint32_t>(group_.size());
  std::vector<Operation> messages;
  messages.reserve(2 * std::size_t{p});
  for (std::uint32_t k = 1; k < p; ++k) {
    const std::uint32_t next = (place_ + k) % p;
    const std::uint32_t last = (place_ + p - k) % p;
    messages.push_back(message(Operation::Kind::receive, group_[last], tag, from[last]));
    messages.push_back(message(Operation::Kind::send, group_[next], tag, to[next]));
  }
  exchange(messages, line);
}

void MpiCalls::gather(std::uint32_t root, DataSize size, std::span<const DataSize> sizes,
                      int line) {
  const std::uint32_t tag = next_collective_tag();
  if (place_ != root) return send(group_[root], tag, size, line);
  exchange(with_others(Operation::Kind::receive, tag, sizes), line);
}

void MpiCalls::scatter(std::uint32_t root, DataSize size, std::span<const DataSize> sizes,
                       int line) {
  const std::uint32_t tag = next_collective_tag();
  if (place_ != root) return receive(group_[root], tag, size, line);
  exchange(with_others(Operation::Kind::send, tag, sizes), line);
}

std::vector<Operation> MpiCalls::with_others(Operation::Kind kind, std::uint32_t tag,
                                             std::span<const DataSize> sizes) const {
  std::vector<Operation> messages;
  messages.reserve(group_.size());
  for (std::uint32_t other = 0; other < group_.size(); ++other) {
    if (other != place_) messages.push_back(message(kind, group_[other], tag, sizes[other]));
  }
  return messages;
}

void MpiCalls::scan(DataSize size, Duration time, int line) {
  const std::uint32_t tag = next_collective_tag();
  if (place_ > 0) {
    receive(group_[place_ - 1], tag, size, line);
    compute(time, line);
  }
  if (place_ + 1 < group_.size()) send(group_[place_ + 1], tag, size, line);
}

void ChangeCounts::add(std::string_view what, std::string_view file, int line) {
  const auto found = changes_.find(what);
  Change& change =
      found != changes_.end()
          ? found->second
          : changes_.emplace(what, Change{0, fmt::format("{}:{}", file, line)}).first->second;
  ++change.count;
}

std::vector<std::string> ChangeCounts::sentences() const {
  std::vector<std::string> all;
  all.reserve(changes_.size());
  for (const auto& [what, change] : changes_) {
    all.push_back(change.count == 1 ? fmt::format("{} (at {})", what, change.first)
                                    : fmt::format("{} ({} times, first at {})", what, change.count,
                                                  change.first));
  }
  return all;
}

}  // namespace ebb::trace
