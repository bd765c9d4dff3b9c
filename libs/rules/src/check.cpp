// SPDX-License-Identifier: Apache-2.0
#include "ebb/rules/check.hpp"

#include "ebb/rules/lookup.hpp"

#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::rules {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

std::vector<Lookup> lookups(std::span<const Table> tables) {
  std::vector<Lookup> result;
  result.reserve(tables.size());
  for (const Table& table : tables) result.emplace_back(table);
  return result;
}

std::uint32_t access_switch(const Graph& graph, std::uint32_t host) {
  return index(graph.target(graph.outputs(graph.host_node(host)).front()));
}

// Hosts whose addresses differ in the bits that rules look at in sources: one for each pattern.
std::vector<std::uint32_t> sources(const Graph& graph, const AddressPlan& plan, Address bits) {
  absl::flat_hash_map<Address, std::uint32_t> known;
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    if (known.try_emplace(plan.of_host(h) & bits, h).second) hosts.push_back(h);
  }
  return hosts;
}

Address source_bits(std::span<const Table> tables) {
  Address bits = 0;
  for (const Table& table : tables) {
    for (const Rule& rule : table.rules) bits |= rule.source.mask;
  }
  return bits;
}

// Whether some switch treats hosts of another one differently, as with flat tables.
bool tells_hosts_apart(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables) {
  const Address host_bits = plan.fields().front().mask();
  std::vector<bool> serves(graph.switch_count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) serves[access_switch(graph, h)] = true;
  for (const Table& table : tables) {
    const Match own{serves[table.of_switch] ? plan.of_switch(table.of_switch) : 0,
                    plan.switch_mask()};
    for (const Rule& rule : table.rules) {
      const Match& to = rule.destination;
      const bool only_own = serves[table.of_switch] && (to.mask & own.mask) == own.mask &&
                            (to.value & own.mask) == own.value;
      if ((to.mask & host_bits) != 0 && !only_own) return true;
    }
  }
  return false;
}

// Hosts that stand for all that are reached alike: one of each switch, or all.
std::vector<std::uint32_t> destinations(const Graph& graph, bool each) {
  std::vector<std::uint32_t> hosts;
  std::vector<bool> seen(graph.switch_count());
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const std::uint32_t at = access_switch(graph, h);
    if (each || !seen[at]) hosts.push_back(h);
    seen[at] = true;
  }
  return hosts;
}

class Checker {
 public:
  Checker(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables,
          const TableMaker* maker)
      : graph_(graph), plan_(plan), maker_(maker), tables_(tables), lookups_(lookups(tables)) {
    std::vector<bool> sends(graph.switch_count());
    for (std::uint32_t h = 0; h < graph.host_count(); ++h) sends[access_switch(graph, h)] = true;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      if (sends[s]) senders_.push_back(s);
    }
  }

  // From one host to another.
  void look(std::uint32_t source, std::uint32_t destination) {
    mark_.assign(graph_.switch_count(), Mark::unknown);
    walk(access_switch(graph_, source), source, destination);
  }

  // From every switch with hosts, for frames whose source looks like that one.
  void look_from_everywhere(std::uint32_t source, std::uint32_t destination) {
    mark_.assign(graph_.switch_count(), Mark::unknown);
    for (const std::uint32_t s : senders_) walk(s, source, destination);
  }

  // At its own switch.
  void look_at_home(std::uint32_t source, std::uint32_t destination) {
    const std::uint32_t at = access_switch(graph_, destination);
    (void)ask(at, source, destination);
  }

  CheckReport report;

 private:
  enum class Mark : std::uint8_t { unknown, on_the_way, arrives, fails };

  // Where the switch sends the frame; nothing when that is a mistake, which has been told.
  std::optional<NodeId> ask(std::uint32_t at, std::uint32_t source, std::uint32_t host) {
    ++report.questions;
    const auto output = lookups_[at].output(plan_.of_host(source), plan_.of_host(host));
    if (!output) {
      complain(at, host, "has no rule for it");
      return std::nullopt;
    }
    const NodeId next = graph_.target(*output);
    if (graph_.is_host(next) && graph_.host_number(next) != host) {
      complain(at, host, "gives it to " + graph_.name(next));
      return std::nullopt;
    }
    if (maker_ != nullptr && maker_->output(at, source, host, tables_[at].detail) != *output) {
      complain(at, host, "sends it to " + graph_.name(next) + ", another way than was meant");
      return std::nullopt;
    }
    return next;
  }

  // Follows the tables until a switch whose answer is known, and marks the way.
  void walk(std::uint32_t from, std::uint32_t source, std::uint32_t host) {
    path_.clear();
    Mark answer = Mark::fails;
    for (std::uint32_t at = from;;) {
      if (mark_[at] != Mark::unknown) {
        if (mark_[at] == Mark::on_the_way) complain(at, host, "sends it in a circle");
        answer = mark_[at] == Mark::arrives ? Mark::arrives : Mark::fails;
        break;
      }
      mark_[at] = Mark::on_the_way;
      path_.push_back(at);
      const auto next = ask(at, source, host);
      if (!next) break;
      if (graph_.is_host(*next)) {
        answer = Mark::arrives;
        break;
      }
      at = index(*next);
    }
    for (const std::uint32_t passed : path_) mark_[passed] = answer;
  }

  void complain(std::uint32_t at, std::uint32_t host, const std::string& what) {
    if (report.errors.size() >= kMostErrors) return;
    report.errors.push_back(
        {fmt::format("a frame to {} ({}): {} {}", graph_.name(graph_.host_node(host)),
                     to_text(mac_of(plan_.of_host(host))), graph_.name(graph_.switch_node(at)),
                     what),
         {}});
  }

  const Graph& graph_;
  const AddressPlan& plan_;
  const TableMaker* maker_;  // null: any way that arrives is right
  std::span<const Table> tables_;
  std::vector<Lookup> lookups_;
  std::vector<std::uint32_t> senders_;  // switches with hosts
  std::vector<Mark> mark_;              // by switch
  std::vector<std::uint32_t> path_;
};

