// SPDX-License-Identifier: Apache-2.0
//
// Connection matrices of htsim:
//
//   Nodes 16
//   Connections 2
//   Triggers 1
//   0->13 id 1 start 0 size 2000000 send_done_trigger 1
//   0->5 id 2 trigger 1 size 2000000
//   trigger id 1 oneshot
//
// A trigger starts the flows that name it when flows that fire it are done: oneshot by the only one
// that fires it, barrier by all `count` of them. Multishot starts one flow for each that is done;
// which of them is done n-th follows from the network, so that a program takes the n-th of the
// file.
#include "flows.hpp"
#include "formats.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/trace/flow_lists.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ebb::trace {
namespace {

constexpr std::uint64_t kMostHtsimNumber = 0xffff'ffff;

bool recognizes_htsim(const Input& input) {
  TextLines lines(input.file->text(), input.path);
  if (!lines.next()) return false;
  const auto fields = fields_of(lines.line());
  return fields.size() == 2 && (fields[0] == "Nodes" || fields[0] == "Connections");
}

struct Trigger {
  enum class Kind { oneshot, multishot, barrier };
  struct Firing {
    std::uint32_t flow = 0;
    FlowDependency::Done done = FlowDependency::Done::sent;
  };

  std::optional<Kind> kind;  // none: it is not defined
  std::uint64_t count = 0;   // of a barrier
  int line = 0;              // where it is defined, or first named
  std::vector<Firing> fired_by;
  std::vector<std::uint32_t> starts;
};

// The fields of a connection after its ends.
struct ConnectionFields {
  std::optional<FlowTime> start;
  std::optional<std::uint64_t> trigger;
  std::optional<std::uint64_t> size;
  std::optional<std::uint64_t> send_done;
  std::optional<std::uint64_t> receive_done;
};

class HtsimReader {
 public:
  HtsimReader(std::string_view text, const std::string& name, std::string unit)
      : lines_(text, name), unit_(std::move(unit)) {}

  Result<FlowList> read() {
    while (lines_.next()) read_line();
    compare_counts();
    for (auto& [id, trigger] : triggers_) connect(id, trigger);
    if (lines_.has_errors()) return fail(lines_.take_errors());
    note_repairs();
    return std::move(list_);
  }

  [[nodiscard]] std::vector<std::string> take_repairs() { return std::move(repairs_); }

 private:
  enum Announced : std::size_t { nodes, connections, triggers, failures };
  static constexpr std::array<std::string_view, 4> kHeader = {"Nodes", "Connections", "Triggers",
                                                              "Failures"};

  void read_line() {
    const auto fields = fields_of(lines_.line());
    if (fields[0].find("->") != std::string_view::npos) return read_connection(fields);
    if (fields[0] == "trigger") return read_trigger(fields);
    if (fields[0] == "failure") {
      if (failures_++ == 0) first_failure_ = lines_.number();
      return;
    }
    const auto* const found = std::ranges::find(kHeader, fields[0]);
    if (found == kHeader.end()) {
      std::vector<std::string> names(kHeader.begin(), kHeader.end());
      names.insert(names.end(), {"trigger", "failure", "SOURCE->DESTINATION"});
      return lines_.report(unknown_name("statement", shown(fields[0]), names));
    }
    if (fields.size() != 2) return lines_.report(fmt::format("the line is: {} NUMBER", *found));
    const auto which = static_cast<std::size_t>(found - kHeader.begin());
    const auto most = which == nodes ? kMostFlowHosts : kMostHtsimNumber;
    announced_[which] = lines_.whole(fields[1], fmt::format("the number of {}", *found), 0, most);
    if (which == nodes && announced_[which])
      list_.hosts = static_cast<std::uint32_t>(*announced_[which]);
  }

  std::optional<std::uint32_t> node(std::string_view field) {
    if (!announced_[nodes]) {
      lines_.report("'Nodes N' belongs above the first connection");
      return std::nullopt;
    }
    const auto found = lines_.whole(field, "a node", 0, std::max(1U, list_.hosts) - 1);
    return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
  }

  void read_connection(const std::vector<std::string_view>& fields) {
    ++connections_;
    const std::size_t arrow = fields[0].find("->");
    const auto source = node(fields[0].substr(0, arrow));
    const auto destination = node(fields[0].substr(arrow + 2));
    const auto read = read_fields(fields);
    if (!source || !destination || !read) return;
    if (*source == *destination) return lines_.report("a node sends nothing to itself");
    const auto which = static_cast<std::uint32_t>(list_.flows.size());
    list_.flows.push_back({.start = read->start.value_or(FlowTime{}),
                           .source = *source,
                           .destination = *destination,
                           .size = bytes(static_cast<std::int64_t>(read->size.value_or(0))),
                           .line = static_cast<std::uint32_t>(lines_.number()),
                           .waits_for_flows = read->trigger.has_value()});
    if (read->trigger) named_trigger(*read->trigger).starts.push_back(which);
    using Done = FlowDependency::Done;
    if (read->send_done) named_trigger(*read->send_done).fired_by.push_back({which, Done::sent});
    if (read->receive_done)
      named_trigger(*read->receive_done).fired_by.push_back({which, Done::received});
  }

