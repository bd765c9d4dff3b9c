// SPDX-License-Identifier: Apache-2.0
#include "check_report.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace ebb::forwarding {
namespace {

constexpr std::uint32_t kWord = 64;

}  // namespace

struct ChannelDependencies::Visit {
  std::size_t node = 0;
  std::uint32_t bit = 0;  // the first that has not been looked at
};

ChannelDependencies::ChannelDependencies(const topology::Graph& graph, std::uint32_t classes)
    : graph_(graph), classes_(classes) {
  std::vector<std::uint32_t> port_of(graph.channel_count());
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    std::uint32_t port = 0;
    for (const topology::ChannelId channel : graph.outputs(topology::NodeId{n}))
      port_of[index(channel)] = port++;
  }
  std::size_t words = 0;
  for (std::uint32_t c = 0; c < graph.channel_count(); ++c) {
    const std::uint32_t row = words_for(topology::ChannelId{c});
    rows_.push_back({words, row, port_of[c]});
    words += std::size_t{row} * classes;
  }
  waits_.assign(words, 0);
}

std::uint32_t ChannelDependencies::words_for(topology::ChannelId channel) const {
  if (!graph_.connects_switches(channel)) return 0;
  const auto ports = static_cast<std::uint32_t>(graph_.outputs(graph_.target(channel)).size());
  return (ports * classes_ + kWord - 1) / kWord;
}

void ChannelDependencies::add(ClassedChannel first, ClassedChannel then) {
  const Row& row = rows_[index(first.channel)];
  const std::uint32_t bit = rows_[index(then.channel)].port * classes_ + then.cos;
  std::uint64_t& word = waits_[row.first + std::size_t{first.cos} * row.words + bit / kWord];
  const std::uint64_t mask = std::uint64_t{1} << bit % kWord;
  const std::atomic_ref<std::uint64_t> shared(word);
  if ((shared.load(std::memory_order_relaxed) & mask) == 0)
    shared.fetch_or(mask, std::memory_order_relaxed);
}

std::optional<std::size_t> ChannelDependencies::next(Visit& visit) const {
  const auto [channel, cos] = channel_of(visit.node);
  const std::uint32_t words = rows_[index(channel)].words;
  const std::uint64_t* row = waits_.data() + rows_[index(channel)].first + std::size_t{cos} * words;
  while (visit.bit < words * kWord) {
    const std::uint64_t rest = row[visit.bit / kWord] >> visit.bit % kWord;
    if (rest == 0) {
      visit.bit = (visit.bit / kWord + 1) * kWord;
      continue;
    }
    visit.bit += static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t bit = visit.bit++;
    const topology::ChannelId then = graph_.outputs(graph_.target(channel))[bit / classes_];
    return node({then, static_cast<std::uint8_t>(bit % classes_)});
  }
  return std::nullopt;
}

// Depth first; what is met again while it is on the path closes a cycle.
std::optional<std::vector<ClassedChannel>> ChannelDependencies::cycle() const {
  enum class Seen : std::uint8_t { no, on_the_path, done };
  std::vector<Seen> seen(std::size_t{graph_.channel_count()} * classes_, Seen::no);
  std::vector<Visit> path;
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start] != Seen::no) continue;
    seen[start] = Seen::on_the_path;
    path.push_back({start});
    while (!path.empty()) {
      const auto then = next(path.back());
      if (!then) {
        seen[path.back().node] = Seen::done;
        path.pop_back();
      } else if (seen[*then] == Seen::no) {
        seen[*then] = Seen::on_the_path;
        path.push_back({*then});
      } else if (seen[*then] == Seen::on_the_path) {
        std::vector<ClassedChannel> found;
        const auto first = std::find_if(path.begin(), path.end(),
                                        [&](const Visit& one) { return one.node == *then; });
        for (auto one = first; one != path.end(); ++one) found.push_back(channel_of(one->node));
        return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace ebb::forwarding
