// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/check.hpp"

#include "check_report.hpp"
#include "destination_check.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::forwarding {
namespace {

// Hosts whose addresses agree in the bits that rules look at in sources.
struct Sources {
  std::uint32_t host = 0;               // one of them
  std::vector<std::uint32_t> switches;  // that they hang on, ascending
};

Address source_bits(std::span<const Table> tables) {
  Address bits = 0;
  for (const Table& table : tables) {
    for (const Rule& rule : table.rules) bits |= rule.source.mask;
  }
  return bits;
}

std::vector<Sources> sources(const Graph& graph, const AddressPlan& plan, Address bits) {
  absl::flat_hash_map<Address, std::size_t> known;
  std::vector<Sources> found;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto [at, fresh] = known.try_emplace(plan.of_host(h) & bits, found.size());
    if (fresh) found.push_back({h, {}});
    found[at->second].switches.push_back(plan.switch_of(h));
  }
  for (Sources& one : found) {
    std::sort(one.switches.begin(), one.switches.end());
    one.switches.erase(std::unique(one.switches.begin(), one.switches.end()), one.switches.end());
  }
  return found;
}

// The bits of host numbers by which some switch treats hosts of another one differently: all with
// flat tables, a few where parallel links share the hosts of a switch.
Address destination_bits(const Graph& graph, const AddressPlan& plan,
                         std::span<const Table> tables) {
  const Address host_bits = plan.fields().front().mask();
  std::vector<bool> serves(graph.switch_count());
  for (const std::uint32_t s : plan.access_switches()) serves[s] = true;
  Address bits = 0;
  for (const Table& table : tables) {
    const Match own{serves[table.of_switch] ? plan.of_switch(table.of_switch) : 0,
                    plan.switch_mask()};
    for (const Rule& rule : table.rules) {
      const Match& to = rule.destination;
      const bool only_own = serves[table.of_switch] && (to.mask & own.mask) == own.mask &&
                            (to.value & own.mask) == own.value;
      if (!only_own) bits |= to.mask & host_bits;
    }
  }
  return bits;
}

// Hosts that stand for all that are reached alike: one of each switch and value of these bits.
std::vector<std::uint32_t> destinations(const Graph& graph, const AddressPlan& plan, Address bits) {
  absl::flat_hash_set<std::pair<std::uint32_t, Address>> seen;
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    if (seen.emplace(plan.switch_of(h), plan.of_host(h) & bits).second) hosts.push_back(h);
  }
  return hosts;
}

// What there is to look at: every kind of source, every destination. The last item of a kind of
// source looks at all hosts at home.
struct Work {
  std::vector<Sources> from;
  std::vector<std::uint32_t> to;
  std::uint32_t hosts = 0;

  [[nodiscard]] std::size_t items() const { return from.size() * (to.size() + 1); }
  void run(std::size_t item, DestinationCheck& look) const {
    const Sources& source = from[item / (to.size() + 1)];
    const std::size_t which = item % (to.size() + 1);
    if (which < to.size()) return look.look(item, source.host, to[which], source.switches);
    for (std::uint32_t host = 0; host < hosts; ++host) look.look_at_home(item, source.host, host);
  }
};

// Each item on some thread; what they find is put together in the order of the items.
std::vector<DestinationCheck> run(const Work& work, const Checked& checked, unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, work.items()));
  std::vector<DestinationCheck> looks(threads, DestinationCheck(checked));
  std::atomic<std::size_t> next = 0;
  const auto look = [&](DestinationCheck& mine) {
    for (std::size_t item = next++; item < work.items(); item = next++) work.run(item, mine);
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(look, std::ref(looks[t]));
  if (!looks.empty()) look(looks.front());
  others.clear();  // waits
  return looks;
}

std::vector<bool> collect(std::vector<DestinationCheck> looks, CheckReport& report) {
  std::vector<std::pair<std::size_t, Error>> errors;
  std::vector<bool> lost;
  for (DestinationCheck& look : looks) {
    report.questions += look.questions;
    errors.insert(errors.end(), look.errors.begin(), look.errors.end());
    lost.resize(look.lost.size());
    std::transform(lost.begin(), lost.end(), look.lost.begin(), lost.begin(), std::logical_or<>());
  }
  std::stable_sort(errors.begin(), errors.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [item, error] : errors) add_error(report, std::move(error));
  return lost;
}

}  // namespace

CheckReport check(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables,
                  const TableMaker* maker, unsigned threads) {
  std::vector<Lookup> lookups;
  lookups.reserve(tables.size());
  for (const Table& table : tables) lookups.emplace_back(table, plan);
  CheckReport report = report_for(graph, tables);
  ChannelDependencies dependencies(graph, report.classes);
  const BackupPaths backup_paths = backup_paths_of(tables);
  const Checked checked{graph, plan, lookups, maker, backup_paths, &dependencies};
  const Work work{sources(graph, plan, source_bits(tables)),
                  destinations(graph, plan, destination_bits(graph, plan, tables)),
                  graph.host_count()};
  const std::vector<bool> lost = collect(run(work, checked, threads), report);
  if (backup_paths != BackupPaths::none) add_backup_paths(graph, lost, dependencies, report);
  add_ambiguities(graph, plan, tables, report);
  return report;
}

}  // namespace ebb::forwarding
