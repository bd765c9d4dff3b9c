// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ebb::program {
namespace {

bool is_marker(const Operation& operation, std::uint32_t ranks) {
  return operation.kind == Operation::Kind::send && operation.size == DataSize() &&
         operation.peer >= ranks;
}

std::int64_t bounded_sum(std::int64_t sum, std::int64_t more) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return more > kMost - sum ? kMost : sum + more;
}

void count(const Operation& operation, std::uint32_t ranks, Summary& summary) {
  summary.cpus = std::max(summary.cpus, operation.cpu + 1U);
  summary.nics = std::max(summary.nics, operation.nic + 1U);
  switch (operation.kind) {
    case Operation::Kind::send:
      ++summary.sends;
      summary.sent = bits(bounded_sum(summary.sent.count(), operation.size.count()));
      summary.largest = std::max(summary.largest, operation.size);
      summary.markers += is_marker(operation, ranks) ? 1U : 0U;
      return;
    case Operation::Kind::receive:
      ++summary.receives;
      summary.any_source += operation.peer == kAny ? 1U : 0U;
      summary.any_tag += operation.tag == kAny ? 1U : 0U;
      return;
    case Operation::Kind::compute:
      ++summary.computations;
      summary.compute_time =
          Duration(bounded_sum(summary.compute_time.count(), operation.time.count()));
      return;
  }
}

// An operation of a rank.
struct Place {
  std::uint32_t rank = 0;
  std::uint32_t operation = 0;
};

// A message on its way to one rank, or the place where one is awaited.
struct End {
  std::uint32_t source = 0;
  std::uint32_t tag = 0;
  Place at;

  [[nodiscard]] auto key() const { return std::tie(source, tag, at.rank, at.operation); }
  bool operator<(const End& other) const { return key() < other.key(); }
};

class ProgramChecker {
 public:
  ProgramChecker(const Program& program, Markers markers)
      : program_(program), markers_(markers), sends_(program.ranks()) {}

  Errors check() {
    for (std::uint32_t rank = 0; rank < program_.ranks() && !full(); ++rank) {
      look_for_cycles(rank);
      collect_sends(rank);
    }
    for (std::uint32_t rank = 0; rank < program_.ranks() && !full(); ++rank) match(rank);
    return std::move(errors_);
  }

 private:
  [[nodiscard]] bool full() const { return errors_.size() >= kMostErrors; }

  void report(Place at, std::string message) {
    if (full()) return;
    errors_.push_back({std::move(message),
                       {program_.name(), program_.line(at.rank, at.operation), 0,
                        fmt::format("rank {}, operation {}", at.rank, at.operation)}});
  }

