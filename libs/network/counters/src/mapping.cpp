// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/mapping.hpp"

#include "line_source.hpp"
#include "node_names.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/units/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace ebb::counters {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;
using topology::NodeId;

// Lower case, and one '-' for whatever stands between letters and digits.
std::string plain(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      result += static_cast<char>(std::tolower(byte));
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (result.ends_with('-')) result.pop_back();
  return result;
}

// Parallel links are counted from 1, as link_name() does.
struct Parallel {
  std::uint32_t links = 0;
  std::uint32_t named = 0;

  std::string next() { return links == 1 ? "" : fmt::format("-{}", ++named); }
};

// What the end may be called, in plain names.
std::map<std::string, ChannelId> names_of_ends(const Graph& graph) {
  std::map<std::string, ChannelId> names;
  const auto add = [&](NodeId node) {
    std::map<NodeId, Parallel> parallel;
    for (const ChannelId end : graph.outputs(node)) ++parallel[graph.target(end)].links;
    std::uint32_t port = 0;
    for (const ChannelId end : graph.outputs(node)) {
      ++port;
      const NodeId to = graph.target(end);
      const std::string here = plain(graph.name(node));
      names.emplace(here + "-" + plain(graph.name(to)) + parallel[to].next(), end);
      names.emplace(fmt::format("{}-p{}", here, port), end);
      names.emplace(fmt::format("{}-{}", here, port), end);
    }
  };
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) add(graph.switch_node(s));
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) add(graph.host_node(h));
  return names;
}

class MappingReader {
 public:
  MappingReader(LineSource& lines, const Graph& graph)
      : lines_(lines), graph_(graph), names_(graph) {}

  Result<Mapping> read() {
    constexpr std::string_view kHeader = "interface,from,to";
    if (!lines_.next() || trimmed(lines_.line()) != kHeader)
      return fail(fmt::format("the first line must be '{}'", kHeader), lines_.where());
    while (!problems_.full() && lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (!line.empty() && line.front() != '#') read_row(fields_of(line, ','));
    }
    if (!problems_.empty()) return fail(problems_.take());
    return std::move(mapping_);
  }

 private:
  std::optional<NodeId> node(std::string_view name) {
    const auto found = names_.exact(name);
    if (!found) problems_.add(unknown_name("node", name, names_.all()), lines_.where());
    return found;
  }

  void read_row(const std::vector<std::string_view>& fields) {
    if (fields.size() != 3)
      return problems_.add("a row has three fields: interface, from, to", lines_.where());
    // A number after a point tells parallel links apart, as in "s1.1".
    std::string_view to = fields[2];
    std::uint32_t which = 1;
    if (const std::size_t point = to.rfind('.');
        point != std::string_view::npos && !names_.exact(to)) {
      which = 0;  // no such link, unless a number follows
      (void)std::from_chars(to.data() + point + 1, to.data() + to.size(), which);
      to = to.substr(0, point);
    }
    const auto from = node(fields[1]);
    const auto target = node(to);
    if (!from || !target) return;
    for (const ChannelId end : graph_.outputs(*from)) {
      if (graph_.target(end) != *target || --which > 0) continue;
      if (!mapping_.emplace(fields[0], end).second)
        problems_.add(fmt::format("'{}' is there twice", shown(fields[0])), lines_.where());
      return;
    }
    problems_.add(fmt::format("no such link from {} to {}", fields[1], fields[2]), lines_.where());
  }

  LineSource& lines_;
  const Graph& graph_;
  NodeNames names_;
  Mapping mapping_;
  Problems problems_;
};

// The difference of two series when the second one comes `shift` steps later, and what both know.
struct Compared {
  double apart = 0;
  double sent = 0;
  double received = 0;
};
Compared compared(const Track& sent, const Track& received, int shift) {
  Compared sums;
  for (std::size_t which = 0; which < sent.loads.size(); ++which) {
    const float one = sent.loads[which];
    const float other = received.at(sent.first + static_cast<std::int64_t>(which) + shift);
    if (!is_known(one) || !is_known(other)) continue;
    sums.apart += std::abs(double{one} - double{other});
    sums.sent += one;
    sums.received += other;
  }
  return sums;
}

std::optional<Disagreement> disagreement(ChannelId channel, const Track& sent,
                                         const Track& received, double seconds, double tolerance) {
  const Compared now = compared(sent, received, 0);
  const double larger = std::max(now.sent, now.received);
  const bool same_volume = std::abs(now.sent - now.received) <= tolerance * larger;
  // Steps may differ by what two pollers are apart; half of everything is another clock.
  if (same_volume && now.apart <= larger / 2) return std::nullopt;
  int best = 0;
  double least = now.apart / 2;  // a shift must halve the difference
  for (const int shift : {-1, 1}) {
    const double apart = compared(sent, received, shift).apart;
    if (apart < least) {
      least = apart;
      best = shift;
    }
  }
  return Disagreement{channel, now.sent * seconds, now.received * seconds, best};
}