  std::optional<ConnectionFields> read_fields(const std::vector<std::string_view>& fields) {
    ConnectionFields read;
    bool is_right = true;
    for (std::size_t i = 1; i < fields.size(); i += 2) {
      if (fields[i] == "msg") {  // a further message of the connection; a number may follow
        if (i + 1 < fields.size() && fields[i + 1].find_first_not_of("0123456789") == 0) --i;
        continue;
      }
      const std::string_view value = i + 1 < fields.size() ? fields[i + 1] : std::string_view();
      is_right = read_field(fields[i], value, read) && is_right;
    }
    if (!is_right) return std::nullopt;
    if (read.start.has_value() == read.trigger.has_value()) {
      lines_.report("a connection has either 'start' or 'trigger'");
      return std::nullopt;
    }
    if (!read.size) {
      lines_.report("a connection has a 'size'");
      return std::nullopt;
    }
    return read;
  }

  bool read_field(std::string_view key, std::string_view value, ConnectionFields& read) {
    const auto number = [&](std::optional<std::uint64_t>& into, std::uint64_t least,
                            std::uint64_t most) {
      into = lines_.whole(value, key, least, most);
      return into.has_value();
    };
    std::optional<std::uint64_t> unused;
    if (key == "id") return number(unused, 1, kMostHtsimNumber);
    if (key == "size") return number(read.size, 0, kMostFlowBytes);
    if (key == "trigger") return number(read.trigger, 0, kMostHtsimNumber);
    if (key == "send_done_trigger") return number(read.send_done, 0, kMostHtsimNumber);
    if (key == "recv_done_trigger") return number(read.receive_done, 0, kMostHtsimNumber);
    if (key == "start") {
      read.start = parse_flow_time(value, unit_);
      if (!read.start)
        lines_.report(fmt::format("start is a time in {}, not '{}'", unit_, shown(value)));
      return read.start.has_value();
    }
    if (key == "prio") {
      if (priorities_++ == 0) first_priority_ = lines_.number();
      return number(unused, 0, kMostHtsimNumber);
    }
    const std::vector<std::string> known = {
        "id", "start", "trigger", "size", "send_done_trigger", "recv_done_trigger", "prio", "msg"};
    lines_.report(unknown_name("field", shown(key), known));
    return false;
  }

  Trigger& named_trigger(std::uint64_t id) {
    Trigger& trigger = triggers_[id];
    if (trigger.line == 0) trigger.line = lines_.number();
    return trigger;
  }

  void read_trigger(const std::vector<std::string_view>& fields) {
    ++triggers_read_;
    if (fields.size() < 4 || fields[1] != "id")
      return lines_.report("the line is: trigger id NUMBER oneshot|multishot|barrier [count N]");
    const auto id = lines_.whole(fields[2], "the id of a trigger", 0, kMostHtsimNumber);
    const std::vector<std::string> kinds = {"oneshot", "multishot", "barrier"};
    const auto kind = std::find(kinds.begin(), kinds.end(), fields[3]);
    if (kind == kinds.end())
      return lines_.report(unknown_name("kind of trigger", shown(fields[3]), kinds));
    if (!id) return;
    Trigger& trigger = triggers_[*id];
    if (trigger.kind) return lines_.report(fmt::format("trigger {} is defined twice", *id));
    trigger.kind = static_cast<Trigger::Kind>(kind - kinds.begin());
    trigger.line = lines_.number();
    if (fields.size() == 6 && fields[4] == "count") {
      const auto count = lines_.whole(fields[5], "count", 1, kMostHtsimNumber);
      trigger.count = count.value_or(0);
    } else if (fields.size() != 4) {
      lines_.report("after the kind of a trigger only 'count N' may follow");
    } else if (trigger.kind == Trigger::Kind::barrier) {
      lines_.report("a barrier has a 'count'");
    }
  }

  void compare_counts() {
    const std::array<std::uint64_t, 4> found = {0, connections_, triggers_read_, failures_};
    for (std::size_t i = connections; i < kHeader.size(); ++i) {
      if (!announced_[i] && i == connections) lines_.report("no line 'Connections N'");
      if (announced_[i] && *announced_[i] != found[i]) {
        lines_.report(fmt::format("'{} {}' is announced, and {} follow", kHeader[i], *announced_[i],
                                  found[i]));
      }
    }
    if (!announced_[nodes]) lines_.report("no line 'Nodes N'");
  }