bool meet(const Match& a, const Match& b) { return ((a.value ^ b.value) & a.mask & b.mask) == 0; }

// A host whose address both match.
std::optional<std::uint32_t> common_host(const Graph& graph, const AddressPlan& plan,
                                         const Match& a, const Match& b) {
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const Address address = plan.of_host(h);
    if (a.matches(address) && b.matches(address)) return h;
  }
  return std::nullopt;
}

void add_ambiguities(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables,
                     Errors& errors) {
  for (const Table& table : tables) {
    for (Error& error : ambiguities(graph, plan, table)) {
      if (errors.size() < kMostErrors) errors.push_back(std::move(error));
    }
  }
}

}  // namespace

Errors ambiguities(const Graph& graph, const AddressPlan& plan, const Table& table) {
  Errors errors;
  const auto differ = [&](const Rule& a, const Rule& b) {
    return a.output != b.output && meet(a.destination, b.destination) && meet(a.source, b.source);
  };
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    const Rule& a = table.rules[i];
    for (std::size_t j = i + 1; j < table.rules.size(); ++j) {
      const Rule& b = table.rules[j];
      if (b.priority != a.priority) break;
      if (!differ(a, b)) continue;
      const auto to = common_host(graph, plan, a.destination, b.destination);
      if (!to || !common_host(graph, plan, a.source, b.source)) continue;
      errors.push_back({fmt::format("{}: two rules of priority {} match a frame to {}",
                                    graph.name(graph.switch_node(table.of_switch)), a.priority,
                                    graph.name(graph.host_node(*to))),
                        {}});
    }
  }
  return errors;
}

CheckReport check(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables,
                  const TableMaker* maker) {
  Checker checker(graph, plan, tables, maker);
  const bool each = tells_hosts_apart(graph, plan, tables);
  for (const std::uint32_t source : sources(graph, plan, source_bits(tables))) {
    for (const std::uint32_t host : destinations(graph, each)) {
      checker.look_from_everywhere(source, host);
    }
    for (std::uint32_t host = 0; !each && host < graph.host_count(); ++host) {
      checker.look_at_home(source, host);
    }
  }
  checker.report.pairs = std::uint64_t{graph.host_count()} * (graph.host_count() - 1);
  add_ambiguities(graph, plan, tables, checker.report.errors);
  return std::move(checker.report);
}

CheckReport check_by_walking(const Graph& graph, const AddressPlan& plan,
                             std::span<const Table> tables, const TableMaker* maker) {
  Checker checker(graph, plan, tables, maker);
  for (std::uint32_t to = 0; to < graph.host_count(); ++to) {
    for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
      if (from != to) checker.look(from, to);
    }
  }
  checker.report.pairs = std::uint64_t{graph.host_count()} * (graph.host_count() - 1);
  add_ambiguities(graph, plan, tables, checker.report.errors);
  return std::move(checker.report);
}

}  // namespace ebb::rules
