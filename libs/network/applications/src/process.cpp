// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

namespace ebb::applications {
namespace {

using program::Operation;

constexpr std::uint64_t kMostOperations = 200'000'000;
constexpr std::uint32_t kFirstCollectiveTag = 1'000'000;  // above those of applications

}  // namespace

std::uint32_t Process::add(Operation operation, const Ends& after) {
  operation.cpu = cpu_;
  const std::uint32_t added = operations_.add(operation);
  for (const std::uint32_t earlier : after) operations_.wait_for_end(added, earlier);
  return added;
}

void Process::compute(Duration time) {
  if (time > Duration{}) last_ = {add({.kind = Operation::Kind::compute, .time = time}, last_)};
}

void Process::exchange(const std::vector<Message>& receives, const std::vector<Message>& sends) {
  if (last_.size() > 2 && receives.size() + sends.size() > 2)
    last_ = {add({.kind = Operation::Kind::compute}, last_)};  // instead of an edge for each pair
  Ends these;
  these.reserve(receives.size() + sends.size());
  const auto add_all = [&](const std::vector<Message>& messages, Operation::Kind kind) {
    for (const Message& message : messages) {
      if (message.peer == rank_) continue;
      these.push_back(add(
          {.kind = kind, .peer = message.peer, .tag = message.tag, .size = message.size}, last_));
    }
  };
  add_all(receives, Operation::Kind::receive);
  add_all(sends, Operation::Kind::send);
  if (!these.empty()) last_ = std::move(these);
}

void Process::take_part(program::Collective collective) {
  collective.tag = kFirstCollectiveTag + collectives_++;
  take_part(collective, world_, rank_);
}

void Process::take_part(program::Collective collective, std::span<const std::uint32_t> group,
                        std::uint32_t me) {
  if (group.size() < 2) return;
  collective.ranks = group;
  collective.me = me;
  collective.cpu = cpu_;
  if (collective.algorithm.empty()) collective.algorithm = "auto";
  if (last_.size() > 1) last_ = {add({.kind = Operation::Kind::compute}, last_)};
  last_ = {
      append(operations_, collective, last_.empty() ? std::nullopt : std::optional(last_.front()))};
}

Result<program::Program> make_ranks(std::uint32_t ranks, const std::string& name,
                                    const std::function<void(Process&)>& run) {
  std::vector<std::uint32_t> world(ranks);
  std::iota(world.begin(), world.end(), 0U);
  program::ProgramBuilder builder(ranks);
  std::uint64_t operations = 0;
  for (const std::uint32_t rank : world) {
    Process process(rank, world);
    run(process);
    operations += process.operations().size();
    if (operations > kMostOperations) {
      return fail(fmt::format("{} of {} ranks has more than {} million operations: make it smaller",
                              name, ranks, kMostOperations / 1'000'000));
    }
    builder.add(process.operations());
  }
  return std::move(builder).build(fmt::format("{} of {} ranks", name, ranks));
}

Parameter flops_parameter(std::string fallback) {
  return {"flops", Range<std::int64_t>{1, 1'000'000'000'000'000'000}, std::move(fallback),
          "operations in a second of one rank"};
}

Duration time_of(double operations, std::int64_t per_second) {
  constexpr double kLongest = 1e15;  // nanoseconds, that of an operation of a program
  const double nanoseconds = operations * 1e9 / static_cast<double>(per_second);
  return std::chrono::nanoseconds(std::llround(std::min(nanoseconds, kLongest)));
}

}  // namespace ebb::applications
