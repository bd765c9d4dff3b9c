// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/fabric_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <variant>

namespace ebb::monitor {
namespace {

std::string_view to_text(Kind kind) {
  switch (kind) {
    case Kind::counter:
      return "counter";
    case Kind::gauge:
      return "gauge";
    case Kind::histogram:
      return "histogram";
  }
  return "untyped";
}

// Help texts escape backslashes and line ends, label values quotes as well.
std::string escaped(std::string_view text, bool quotes) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\n') {
      result += "\\n";
      continue;
    }
    if (letter == '\\' || (quotes && letter == '"')) result += '\\';
    result += letter;
  }
  return result;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

void Exposition::family(std::string_view name, Kind kind, std::string_view help) {
  family_ = name;
  text_ +=
      fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, to_text(kind));
}

void Exposition::sample(const Labels& labels, double value) { line("", labels, value); }

void Exposition::histogram(const Labels& labels, const Histogram& histogram) {
  std::uint64_t up_to_here = 0;
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    up_to_here += histogram.counts()[i];
    const std::string bound =
        i < histogram.bounds().size() ? number_text(histogram.bounds()[i]) : "+Inf";
    Labels with_bound = labels;
    with_bound.emplace_back("le", bound);
    line("_bucket", with_bound, static_cast<double>(up_to_here));
  }
  line("_sum", labels, histogram.sum());
  line("_count", labels, static_cast<double>(up_to_here));
}

void Exposition::line(std::string_view suffix, const Labels& labels, double value) {
  text_ += family_;
  text_ += suffix;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text_ += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", labels[i].first,
                         escaped(labels[i].second, true));
  }
  text_ += fmt::format("{} {}\n", labels.empty() ? "" : "}", number_text(value));
}

void LinkHistory::add(const controller::Entry& entry) {
  constexpr std::size_t kKept = 10;
  last_.push_front(entry);
  if (last_.size() > kKept) last_.pop_back();
  if (entry.dry_run) return;
  if (entry.state == state_) return;
  asleep_before_ = asleep(entry.at);
  state_ = entry.state;
  since_ = entry.at;
  ++entered_.at(static_cast<std::size_t>(entry.state));
}

Duration LinkHistory::asleep(TimePoint now) const {
  return asleep_before_ + (state_ == controller::LinkState::asleep ? now - since_ : Duration{});
}

void PortsDown::changed(const controller::Entry& entry) {
  if (entry.dry_run) return;
  const topology::ChannelId forth = topology::forward(entry.link);
  for (const topology::ChannelId end : {forth, topology::reverse(forth)}) {
    if (entry.state == controller::LinkState::asleep) ends_.insert(end);
    if (entry.state == controller::LinkState::active) ends_.erase(end);
  }
}

void PortsDown::answered(const controller::Order& order, bool ok) {
  const auto* port = std::get_if<controller::SetPort>(&order);
  if (port != nullptr && port->up && ok) ends_.erase(port->end);
}

OrderKind kind_of(const controller::Order& order) {
  if (const auto* preference = std::get_if<controller::SetFailoverPreference>(&order))
    return preference->detour ? OrderKind::detour : OrderKind::primary;
  if (const auto* port = std::get_if<controller::SetPort>(&order))
    return port->up ? OrderKind::port_up : OrderKind::port_down;
  return OrderKind::rate;
}

std::string_view to_text(OrderKind kind) {
  switch (kind) {
    case OrderKind::detour:
      return "detour";
    case OrderKind::primary:
      return "primary";
    case OrderKind::port_down:
      return "port_down";
    case OrderKind::port_up:
      return "port_up";
    case OrderKind::rate:
      return "rate";
  }
  return "?";
}

void OrderBook::answered(OrderKind kind, bool ok, Duration took) {
  Page& its = page(kind);
  ++(ok ? its.done : its.failed);
  its.answers.add(std::chrono::duration<double>(took).count());
}

