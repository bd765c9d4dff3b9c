// SPDX-License-Identifier: Apache-2.0
#include "otf2_records.hpp"

#include "ebb/program/check.hpp"
#include "ebb/units/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace ebb::trace {
namespace {

using Recorded = Otf2Collective::Kind;
using Expanded = program::Collective::Kind;
using program::Operation;

constexpr std::uint32_t kFirstOtherTag = 0x2000'0000;  // of messages whose tag is another's
constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 57U;
constexpr std::uint64_t kMostComputeNanoseconds = 1'000'000'000'000'000;  // 11 days
constexpr std::uint64_t kMostExpanded = std::uint64_t{1} << 30U;          // operations

// Nothing for a scan, which has no algorithm of its own.
std::optional<Expanded> expanded(Recorded kind) {
  switch (kind) {
    case Recorded::broadcast:
      return Expanded::broadcast;
    case Recorded::gather:
    case Recorded::gather_v:
      return Expanded::gather;
    case Recorded::scatter:
    case Recorded::scatter_v:
      return Expanded::scatter;
    case Recorded::all_gather:
    case Recorded::all_gather_v:
      return Expanded::all_gather;
    case Recorded::all_to_all:
    case Recorded::all_to_all_v:
    case Recorded::all_to_all_w:
      return Expanded::all_to_all;
    case Recorded::all_reduce:
      return Expanded::all_reduce;
    case Recorded::reduce:
      return Expanded::reduce;
    case Recorded::reduce_scatter:
    case Recorded::reduce_scatter_block:
      return Expanded::reduce_scatter;
    case Recorded::scan:
    case Recorded::exclusive_scan:
      return std::nullopt;
    default:
      return Expanded::barrier;
  }
}

bool is_uneven(Recorded kind) {
  return kind == Recorded::gather_v || kind == Recorded::scatter_v ||
         kind == Recorded::all_gather_v || kind == Recorded::all_to_all_v ||
         kind == Recorded::all_to_all_w || kind == Recorded::reduce_scatter;
}

// In the meaning of program::Collective::size. Records have what the rank sent and received in all.
std::uint64_t expanded_size(const Otf2Collective& collective, std::size_t ranks) {
  switch (expanded(collective.kind).value_or(Expanded::all_reduce)) {
    case Expanded::barrier:
      return 0;
    case Expanded::broadcast:
    case Expanded::scatter:
    case Expanded::reduce_scatter:
      return collective.received;
    case Expanded::all_to_all:
      return collective.sent / ranks + (collective.sent % ranks > 0 ? 1 : 0);
    default:
      return collective.sent;
  }
}

bool is_rooted(Recorded kind) {
  const auto what = expanded(kind);
  return what == Expanded::broadcast || what == Expanded::gather || what == Expanded::scatter ||
         what == Expanded::reduce;
}

}  // namespace

std::uint32_t Otf2Rank::add(Step::Kind kind) {
  constexpr std::size_t kMostLast = 4;
  if (last_.size() > kMostLast) last_ = {append(Step::Kind::compute)};  // of 0 s, a join
  return append(kind);
}