// The loads of a track from `first` on. It is taken where it is whole.
std::vector<float> taken(Track& track, std::int64_t first, std::size_t steps) {
  std::vector<float> loads;
  if (track.loads.empty()) return std::vector<float>(steps, kUnknown);  // read once
  if (track.first == first) {
    loads = std::move(track.loads);
  } else {
    loads.assign(static_cast<std::size_t>(track.first - first), kUnknown);
    loads.insert(loads.end(), track.loads.begin(), track.loads.end());
  }
  track.loads = {};
  loads.resize(steps, kUnknown);
  return loads;
}

// Where one end does not know, the other one may.
void average(std::vector<float>& one, const std::vector<float>& other) {
  for (std::size_t which = 0; which < one.size(); ++which) {
    if (!is_known(one[which])) {
      one[which] = other[which];
    } else if (is_known(other[which])) {
      one[which] = (one[which] + other[which]) / 2;
    }
  }
}

// A load that no link can have is a mistake of the counter, or of the mapping.
void drop_too_fast(std::vector<float>& loads, DataRate rate, std::uint64_t& dropped) {
  constexpr double kClocksDiffer = 1.05;
  const auto most = static_cast<float>(kClocksDiffer * static_cast<double>(rate.count()));
  for (float& load : loads) {
    if (!is_known(load) || load <= most) continue;
    load = kUnknown;
    ++dropped;
  }
}

}  // namespace

Result<Mapping> read_mapping(const std::string& path, const Graph& graph) {
  auto lines = LineSource::open(path);
  if (!lines) return fail(lines.error());
  return read_mapping_rows(*lines, graph);
}

Result<Mapping> read_mapping_rows(LineSource& lines, const Graph& graph) {
  return MappingReader(lines, graph).read();
}

Result<Mapping> propose(const Loads& loads, const Graph& graph, const Mapping& given,
                        const std::set<std::string>& not_by_name) {
  const std::map<std::string, ChannelId> names = names_of_ends(graph);
  std::set<std::string> interfaces;
  for (const Track& track : loads.tracks) interfaces.insert(track.interface);
  Errors errors;
  const std::vector<std::string> known(interfaces.begin(), interfaces.end());
  for (const auto& [interface, end] : given) {
    if (!interfaces.contains(interface))
      errors.push_back({unknown_name("interface", interface, known), {}});
  }
  Mapping mapping;
  std::map<ChannelId, std::string> of_end;
  const auto add = [&](const std::string& interface, ChannelId end) {
    const auto [other, is_new] = of_end.emplace(end, interface);
    if (is_new) {
      mapping.emplace(interface, end);
    } else {
      errors.push_back(
          {fmt::format("'{}' and '{}' are both the end at {} of the link to {}", other->second,
                       interface, graph.name(graph.source(end)), graph.name(graph.target(end))),
           {}});
    }
  };
  for (const auto& [interface, end] : given) add(interface, end);
  for (const std::string& interface : interfaces) {
    const auto found = names.find(plain(interface));
    if (found != names.end() && !given.contains(interface) && !not_by_name.contains(interface))
      add(interface, found->second);
  }
  if (!errors.empty()) return fail(errors);
  return mapping;
}

ChannelLoads channel_loads(Loads loads, const Mapping& mapping, const Graph& graph,
                           double tolerance) {
  ChannelLoads result{.step = loads.step, .first = loads.begin()};
  result.steps = static_cast<std::size_t>(loads.end() - loads.begin());
  std::vector<Track*> sent(graph.channel_count());
  std::vector<Track*> received(graph.channel_count());
  std::set<std::string> unmapped;
  for (Track& track : loads.tracks) {
    const auto end = mapping.find(track.interface);
    if (end == mapping.end()) {
      unmapped.insert(track.interface);
      track.loads = {};
    } else if (track.direction == Direction::out) {
      sent[index(end->second)] = &track;
    } else {
      received[index(topology::reverse(end->second))] = &track;
    }
  }
  result.unmapped.assign(unmapped.begin(), unmapped.end());
  result.loads.resize(graph.channel_count());
  const double seconds = std::chrono::duration<double>(loads.step).count();
  for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
    const ChannelId channel{which};
    Track* const out = sent[which];
    Track* const in = received[which];
    if (out != nullptr && in != nullptr) {
      if (const auto found = disagreement(channel, *out, *in, seconds, tolerance))
        result.disagreements.push_back(*found);
    }
    std::vector<float>& mine = result.loads[which];
    if (out != nullptr) mine = taken(*out, result.first, result.steps);
    if (in != nullptr) {
      std::vector<float> theirs = taken(*in, result.first, result.steps);
      if (mine.empty()) {
        mine = std::move(theirs);
      } else {
        average(mine, theirs);
      }
    }
    const auto rates = graph.rate_table(graph.link(topology::link_of(channel)));
    drop_too_fast(mine, rates.back(), result.too_fast);
    if (graph.connects_switches(channel)) {
      result.unknown += static_cast<std::uint64_t>(
          std::count_if(mine.begin(), mine.end(), [](float one) { return !is_known(one); }));
    }
  }
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const ChannelId forth = topology::forward(LinkId{which});
    if (graph.connects_switches(forth) && result.loads[index(forth)].empty() &&
        result.loads[index(topology::reverse(forth))].empty())
      result.uncounted.push_back(LinkId{which});
  }
  return result;
}

}  // namespace ebb::counters
