// SPDX-License-Identifier: Apache-2.0
//
// The metrics of a fabric, as Prometheus reads them.
//
//   Histogram, Exposition    the text format of Prometheus, version 0.0.4
//   LinkHistory, PortsDown,
//   OrderBook                what is counted while a controller runs
//   ControllerMetrics        what a controller knows of itself, also while it stands by
//   FabricMetrics            all of it at one moment; metrics_text() writes the page
//
// metrics_text() is a pure function, so that a test can say what a scrape would show.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/link_machine.hpp"
#include "ebb/controller/safety.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::monitor {

// Counts of values by upper bounds that are fixed from the start.
class Histogram {
 public:
  // Ascending. What exceeds the last is counted beyond all.
  explicit Histogram(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

  void add(double value) {
    const auto at = std::lower_bound(bounds_.begin(), bounds_.end(), value);
    ++counts_[static_cast<std::size_t>(at - bounds_.begin())];
    sum_ += value;
  }

  [[nodiscard]] const std::vector<double>& bounds() const { return bounds_; }
  // One more than there are bounds; not cumulative.
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

// Seconds, from half a millisecond to ten: what a switch or a loop may take.
[[nodiscard]] inline Histogram seconds_histogram() {
  return Histogram(
      {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10});
}

//   Exposition page;
//   page.family("ebb_switches", Kind::gauge, "Switches of the fabric.");
//   page.sample({{"presence", "here"}}, 9);
enum class Kind : std::uint8_t { counter, gauge, histogram };
using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

class Exposition {
 public:
  static constexpr std::string_view kType = "text/plain; version=0.0.4; charset=utf-8";

  // All samples of a family follow it, up to the next.
  void family(std::string_view name, Kind kind, std::string_view help);
  void sample(const Labels& labels, double value);
  void histogram(const Labels& labels, const Histogram& histogram);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void line(std::string_view suffix, const Labels& labels, double value);

  std::string family_;
  std::string text_;
};

// What became of one link since the controller began: how often it entered each state, how long it
// slept, and the latest changes with their reasons.
inline constexpr std::array kLinkStates{
    controller::LinkState::active, controller::LinkState::draining, controller::LinkState::asleep,
    controller::LinkState::waking, controller::LinkState::failed};

class LinkHistory {
 public:
  // Begins active, or as an earlier controller left it.
  void begin(controller::LinkState state) { state_ = state; }
  // Entries come in the order of time; those of a dry run are kept, not counted. An entry that
  // leaves the link in its state (it has another rate, or was found as it was left) is no
  // transition.
  void add(const controller::Entry& entry);

  [[nodiscard]] std::uint64_t entered(controller::LinkState state) const {
    return entered_.at(static_cast<std::size_t>(state));
  }
  [[nodiscard]] Duration asleep(TimePoint now) const;
  [[nodiscard]] const std::deque<controller::Entry>& last() const { return last_; }  // latest first

 private:
  std::array<std::uint64_t, kLinkStates.size()> entered_{};
  controller::LinkState state_ = controller::LinkState::active;
  TimePoint since_{};
  Duration asleep_before_{};
  std::deque<controller::Entry> last_;
};

// Which ports were seen to be down: of links that went to sleep, which they do when both ends have
// reported it, or that were found asleep. What is only believed, because an earlier controller
// wrote it down, is not here.
class PortsDown {
 public:
  void changed(const controller::Entry& entry);
  void answered(const controller::Order& order, bool ok);
  [[nodiscard]] const std::set<topology::ChannelId>& ends() const { return ends_; }

 private:
  std::set<topology::ChannelId> ends_;
};

// Orders to switches, counted: given, answered, and how long the answers took.
enum class OrderKind : std::uint8_t { detour, primary, port_down, port_up, rate };
inline constexpr std::array kOrderKinds{OrderKind::detour, OrderKind::primary, OrderKind::port_down,
                                        OrderKind::port_up, OrderKind::rate};
[[nodiscard]] OrderKind kind_of(const controller::Order& order);
[[nodiscard]] std::string_view to_text(OrderKind kind);

class OrderBook {
 public:
  struct Page {
    std::uint64_t given = 0;
    std::uint64_t done = 0;
    std::uint64_t failed = 0;
    Histogram answers = seconds_histogram();  // seconds from the order to its answer
  };

  void given(OrderKind kind) { ++page(kind).given; }
  void answered(OrderKind kind, bool ok, Duration took);
  [[nodiscard]] const Page& of(OrderKind kind) const {
    return pages_.at(static_cast<std::size_t>(kind));
  }

 private:
  [[nodiscard]] Page& page(OrderKind kind) { return pages_.at(static_cast<std::size_t>(kind)); }

  std::array<Page, kOrderKinds.size()> pages_;
};

struct LinkMetrics {
  std::string name;  // "s0-s1"
  std::string a;     // its switches
  std::string b;
  controller::LinkState state{};
  bool may_sleep = false;
  bool would_sleep = false;  // in a dry run
  double used_forth = 0;     // share of the rate, from a to b
  double used_back = 0;
  const LinkHistory& history;
  bool drained = false;  // by an operator
  DataRate rate{};       // that it is set to
  // Of the direction for which it is longer ago; none: never.
  std::optional<Duration> counter_age = std::nullopt;
  std::optional<Duration> probe_age = std::nullopt;
};

// What a controller knows of itself, whether it leads or stands by.
struct ControllerMetrics {
  std::string fabric;
  std::string policy;
  bool dry_run = false;
  bool leads = false;
  std::uint64_t generation = 0;    // of its own last term, or newer where a switch has said so
  Duration uptime{};               // since its process began this session
  const Histogram& loop_lag;       // seconds
  std::uint64_t lines_lost = 0;    // of log and audit trail, that could not be written
  std::uint64_t saves_failed = 0;  // of the state of links
  // What it was asked to write or serve, and whether that cannot be opened at present.
  std::vector<std::pair<std::string, bool>> records = {};
};

struct FabricMetrics {
  ControllerMetrics controller;
  TimePoint at{};                  // since the controller leads
  std::vector<LinkMetrics> links;  // between switches
  std::uint64_t switches_here = 0;
  std::uint64_t switches_away = 0;
  std::vector<std::pair<std::string, controller::SwitchState>> switches_out = {};  // not in use
  std::uint64_t wrong_cables = 0;
  Power modelled_all_awake;
  Power modelled;
  Energy modelled_saved;
  std::uint64_t ports_down = 0;
  // In a dry run. What would be has names of its own (ebb_dry_run_...), and what only a controller
  // can say that acts is left out: nobody can take one for the other.
  Power would_draw = {};
  Energy would_have_saved = {};
  const controller::DecisionCounts& counts;
  const OrderBook& orders;
};

// The page of a leader.
[[nodiscard]] std::string metrics_text(const FabricMetrics& metrics);
// The page of a controller that stands by: it knows itself, and nothing of links and switches.
[[nodiscard]] std::string metrics_text(const ControllerMetrics& metrics);

}  // namespace ebb::monitor