std::uint32_t Otf2Rank::append(Step::Kind kind) {
  Step step;
  step.kind = kind;
  step.first_after = after_.size();
  step.after = last_.size();
  after_.insert(after_.end(), last_.begin(), last_.end());
  steps_.push_back(step);
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

void Otf2Rank::at(std::uint64_t time) {
  if (time < now_) ++backwards_;
  now_ = std::max(now_, time);
  if (!computing_since_ && depth_ == 0) computing_since_ = now_;
}

void Otf2Rank::compute_until_now() {
  if (!computing_since_) return;
  const Int128 nanoseconds = static_cast<Int128>(now_ - *computing_since_) * 1'000'000'000 /
                             std::max<std::uint64_t>(ticks_per_second_, 1);
  computing_since_.reset();
  if (nanoseconds == 0) return;
  constexpr Int128 kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint32_t step = add(Step::Kind::compute);
  steps_[step].nanoseconds = static_cast<std::uint64_t>(std::min(nanoseconds, kMost));
  last_ = {step};
}

void Otf2Rank::enter_mpi() {
  if (depth_++ == 0) compute_until_now();
}

void Otf2Rank::leave_mpi() {
  if (depth_ > 0 && --depth_ == 0) computing_since_ = now_;
}

std::uint32_t Otf2Rank::completed(std::optional<std::uint64_t> request, Step::Kind kind) {
  std::uint32_t step = 0;
  const auto found = request ? requests_.find(*request) : requests_.end();
  if (found != requests_.end()) {
    step = found->second;
    requests_.erase(found);
    steps_[step].kind = kind;
    last_.push_back(step);
  } else {
    if (request) ++unrequested_;
    step = add(kind);
    last_ = {step};
  }
  return step;
}

void Otf2Rank::send(const Otf2Message& message, std::optional<std::uint64_t> request) {
  const std::uint32_t step = add(Step::Kind::send);
  steps_[step].message = message;
  if (request) {
    requests_[*request] = step;
  } else {
    last_ = {step};
  }
}

void Otf2Rank::send_completed(std::uint64_t request) {
  const auto found = requests_.find(request);
  if (found == requests_.end() || steps_[found->second].kind != Step::Kind::send) return;
  last_.push_back(found->second);
  requests_.erase(found);
}

void Otf2Rank::receive_requested(std::uint64_t request) {
  requests_[request] = add(Step::Kind::requested);
}

void Otf2Rank::receive(const Otf2Message& message, std::optional<std::uint64_t> request) {
  steps_[completed(request, Step::Kind::receive)].message = message;
}

void Otf2Rank::collective_requested(std::uint64_t request) {
  requests_[request] = add(Step::Kind::requested);
}

void Otf2Rank::collective(const Otf2Collective& collective, std::optional<std::uint64_t> request) {
  steps_[completed(request, Step::Kind::collective)].collective = collective;
}

Otf2Records::Otf2Records(Otf2Definitions definitions, std::string name)
    : definitions_(std::move(definitions)),
      name_(std::move(name)),
      ranks_(definitions_.ranks, Otf2Rank(definitions_.ticks_per_second)),
      parts_(definitions_.ranks),
      next_tag_(kFirstOtherTag) {}

void Otf2Records::report(std::string message, std::uint32_t rank) {
  if (errors_.size() < program::kMostErrors)
    errors_.push_back({std::move(message), {name_, 0, 0, fmt::format("rank {}", rank)}});
}

const Otf2Communicator* Otf2Records::find(std::uint32_t communicator, std::uint32_t rank) {
  const auto found = definitions_.communicators.find(communicator);
  if (found != definitions_.communicators.end()) return &found->second;
  report(fmt::format("communicator {} is not defined", communicator), rank);
  return nullptr;
}

// The rank of MPI_COMM_WORLD that a message goes to or comes from.
std::optional<std::uint32_t> Otf2Records::peer(const Otf2Message& message, std::uint32_t rank) {
  const Otf2Communicator* communicator = find(message.communicator, rank);
  if (communicator == nullptr) return std::nullopt;
  const bool to_remote =
      !communicator->remote.empty() && std::ranges::count(communicator->ranks, rank) > 0;
  const auto& others = to_remote ? communicator->remote : communicator->ranks;
  std::optional<std::uint32_t> found;
  if (communicator->has_world_ranks) {
    found = message.peer;
  } else if (message.peer < others.size()) {
    found = others[message.peer];
  } else if (others.empty() && message.peer == 0) {
    found = rank;
  }
  if (found && *found < definitions_.ranks) return found;
  report(fmt::format("communicator {} has no rank {}", message.communicator, message.peer), rank);
  return std::nullopt;
}

// Messages of different communicators never meet: the second that uses a tag has another one.
std::uint32_t Otf2Records::tag(const Otf2Message& message) {
  const auto [at, is_new] = tags_.try_emplace({message.communicator, message.tag}, message.tag);
  if (is_new) {
    const auto owner = tag_owner_.try_emplace(message.tag, message.communicator).first;
    if (owner->second != message.communicator || message.tag >= kFirstOtherTag)
      at->second = next_tag_++;
  }
  return at->second;
}

// Ranks and tags of messages become those of the program, and collectives find their groups.
void Otf2Records::resolve(std::uint32_t rank) {
  std::unordered_map<CollectiveGroups::Index, std::size_t> next;
  for (Otf2Rank::Step& step : ranks_[rank].steps_) {
    if (errors_.size() >= program::kMostErrors) return;
    using Kind = Otf2Rank::Step::Kind;
    if (step.kind == Kind::compute && step.nanoseconds > kMostComputeNanoseconds)
      report("computes for more than 11 days", rank);
    if (step.kind == Kind::send || step.kind == Kind::receive) {
      if (step.message.size > kMostMessageBytes)
        report("has a message of more bytes than ebb counts", rank);
      const auto other = peer(step.message, rank);
      step.message.tag = tag(step.message);
      if (other) step.message.peer = *other;
    }
    if (step.kind == Kind::collective) meet(step.collective, rank, next);
  }
}

std::optional<CollectiveGroups::Index> Otf2Records::group_of(std::uint32_t number,
                                                             std::uint32_t rank) {
  const Otf2Communicator* communicator = find(number, rank);
  if (communicator == nullptr) return std::nullopt;
  if (communicator->ranks.empty()) return groups_.index_of({rank});
  const auto [at, is_new] = group_of_communicator_.try_emplace(number);
  if (is_new) {
    std::vector<std::uint32_t> ranks = communicator->ranks;
    std::ranges::sort(ranks);
    if (communicator->remote.empty() && ranks.back() < definitions_.ranks)
      at->second = groups_.index_of(std::move(ranks));
  }
  if (!at->second) report(fmt::format("communicator {} cannot have collectives", number), rank);
  return at->second;
}

// As a rank of MPI_COMM_WORLD; any rank of the group for a collective without a root.
std::uint32_t Otf2Records::root_of(const Otf2Collective& collective, std::uint32_t rank) const {
  const Otf2Communicator& communicator = definitions_.communicators.at(collective.communicator);
  if (communicator.ranks.empty() || !is_rooted(collective.kind)) return rank;
  if (communicator.has_world_ranks) return collective.root;
  if (collective.root < communicator.ranks.size()) return communicator.ranks[collective.root];
  return program::kAny;
}

void Otf2Records::meet(const Otf2Collective& collective, std::uint32_t rank,
                       std::unordered_map<CollectiveGroups::Index, std::size_t>& next) {
  const auto group = group_of(collective.communicator, rank);
  if (!group) return;
  const std::vector<std::uint32_t>& ranks = groups_.ranks(*group);
  const std::uint32_t root = root_of(collective, rank);
  if (!std::ranges::binary_search(ranks, rank) || !std::ranges::binary_search(ranks, root)) {
    return report(
        fmt::format("communicator {} has not both this rank and the root {} of a collective",
                    collective.communicator, collective.root),
        rank);
  }
  const std::uint64_t size = expanded_size(collective, ranks.size());
  if (size > kMostMessageBytes)
    return report("has a collective of more bytes than ebb counts", rank);
  if (ranks.front() == rank) {
    handles_ += collective.kind >= Recorded::handles ? 1U : 0U;
    uneven_ += is_uneven(collective.kind) ? 1U : 0U;
  }
  operations_ += 4 * ranks.size();
  const auto taken = groups_.take_part(*group, rank, static_cast<std::uint32_t>(collective.kind),
                                       bytes(static_cast<std::int64_t>(size)));
  if (!taken) report(taken.error().front().message, rank);
  parts_[rank].push_back({*group, next[*group]++, groups_.place(*group, root)});
}

Result<Trace> Otf2Records::program(std::string_view all_reduce) {
  for (std::uint32_t rank = 0; rank < definitions_.ranks; ++rank) {
    Otf2Rank& records = ranks_[rank];
    records.compute_until_now();
    resolve(rank);
  }
  if (errors_.empty()) {
    errors_ = groups_.validate();
    for (Error& error : errors_) error.where.file = name_;
  }
  if (operations_ > kMostExpanded) {
    errors_.push_back(
        {fmt::format("its collectives are more than {} messages", kMostExpanded), {name_}});
  }
  if (!errors_.empty()) return fail(std::move(errors_));
  numbers_ = groups_.first_numbers();
  program::ProgramBuilder builder(definitions_.ranks);
  for (std::uint32_t rank = 0; rank < definitions_.ranks; ++rank)
    builder.add(build(rank, all_reduce));
  return Trace{std::move(builder).build(name_), {}, repairs()};
}

program::RankBuilder Otf2Records::build(std::uint32_t rank, std::string_view all_reduce) {
  using Kind = Otf2Rank::Step::Kind;
  const Otf2Rank& records = ranks_[rank];
  program::RankBuilder builder;
  std::vector<std::uint32_t> ends(records.steps_.size());
  auto part = parts_[rank].begin();
  for (std::size_t i = 0; i < records.steps_.size(); ++i) {
    const Otf2Rank::Step& step = records.steps_[i];
    if (step.kind == Kind::requested) continue;
    std::uint32_t first = 0;
    if (step.kind == Kind::collective) {
      std::optional<std::uint32_t> join;
      if (step.after > 0) join = first = builder.add({});
      ends[i] = append_collective(builder, rank, step.collective, *part++, join, all_reduce);
    } else if (step.kind == Kind::compute) {
      first = ends[i] = builder.add({.time = std::chrono::nanoseconds(step.nanoseconds)});
    } else {
      first = ends[i] = builder.add(
          {.kind = step.kind == Kind::send ? Operation::Kind::send : Operation::Kind::receive,
           .peer = step.message.peer,
           .tag = step.message.tag,
           .size = bytes(static_cast<std::int64_t>(step.message.size))});
    }
    for (std::size_t which = 0; which < step.after; ++which)
      builder.wait_for_end(first, ends[records.after_[step.first_after + which]]);
  }
  return builder;
}

std::uint32_t Otf2Records::append_collective(program::RankBuilder& builder, std::uint32_t rank,
                                             const Otf2Collective& collective, const Part& part,
                                             std::optional<std::uint32_t> after,
                                             std::string_view all_reduce) {
  const std::vector<std::uint32_t>& ranks = groups_.ranks(part.group);
  const std::uint32_t me = groups_.place(part.group, rank);
  const DataSize size = groups_.size(part.group, part.which);
  const std::uint32_t tag =
      kFirstNumberedCollectiveTag + static_cast<std::uint32_t>(numbers_[part.group] + part.which);
  if (const auto kind = expanded(collective.kind)) {
    const std::string_view algorithm = *kind == Expanded::all_reduce ? all_reduce : "";
    return append(builder,
                  {.kind = *kind,
                   .ranks = ranks,
                   .me = me,
                   .root = part.root,
                   .size = size,
                   .tag = tag,
                   .algorithm = algorithm},
                  after);
  }
  // A scan goes from rank to rank.
  const auto chain = [&](Operation::Kind kind, std::uint32_t other) {
    const std::uint32_t next =
        builder.add({.kind = kind, .peer = ranks[other], .tag = tag, .size = size});
    if (after) builder.wait_for_end(next, *after);
    after = next;
  };
  if (me > 0) chain(Operation::Kind::receive, me - 1);
  if (me + 1 < ranks.size()) chain(Operation::Kind::send, me + 1);
  return after ? *after : builder.add({});
}

std::vector<std::string> Otf2Records::repairs() const {
  std::uint64_t left_out = 0;
  std::uint64_t unrequested = 0;
  std::uint64_t backwards = 0;
  std::uint64_t one_sided = 0;
  for (const Otf2Rank& rank : ranks_) {
    left_out += static_cast<std::uint64_t>(
        std::ranges::count(rank.steps_, Otf2Rank::Step::Kind::requested, &Otf2Rank::Step::kind));
    unrequested += rank.unrequested_;
    backwards += rank.backwards_;
    one_sided += rank.one_sided_;
  }
  std::vector<std::string> all;
  const auto say = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) all.push_back(fmt::format("{} {}", count, what));
  };
  say(left_out, "receives and collectives that were requested and never ended were left out");
  say(unrequested,
      "receives and collectives whose request is not there were taken to begin where they end");
  say(handles_,
      "collectives that create or free communicators, windows or files were taken as barriers");
  say(uneven_, "collectives with a size for each rank took the largest for all");
  say(one_sided, "one-sided transfers (RMA) were left out");
  say(backwards, "records are earlier than the one before, and took its time");
  return all;
}

}  // namespace ebb::trace
