// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/reachability.hpp"

#include "ebb/core/check.hpp"

#include <absl/container/inlined_vector.h>
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace ebb::forwarding {

// Most paths depend on few links: those need no memory of their own.
struct ReachabilityIndex::Links : absl::InlinedVector<topology::LinkId, 6> {};

using topology::ChannelId;
using topology::LinkId;

namespace {

// What becomes of a frame, for those who want its path.
struct Tracks {
  TableWalker::Path& path;

  void asks(LinkId /*link*/) {}
  void bypasses(ChannelId output) { path.bypassed.push_back(output); }
  void passes(ChannelId output) { path.channels.push_back(output); }
};

// For those who want to know what it hangs on.
struct Questions {
  std::vector<LinkId>& links;

  void asks(LinkId link) { links.push_back(link); }
  void bypasses(ChannelId /*output*/) {}
  void passes(ChannelId /*output*/) {}
};

}  // namespace

TableWalker::TableWalker(const topology::Graph& graph, const AddressPlan& plan,
                         std::span<const Table> tables)
    : graph_(graph), plan_(plan) {
  lookups_.reserve(tables.size());
  for (const Table& table : tables) lookups_.emplace_back(table, plan);
}

std::optional<TableWalker::Path> TableWalker::walk(std::uint32_t from_host, std::uint32_t to_host,
                                                   const std::vector<bool>& asleep) const {
  Path path;
  Tracks tracks{path};
  if (!follow(from_host, to_host, {asleep}, tracks)) return std::nullopt;
  return path;
}

bool TableWalker::arrives(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                          std::vector<LinkId>& asked) const {
  asked.clear();
  Questions questions{asked};
  const bool arrived = follow(from_host, to_host, asleep, questions);
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return arrived;
}

template <class Seen>
bool TableWalker::follow(std::uint32_t from_host, std::uint32_t to_host, const Asleep& asleep,
                         Seen& seen) const {
  Frame frame{graph_.outputs(graph_.host_node(from_host)).front(), plan_.of_host(from_host),
              plan_.of_host(to_host)};
  // A frame that passes more links than that runs in a circle.
  for (std::size_t passed = 0; passed <= 2 * std::size_t{graph_.switch_count()}; ++passed) {
    const auto output = step(frame, asleep, seen);
    if (!output) return false;
    const auto next = graph_.target(*output);
    if (graph_.is_host(next)) return graph_.host_number(next) == to_host;
    seen.passes(*output);
    frame.input = *output;
  }
  return false;
}

template <class Seen>
std::optional<ChannelId> TableWalker::step(Frame& frame, const Asleep& asleep, Seen& seen) const {
  const NextHops choices = lookups_[index(graph_.target(*frame.input))].next_hops(frame);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const NextHops::Choice choice = choices[i];
    seen.asks(topology::link_of(choice.output));
    if (asleep(topology::link_of(choice.output))) continue;
    if (i > 0) seen.bypasses(choices[0].output);
    frame.destination = choice.destination;
    return choice.output;
  }
  return std::nullopt;
}

bool TableWalker::all_reachable(const std::vector<bool>& asleep) const {
  for (std::uint32_t from = 0; from < graph_.host_count(); ++from) {
    for (std::uint32_t to = 0; to < graph_.host_count(); ++to) {
      if (from != to && !walk(from, to, asleep)) return false;
    }
  }
  return true;
}