  // The dependencies that a trigger stands for.
  void connect(std::uint64_t id, const Trigger& trigger) {
    const auto report = [&](std::string_view what) {
      lines_.report(fmt::format("trigger {} {}", id, what), trigger.line);
    };
    if (!trigger.kind) return report("is named and not defined");
    const std::size_t fired = trigger.fired_by.size();
    if (trigger.starts.empty()) return;
    if (fired == 0) return report("starts flows, and no flow fires it");
    switch (*trigger.kind) {
      case Trigger::Kind::oneshot:
        if (fired > 1) return report(fmt::format("is a oneshot, and {} flows fire it", fired));
        return connect_all(trigger);
      case Trigger::Kind::barrier:
        if (fired != trigger.count) {
          return report(
              fmt::format("is a barrier of {}, and {} flows fire it", trigger.count, fired));
        }
        return connect_all(trigger);
      case Trigger::Kind::multishot:
        if (fired < trigger.starts.size()) {
          return report(fmt::format("starts {} flows, one for each that fires it, and {} do",
                                    trigger.starts.size(), fired));
        }
        return connect_in_turn(trigger);
    }
  }

  void connect_all(const Trigger& trigger) {
    if (trigger.starts.size() > kMostDependencies / trigger.fired_by.size() ||
        list_.dependencies.size() >
            kMostDependencies - trigger.starts.size() * trigger.fired_by.size()) {
      return lines_.report(
          fmt::format("triggers stand for more than {} dependencies", kMostDependencies),
          trigger.line);
    }
    for (const std::uint32_t later : trigger.starts) {
      for (const Trigger::Firing& one : trigger.fired_by)
        list_.dependencies.push_back({later, one.flow, one.done});
    }
  }

  void connect_in_turn(const Trigger& trigger) {
    for (std::size_t i = 0; i < trigger.starts.size(); ++i) {
      const Trigger::Firing& one = trigger.fired_by[i];
      list_.dependencies.push_back({trigger.starts[i], one.flow, one.done});
    }
    if (trigger.fired_by.size() < 2) return;
    if (in_turn_++ == 0) first_in_turn_ = trigger.line;
  }

  void note_repairs() {
    if (failures_ > 0) {
      repairs_.push_back(fmt::format(
          "{} failures of links are left out, because a program has no network (first in line {})",
          failures_, first_failure_));
    }
    if (priorities_ > 0) {
      repairs_.push_back(fmt::format("{} priorities of connections are left out (first in line {})",
                                     priorities_, first_priority_));
    }
    if (in_turn_ > 0) {
      repairs_.push_back(
          fmt::format("{} multishot triggers start their n-th flow when the n-th flow of the file "
                      "that fires them is done, whichever is done n-th (first in line {})",
                      in_turn_, first_in_turn_));
    }
    FlowTime last;
    for (const Flow& flow : list_.flows) {
      if (flow.start.at != last.at ? flow.start.at > last.at : flow.start.cut > last.cut)
        last = flow.start;
    }
    if (last.at.count() == 0 && last.cut > Duration()) {
      repairs_.push_back(
          fmt::format("the last start is {}: starts are in {}, older files mean us (--set unit=us)",
                      to_text(last.cut), unit_));
    }
  }

  static constexpr std::size_t kMostDependencies = 10'000'000;

  TextLines lines_;
  std::string unit_;
  FlowList list_;
  std::array<std::optional<std::uint64_t>, 4> announced_;
  std::uint64_t connections_ = 0;
  std::uint64_t triggers_read_ = 0;
  std::map<std::uint64_t, Trigger> triggers_;
  std::uint64_t failures_ = 0;
  int first_failure_ = 0;
  std::uint64_t priorities_ = 0;
  int first_priority_ = 0;
  std::uint64_t in_turn_ = 0;
  int first_in_turn_ = 0;
  std::vector<std::string> repairs_;
};

Result<Trace> read_htsim_file(const Input& input, const Parameters& parameters) {
  return read_htsim(input.file->text(), input.path, parameters);
}

}  // namespace

Result<Trace> read_htsim(std::string_view text, const std::string& name,
                         const Parameters& parameters) {
  HtsimReader reader(text, name, parameters.choice("unit"));
  auto list = reader.read();
  if (!list) return fail(list.error());
  return trace_of_flows(*std::move(list), parameters, name, reader.take_repairs());
}

Format htsim_format() {
  return {"htsim",
          "connection matrices of htsim",
          {begin_parameter(), {"unit", Choice{time_units()}, "ps", "unit of start"}},
          recognizes_htsim,
          read_htsim_file};
}

}  // namespace ebb::trace
