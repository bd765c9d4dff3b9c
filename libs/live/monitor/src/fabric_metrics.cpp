// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/fabric_metrics.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace ebb::monitor {
namespace {

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

double number(std::uint64_t count) { return static_cast<double>(count); }

void single(Exposition& page, std::string_view name, Kind kind, std::string_view help,
            double value) {
  page.family(name, kind, help);
  page.sample({}, value);
}

void whole_fabric(Exposition& page, const FabricFigures& figures) {
  page.family("ebb_fabric_info", Kind::gauge, "Always 1; which fabric and which policy.");
  page.sample({{"fabric", figures.fabric}, {"policy", figures.policy}}, 1);
  single(page, "ebb_controller_uptime_seconds", Kind::gauge, "Time since the controller began.",
         seconds(figures.at.time_since_epoch()));
  page.family("ebb_switches", Kind::gauge, "Switches of the description, by presence.");
  page.sample({{"presence", "here"}}, number(figures.switches_here));
  page.sample({{"presence", "away"}}, number(figures.switches_away));
  single(page, "ebb_wrong_cables", Kind::gauge, "Cable ends that do not lead where described.",
         number(figures.wrong_cables));
  page.family("ebb_links", Kind::gauge, "Links between switches, by state.");
  for (const controller::LinkState state : kLinkStates) {
    const auto in_it = std::count_if(figures.links.begin(), figures.links.end(),
                                     [&](const LinkFigures& link) { return link.state == state; });
    page.sample({{"state", to_text(state)}}, static_cast<double>(in_it));
  }
}

void each_link(Exposition& page, const FabricFigures& figures) {
  page.family("ebb_link_state", Kind::gauge, "1 for the state that the link is in, else 0.");
  for (const LinkFigures& link : figures.links) {
    for (const controller::LinkState state : kLinkStates)
      page.sample({{"link", link.name}, {"state", to_text(state)}}, link.state == state ? 1 : 0);
  }
  page.family("ebb_link_may_sleep", Kind::gauge,
              "0 for links of the connected core, which never sleep by policy.");
  for (const LinkFigures& link : figures.links)
    page.sample({{"link", link.name}}, link.may_sleep ? 1 : 0);
  page.family("ebb_link_utilization_ratio", Kind::gauge,
              "Share of its rate that a direction of the link sent in the last sample.");
  for (const LinkFigures& link : figures.links) {
    page.sample({{"link", link.name}, {"from", link.a}, {"to", link.b}}, link.used_forth);
    page.sample({{"link", link.name}, {"from", link.b}, {"to", link.a}}, link.used_back);
  }
  page.family("ebb_link_asleep_seconds_total", Kind::counter, "Time that the link slept.");
  for (const LinkFigures& link : figures.links)
    page.sample({{"link", link.name}}, seconds(link.history.asleep(figures.at)));
  page.family("ebb_link_transitions_total", Kind::counter, "How often the link entered a state.");
  for (const LinkFigures& link : figures.links) {
    for (const controller::LinkState state : kLinkStates) {
      page.sample({{"link", link.name}, {"to", to_text(state)}},
                  number(link.history.entered(state)));
    }
  }
}

// Three claims that are never mixed. Nothing is measured, so no metric says that it is.
void power(Exposition& page, const FabricFigures& figures) {
  single(page, "ebb_modelled_all_awake_power_watts", Kind::gauge,
         "Modelled draw of the ports between switches if all were awake.",
         to_watts(figures.modelled_all_awake));
  single(page, "ebb_modelled_power_watts", Kind::gauge,
         "Modelled draw of the ports between switches now.", to_watts(figures.modelled));
  single(page, "ebb_modelled_saved_joules_total", Kind::counter,
         "Modelled energy that sleeping ports did not draw.", to_joules(figures.modelled_saved));
  single(page, "ebb_actuated_ports_down", Kind::gauge, "Ports that sleep and were seen to be down.",
         number(figures.ports_down));
}

void policy(Exposition& page, const controller::Tally& tally) {
  using policy::Reason;
  single(page, "ebb_policy_decisions_total", Kind::counter, "Samples that the policy was given.",
         number(tally.decisions));
  page.family("ebb_policy_actions_total", Kind::counter,
              "What the policy asked for, by what became of it.");
  for (const Reason reason : {Reason::done, Reason::changing, Reason::not_supported,
                              Reason::unknown_channel, Reason::refused}) {
    const auto found = tally.actions.find(reason);
    page.sample({{"outcome", to_text(reason)}},
                found == tally.actions.end() ? 0 : number(found->second));
  }
  page.family("ebb_safety_refusals_total", Kind::counter,
              "Wishes of the policy that a safety rule refused, by the first rule to object.");
  for (const auto& [wish, refusals] :
       {std::pair("sleep", &tally.refused_to_sleep), std::pair("wake", &tally.refused_to_wake)}) {
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

std::string metrics_text(const FabricFigures& figures) {
  Exposition page;
  whole_fabric(page, figures);
  each_link(page, figures);
  power(page, figures);
  policy(page, figures.tally);
  orders(page, figures.orders);
  page.family("ebb_loop_lag_seconds", Kind::histogram,
              "How late the controller's loop ran what was due every 50 ms.");
  page.histogram({}, figures.loop_lag);
  single(page, "ebb_lines_lost_total", Kind::counter,
         "Lines of the log and the audit trail that could not be written.",
         number(figures.lines_lost));
  return page.text();
}

}  // namespace ebb::monitor