namespace {

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

double number(std::uint64_t count) { return static_cast<double>(count); }

void single(Exposition& page, std::string_view name, Kind kind, std::string_view help,
            double value) {
  page.family(name, kind, help);
  page.sample({}, value);
}

void controller_itself(Exposition& page, const ControllerMetrics& metrics) {
  page.family("ebb_fabric_info", Kind::gauge,
              "Always 1; which fabric, which policy, and whether it is a dry run.");
  page.sample({{"fabric", metrics.fabric},
               {"policy", metrics.policy},
               {"dry_run", metrics.dry_run ? "true" : "false"}},
              1);
  page.family("ebb_controller_role", Kind::gauge, "1 for the role of this controller, else 0.");
  page.sample({{"role", "leader"}}, metrics.leads ? 1 : 0);
  page.sample({{"role", "standby"}}, metrics.leads ? 0 : 1);
  single(page, "ebb_controller_generation", Kind::gauge,
         "Generation of the last term that this controller knows.", number(metrics.generation));
  single(page, "ebb_controller_uptime_seconds", Kind::gauge, "Time since the controller began.",
         seconds(metrics.uptime));
  page.family("ebb_loop_lag_seconds", Kind::histogram,
              "How late the controller's loop ran what was due every 50 ms.");
  page.histogram({}, metrics.loop_lag);
  single(page, "ebb_lines_lost_total", Kind::counter,
         "Lines of the log and the audit trail that could not be written.",
         number(metrics.lines_lost));
  single(page, "ebb_state_save_failures_total", Kind::counter,
         "How often the state of links could not be written for the next controller.",
         number(metrics.saves_failed));
  page.family("ebb_record_failing", Kind::gauge,
              "1 for a file, socket or address that was asked for and cannot be opened, else 0.");
  for (const auto& [record, fails] : metrics.records)
    page.sample({{"record", record}}, fails ? 1 : 0);
}

void whole_fabric(Exposition& page, const FabricMetrics& metrics) {
  page.family("ebb_switches", Kind::gauge, "Switches of the description, by presence.");
  page.sample({{"presence", "here"}}, number(metrics.switches_here));
  page.sample({{"presence", "away"}}, number(metrics.switches_away));
  page.family("ebb_switch_out_of_use", Kind::gauge,
              "1 for a switch that is not in use, by the state that it is in.");
  for (const auto& [name, state] : metrics.switches_out)
    page.sample({{"switch", name}, {"state", to_text(state)}}, 1);
  single(page, "ebb_wrong_cables", Kind::gauge, "Cable ends that do not lead where described.",
         number(metrics.wrong_cables));
  page.family("ebb_links", Kind::gauge, "Links between switches, by state.");
  for (const controller::LinkState state : kLinkStates) {
    const auto in_it = std::count_if(metrics.links.begin(), metrics.links.end(),
                                     [&](const LinkMetrics& link) { return link.state == state; });
    page.sample({{"state", to_text(state)}}, static_cast<double>(in_it));
  }
}

constexpr double kBitsInAByte = 8;  // the unit that Prometheus wants

// What never happened has no age.
void ages(Exposition& page, const FabricMetrics& metrics, std::string_view name,
          std::string_view help, std::optional<Duration> LinkMetrics::*age) {
  page.family(name, Kind::gauge, help);
  for (const LinkMetrics& link : metrics.links) {
    if (const auto time = link.*age)
      page.sample({{"link", link.name}}, std::chrono::duration<double>(*time).count());
  }
}

void each_link(Exposition& page, const FabricMetrics& metrics) {
  page.family("ebb_link_state", Kind::gauge, "1 for the state that the link is in, else 0.");
  for (const LinkMetrics& link : metrics.links) {
    for (const controller::LinkState state : kLinkStates)
      page.sample({{"link", link.name}, {"state", to_text(state)}}, link.state == state ? 1 : 0);
  }
  page.family("ebb_link_may_sleep", Kind::gauge,
              "0 for links of the connected core, which never sleep by policy.");
  for (const LinkMetrics& link : metrics.links)
    page.sample({{"link", link.name}}, link.may_sleep ? 1 : 0);
  page.family("ebb_link_drained", Kind::gauge, "1 for a link that an operator drained, else 0.");
  for (const LinkMetrics& link : metrics.links)
    page.sample({{"link", link.name}}, link.drained ? 1 : 0);
  page.family("ebb_link_rate_bytes_per_second", Kind::gauge,
              "Rate that the link is set to, in each direction; also while it sleeps.");
  for (const LinkMetrics& link : metrics.links) {
    page.sample({{"link", link.name}}, static_cast<double>(link.rate.count()) / kBitsInAByte);
  }
  ages(page, metrics, "ebb_link_load_age_seconds",
       "Since the counters of the link were read; too old, it does not go to sleep.",
       &LinkMetrics::counter_age);
  ages(page, metrics, "ebb_link_probe_age_seconds",
       "Since a probe came through the link, in the direction for which it is longer ago.",
       &LinkMetrics::probe_age);
  page.family("ebb_link_utilization_ratio", Kind::gauge,
              "Share of its rate that a direction of the link sent in the last sample.");
  for (const LinkMetrics& link : metrics.links) {
    page.sample({{"link", link.name}, {"from", link.a}, {"to", link.b}}, link.used_forth);
    page.sample({{"link", link.name}, {"from", link.b}, {"to", link.a}}, link.used_back);
  }
}

void link_histories(Exposition& page, const FabricMetrics& metrics) {
  page.family("ebb_link_asleep_seconds_total", Kind::counter, "Time that the link slept.");
  for (const LinkMetrics& link : metrics.links)
    page.sample({{"link", link.name}}, seconds(link.history.asleep(metrics.at)));
  page.family("ebb_link_transitions_total", Kind::counter, "How often the link entered a state.");
  for (const LinkMetrics& link : metrics.links) {
    for (const controller::LinkState state : kLinkStates) {
      page.sample({{"link", link.name}, {"to", to_text(state)}},
                  number(link.history.entered(state)));
    }
  }
}

void all_awake(Exposition& page, const FabricMetrics& metrics) {
  single(page, "ebb_modelled_all_awake_power_watts", Kind::gauge,
         "Modelled draw of the ports between switches, and of boxes that can be off, if all were "
         "awake.",
         to_watts(metrics.modelled_all_awake));
}

// Three claims that are never mixed. Nothing is measured, so no metric says that it is.
void power(Exposition& page, const FabricMetrics& metrics) {
  single(page, "ebb_modelled_power_watts", Kind::gauge,
         "Modelled draw of the ports between switches now, and of boxes that can be off.",
         to_watts(metrics.modelled));
  single(page, "ebb_modelled_saved_joules_total", Kind::counter,
         "Modelled energy that sleeping ports did not draw.", to_joules(metrics.modelled_saved));
  single(page, "ebb_actuated_ports_down", Kind::gauge,
         "Ports of sleeping links that were seen to be down, of switches that are here.",
         number(metrics.ports_down));
}

// What would be, if a dry run did what it says.
void would_be(Exposition& page, const FabricMetrics& metrics) {
  const auto asleep = std::count_if(metrics.links.begin(), metrics.links.end(),
                                    [](const LinkMetrics& link) { return link.would_sleep; });
  single(page, "ebb_dry_run_links_would_sleep", Kind::gauge,
         "Links between switches that would sleep; nothing was done.", static_cast<double>(asleep));
  page.family("ebb_dry_run_link_would_sleep", Kind::gauge,
              "1 for a link that would sleep; nothing was done.");
  for (const LinkMetrics& link : metrics.links)
    page.sample({{"link", link.name}}, link.would_sleep ? 1 : 0);
  single(page, "ebb_dry_run_would_draw_power_watts", Kind::gauge,
         "Modelled draw of the ports between switches if that slept.",
         to_watts(metrics.would_draw));
  single(page, "ebb_dry_run_would_have_saved_joules_total", Kind::counter,
         "Modelled energy that would not have been drawn; nothing was saved.",
         to_joules(metrics.would_have_saved));
}

// `prefix` is "ebb_", or "ebb_dry_run_" where the policy is told that it was done and it was not.
void policy(Exposition& page, const std::string& prefix, const controller::DecisionCounts& counts) {
  using policy::Reason;
  single(page, prefix + "policy_decisions_total", Kind::counter,
         "Samples that the policy was given.", number(counts.decisions));
  page.family(prefix + "policy_actions_total", Kind::counter,
              "What the policy asked for, by what became of it.");
  for (const Reason reason : {Reason::done, Reason::changing, Reason::not_supported,
                              Reason::unknown_channel, Reason::refused}) {
    const auto found = counts.actions.find(reason);
    page.sample({{"outcome", to_text(reason)}},
                found == counts.actions.end() ? 0 : number(found->second));
  }
  single(page, prefix + "full_detour_wakes_total", Kind::counter,
         "Links that were woken because a detour of theirs was too full.",
         number(counts.woken_by_full_detours));
  page.family(prefix + "safety_refusals_total", Kind::counter,
              "Wishes of the policy that a safety rule refused, by the first rule to object.");
  for (const auto& [wish, refusals] :
       {std::pair("sleep", &counts.refused_to_sleep), std::pair("wake", &counts.refused_to_wake)}) {
    for (const auto& [rule, count] : *refusals)
      page.sample({{"wish", wish}, {"rule", rule}}, number(count));
  }
}

void orders(Exposition& page, const OrderBook& book) {
  page.family("ebb_orders_given_total", Kind::counter, "Orders to switches, by kind.");
  for (const OrderKind kind : kOrderKinds)
    page.sample({{"kind", to_text(kind)}}, number(book.of(kind).given));
  page.family("ebb_orders_answered_total", Kind::counter,
              "Orders that a switch answered, by kind and outcome.");
  for (const OrderKind kind : kOrderKinds) {
    page.sample({{"kind", to_text(kind)}, {"outcome", "done"}}, number(book.of(kind).done));
    page.sample({{"kind", to_text(kind)}, {"outcome", "failed"}}, number(book.of(kind).failed));
  }
  page.family("ebb_order_duration_seconds", Kind::histogram,
              "Time from an order to its answer, by kind.");
  for (const OrderKind kind : kOrderKinds)
    page.histogram({{"kind", to_text(kind)}}, book.of(kind).answers);
}

}  // namespace

std::string metrics_text(const ControllerMetrics& metrics) {
  Exposition page;
  controller_itself(page, metrics);
  return page.text();
}

std::string metrics_text(const FabricMetrics& metrics) {
  Exposition page;
  controller_itself(page, metrics.controller);
  whole_fabric(page, metrics);
  each_link(page, metrics);
  all_awake(page, metrics);
  if (metrics.controller.dry_run) {
    would_be(page, metrics);
    policy(page, "ebb_dry_run_", metrics.counts);
  } else {
    link_histories(page, metrics);
    power(page, metrics);
    policy(page, "ebb_", metrics.counts);
    orders(page, metrics.orders);
  }
  return page.text();
}

}  // namespace ebb::monitor