namespace {

using topology::Graph;

// Bits of addresses that rules between switches look at.
struct Looked {
  Address source = 0;
  Address destination = 0;
  bool at_host_ports = false;  // where a frame comes in from its host
};

bool delivers(const Graph& graph, const Rule& rule) {
  return graph.is_host(graph.target(rule.output));
}

void look(const Graph& graph, const Table& table, Looked& looked) {
  for (const Rule& rule : table.rules) {
    if (rule.use == Use::backup || delivers(graph, rule)) continue;
    looked.source |= rule.source.mask;
    looked.destination |= rule.destination.mask;
    if (rule.input && graph.is_host(graph.source(*rule.input))) looked.at_host_ports = true;
  }
}

// The rule is for one host of the switch, by its whole address and nothing else.
bool is_plain(const TableWalker& walker, std::uint32_t at, const Rule& rule) {
  const std::uint32_t host = walker.graph().host_number(walker.graph().target(rule.output));
  const Address all = walker.plan().switch_mask() | walker.plan().fields().front().mask();
  return walker.plan().switch_of(host) == at && rule.use == Use::always && !rule.input &&
         rule.source == Match{} && rule.destination == Match{walker.plan().of_host(host), all};
}

// Whether rules for hosts are plain, go before all others, and how many there are.
std::pair<bool, std::size_t> home(const TableWalker& walker, const Table& table) {
  std::size_t hosts = 0;
  std::uint16_t others = 0;
  for (const Rule& rule : table.rules) {
    if (rule.use != Use::backup && !delivers(walker.graph(), rule))
      others = std::max(others, rule.priority);
  }
  for (const Rule& rule : table.rules) {
    if (!delivers(walker.graph(), rule)) continue;
    if (rule.priority <= others || !is_plain(walker, table.of_switch, rule)) return {false, 0};
    ++hosts;
  }
  return {true, hosts};
}

bool hosts_have_one_link(const Graph& graph) {
  for (std::uint32_t host = 0; host < graph.host_count(); ++host) {
    if (graph.outputs(graph.host_node(host)).size() != 1) return false;
  }
  return true;
}

bool all_delivered_at_home(const TableWalker& walker) {
  if (!hosts_have_one_link(walker.graph())) return false;
  std::size_t hosts = 0;
  for (const Lookup& lookup : walker.lookups()) {
    const auto [plain, found] = home(walker, lookup.table());
    if (!plain) return false;
    hosts += found;
  }
  return hosts == walker.graph().host_count();
}

// The first of each switch and value of these bits.
std::vector<std::uint32_t> firsts(const TableWalker& walker, Address bits) {
  std::set<std::pair<std::uint32_t, Address>> known;
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t host = 0; host < walker.graph().host_count(); ++host) {
    if (known.emplace(walker.plan().switch_of(host), walker.plan().of_host(host) & bits).second)
      hosts.push_back(host);
  }
  return hosts;
}

std::vector<std::uint32_t> every_host(const Graph& graph) {
  std::vector<std::uint32_t> hosts(graph.host_count());
  std::iota(hosts.begin(), hosts.end(), 0U);
  return hosts;
}

}  // namespace

HostEquivalenceClasses host_equivalence_classes(const TableWalker& walker) {
  const std::vector<std::uint32_t> all = every_host(walker.graph());
  if (!all_delivered_at_home(walker)) return {all, all, false};
  Looked looked;
  for (const Lookup& lookup : walker.lookups()) look(walker.graph(), lookup.table(), looked);
  return {looked.at_host_ports ? all : firsts(walker, looked.source),
          firsts(walker, looked.destination), true};
}

using topology::LinkId;

ReachabilityIndex::ReachabilityIndex(const TableWalker& walker)
    : walker_(walker),
      classes_(host_equivalence_classes(walker)),
      asleep_(walker.graph().link_count()),
      met_by_(walker.graph().link_count()),
      changed_at_(walker.graph().link_count()),
      found_(walker.graph().link_count()) {
  const std::size_t pairs = classes_.sources.size() * classes_.destinations.size();
  EBB_CHECK(pairs < std::numeric_limits<Pair>::max(), "too many pairs of hosts");
  arrives_.assign(pairs, true);
  asked_.resize(pairs);
  for (Pair pair = 0; pair < pairs; ++pair) {
    if (is_walked(pair)) walk(pair);
  }
}

ReachabilityIndex::~ReachabilityIndex() = default;

std::uint32_t ReachabilityIndex::source(Pair pair) const {
  return classes_.sources[pair / classes_.destinations.size()];
}

std::uint32_t ReachabilityIndex::destination(Pair pair) const {
  return classes_.destinations[pair % classes_.destinations.size()];
}

// Between hosts of one switch there is nothing but their own links.
bool ReachabilityIndex::is_walked(Pair pair) const {
  const std::uint32_t from = source(pair);
  const std::uint32_t to = destination(pair);
  if (!classes_.delivered_at_home) return from != to;
  return walker_.plan().switch_of(from) != walker_.plan().switch_of(to);
}