  // What is left when all that can has been taken in turn waits for itself.
  void look_for_cycles(std::uint32_t which) {
    const RankOperations rank = program_.rank(which);
    std::vector<std::uint32_t> waits(rank.size());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      waits[i] = rank.dependencies(i);
      if (waits[i] == 0) ready.push_back(i);
    }
    std::uint32_t taken = 0;
    while (!ready.empty()) {
      const std::uint32_t one = ready.back();
      ready.pop_back();
      ++taken;
      for (const Indices later : {rank.after_end(one), rank.after_start(one)}) {
        for (std::uint32_t i = 0; i < later.size(); ++i) {
          if (--waits[later[i]] == 0) ready.push_back(later[i]);
        }
      }
    }
    if (taken == rank.size()) return;
    const auto found = std::find_if(waits.begin(), waits.end(), [](auto left) { return left > 0; });
    report(
        {which, static_cast<std::uint32_t>(found - waits.begin())},
        fmt::format("waits for itself, by way of {} operations of the rank", rank.size() - taken));
  }

  void collect_sends(std::uint32_t which) {
    const RankOperations rank = program_.rank(which);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const Operation operation = rank[i];
      if (operation.kind != Operation::Kind::send) continue;
      if (operation.peer < program_.ranks()) {
        sends_[operation.peer].push_back({which, operation.tag, {which, i}});
      } else if (markers_ == Markers::refuse || !is_marker(operation, program_.ranks())) {
        report({which, i}, fmt::format("sends to rank {}, and there are {} ranks{}", operation.peer,
                                       program_.ranks(), marker_hint(operation)));
      }
    }
  }

  [[nodiscard]] std::string_view marker_hint(const Operation& operation) const {
    return is_marker(operation, program_.ranks()) ? " (--markers accepts sends of 0 bytes to none)"
                                                  : "";
  }

  // Receives that say most are given a message first.
  void match(std::uint32_t which) {
    std::vector<End> messages = std::move(sends_[which]);
    std::sort(messages.begin(), messages.end());
    std::vector<bool> taken(messages.size());
    std::vector<End> receives = receives_of(which);
    const auto wildcards = [](const End& end) {
      return (end.source == kAny ? 2 : 0) + (end.tag == kAny ? 1 : 0);
    };
    std::stable_sort(receives.begin(), receives.end(),
                     [&](const End& a, const End& b) { return wildcards(a) < wildcards(b); });
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> next;
    for (const End& receive : receives) {
      if (!take_one(messages, taken, receive, next)) report_receive(receive);
    }
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (taken[i]) continue;
      report(messages[i].at,
             fmt::format("rank {} never receives this message (tag {})", which, messages[i].tag));
    }
  }

  std::vector<End> receives_of(std::uint32_t which) {
    std::vector<End> receives;
    const RankOperations rank = program_.rank(which);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const Operation operation = rank[i];
      if (operation.kind != Operation::Kind::receive) continue;
      if (operation.peer != kAny && operation.peer >= program_.ranks()) {
        report({which, i}, fmt::format("receives from rank {}, and there are {} ranks",
                                       operation.peer, program_.ranks()));
      } else {
        receives.push_back({operation.peer, operation.tag, {which, i}});
      }
    }
    return receives;
  }

  // Messages are in order of source and tag; `next` is where to go on for receives that ask for the
  // same.
  static bool take_one(const std::vector<End>& messages, std::vector<bool>& taken,
                       const End& receive,
                       std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>& next) {
    const auto [at, is_new] = next.try_emplace({receive.source, receive.tag}, 0);
    if (is_new && receive.source != kAny) {
      const End first{receive.source, receive.tag == kAny ? 0 : receive.tag, {}};
      at->second = static_cast<std::size_t>(
          std::lower_bound(messages.begin(), messages.end(), first) - messages.begin());
    }
    for (std::size_t& i = at->second; i < messages.size(); ++i) {
      const End& message = messages[i];
      if (receive.source != kAny && message.source != receive.source) return false;
      const bool fits = receive.tag == kAny || message.tag == receive.tag;
      if (!fits && receive.source != kAny) return false;
      if (!fits || taken[i]) continue;
      taken[i] = true;
      return true;
    }
    return false;
  }

  void report_receive(const End& receive) {
    const auto any_or = [](std::string_view what, std::uint32_t value) {
      return value == kAny ? fmt::format("any {}", what) : fmt::format("{} {}", what, value);
    };
    report(receive.at, fmt::format("waits for a message from {} with {} that nobody sends",
                                   any_or("rank", receive.source), any_or("tag", receive.tag)));
  }

  const Program& program_;
  Markers markers_;
  std::vector<std::vector<End>> sends_;  // by destination
  Errors errors_;
};

}  // namespace

Summary summarize(const Program& program) {
  Summary summary;
  summary.ranks = program.ranks();
  for (std::uint32_t which = 0; which < program.ranks(); ++which) {
    const RankOperations rank = program.rank(which);
    summary.ranks_with_operations += rank.size() > 0 ? 1U : 0U;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      count(rank[i], program.ranks(), summary);
      summary.after_end += rank.after_end(i).size();
      summary.after_start += rank.after_start(i).size();
    }
  }
  return summary;
}

Errors check(const Program& program, Markers markers) {
  return ProgramChecker(program, markers).check();
}

}  // namespace ebb::program