// The link of a host that others stand for, or that stands for others: no path tells about it.
bool ReachabilityIndex::stands_apart(LinkId link) const {
  if (!classes_.delivered_at_home) return false;
  const topology::Link& ends = walker_.graph().link(link);
  return !walker_.graph().connects_switches(ends);
}

void ReachabilityIndex::leave(LinkId link, Pair pair) {
  auto& pairs = met_by_[index(link)];
  const auto at = std::find(pairs.begin(), pairs.end(), pair);
  *at = pairs.back();
  pairs.pop_back();
  changed_at_[index(link)] = clock_;
}

void ReachabilityIndex::meet(LinkId link, Pair pair) {
  met_by_[index(link)].push_back(pair);
  changed_at_[index(link)] = clock_;
}

void ReachabilityIndex::walk(Pair pair) {
  const bool arrives = walker_.arrives(source(pair), destination(pair), {asleep_}, walked_);
  std::erase_if(walked_, [&](LinkId link) { return stands_apart(link); });
  if (arrives != arrives_[pair]) arrives ? --lost_ : ++lost_;
  arrives_[pair] = arrives;
  Links& before = asked_[pair];
  Links gone;
  Links fresh;
  std::set_difference(before.begin(), before.end(), walked_.begin(), walked_.end(),
                      std::back_inserter(gone));
  std::set_difference(walked_.begin(), walked_.end(), before.begin(), before.end(),
                      std::back_inserter(fresh));
  for (const LinkId link : gone) leave(link, pair);
  for (const LinkId link : fresh) meet(link, pair);
  before.assign(walked_.begin(), walked_.end());
}

void ReachabilityIndex::set(LinkId link, bool asleep) {
  if (stands_apart(link)) {
    if (asleep) cut_off_.insert(link);
    if (!asleep) cut_off_.erase(link);
    return;
  }
  if (asleep_[index(link)] == asleep) return;
  asleep_[index(link)] = asleep;
  changed_at_[index(link)] = ++clock_;
  const std::vector<Pair> pairs = met_by_[index(link)];
  for (const Pair pair : pairs) walk(pair);
}

bool ReachabilityIndex::all_reachable() const {
  const bool alone = walker_.graph().host_count() < 2;
  return lost_ == 0 && (cut_off_.empty() || alone);
}

std::vector<LinkId> ReachabilityIndex::asked_by_lost() const {
  std::set<LinkId> asked;
  for (Pair pair = 0; pair < arrives_.size() && lost_ > 0; ++pair) {
    if (is_walked(pair) && !arrives_[pair]) asked.insert(asked_[pair].begin(), asked_[pair].end());
  }
  return {asked.begin(), asked.end()};
}

bool ReachabilityIndex::all_reachable_without(LinkId link) const {
  if (asleep_[index(link)]) return all_reachable();
  const bool alone = walker_.graph().host_count() < 2;
  if (!alone && (!cut_off_.empty() || stands_apart(link))) return false;
  if (lost_ > 0) return all_lost_meet(link) && try_without(link, walked_);
  Found& found = found_[index(link)];
  if (still_holds(found, link)) return found.all_reachable;
  found.all_reachable = try_without(link, found.asked);
  found.at = clock_;
  return found.all_reachable;
}

bool ReachabilityIndex::all_lost_meet(LinkId link) const {
  const auto& pairs = met_by_[index(link)];
  return lost_ == static_cast<std::uint64_t>(std::count_if(
                      pairs.begin(), pairs.end(), [&](Pair pair) { return !arrives_[pair]; }));
}

bool ReachabilityIndex::still_holds(const Found& found, LinkId link) const {
  return found.at != 0 && changed_at_[index(link)] <= found.at &&
         std::all_of(found.asked.begin(), found.asked.end(),
                     [&](LinkId asked) { return changed_at_[index(asked)] <= found.at; });
}

// Whether all that meet the link arrive without it; `asked` becomes what that hangs on.
bool ReachabilityIndex::try_without(LinkId link, std::vector<LinkId>& asked) const {
  asked.clear();
  bool all = true;
  std::vector<LinkId> walked;
  for (const Pair pair : met_by_[index(link)]) {
    all = walker_.arrives(source(pair), destination(pair), {asleep_, link}, walked);
    asked.insert(asked.end(), walked.begin(), walked.end());
    if (!all) break;
  }
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return all;
}

}  // namespace ebb::forwarding
