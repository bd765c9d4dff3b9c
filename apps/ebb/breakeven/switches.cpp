// SPDX-License-Identifier: Apache-2.0
#include "breakeven/output.hpp"
#include "command_line/short_text.hpp"
#include "command_line/table.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ebb::cli {
namespace {

using breakeven::Banked;
using breakeven::SwitchPower;

constexpr std::size_t kTextWidth = 100;
constexpr auto kRight = Table::Align::right;

double share(Power part, Power whole) {
  return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string whole_percent(const std::optional<Power>& saved, const Banked& banked) {
  return saved ? fmt::format("{:.0f}", 100 * banked.share(*saved)) : "-";
}

std::string ports_of(const SwitchStudy& each) {
  const auto& setup = each.setup;
  return fmt::format("{} x {}", setup.ports(),
                     setup.setup != nullptr ? setup.setup->name : to_text(setup.rate()));
}

Power at_full_load(const SwitchStudy& each) { return each.setup.power_at(Ratio(1, 1)).total(); }

// Whole watts; of the smallest switches also hundredths.
std::string watts_text(Power power) {
  const double watts = to_watts(power);
  return watts < 1 ? fmt::format("{:.2f}", watts) : fmt::format("{:.0f}", watts);
}

std::string links_share(const SwitchStudy& each) {
  if (!each.setup.links_known()) return "?";
  return fmt::format("{:.0f} %", 100 * share(each.setup.power_at({}).links, at_full_load(each)));
}

std::vector<std::string> table_row(const SwitchStudy& each) {
  std::vector<std::string> cells = {"  " + ports_of(each), watts_text(at_full_load(each)),
                                    links_share(each)};
  for (const SwitchSeen& seen : each.seen) {
    cells.insert(cells.end(), {whole_percent(seen.banked.own, seen.banked),
                               whole_percent(seen.banked.quick_sleep, seen.banked),
                               whole_percent(seen.banked.ideal, seen.banked)});
  }
  return cells;
}

std::string table_text(const BreakevenStudy& study) {
  std::vector<Table::Column> columns = {{"switch"}, {"W", kRight}, {"links", kRight}};
  for (const std::string& workload : study.workloads) {
    const std::string group = study.workloads.size() > 1 ? workload : "";
    columns.push_back({"own", kRight, group});
    columns.push_back({to_text(breakeven::kQuickWake), kRight, group});
    columns.push_back({"ideal", kRight, group});
  }
  Table table(std::move(columns));
  const power::Part* before = nullptr;
  for (const SwitchStudy& each : study.switches) {
    if (each.setup.part != before)
      table.add({fmt::format("{} ({})", each.setup.part->name, each.evidence)});
    before = each.setup.part;
    table.add(table_row(each));
  }
  return table.text();
}

std::string legend_text() {
  return wrapped(
      fmt::format(
          "W: all ports in use at full load. links: share of it in ports and modules "
          "without traffic; ?: not published. own: by the sleep and the rates that the part "
          "has in the library; -: none published. {}: were there ports that wake so fast "
          "from 0 W. ideal: were the power in proportion to the traffic; what is beyond "
          "{} needs a chassis that scales",
          to_text(breakeven::kQuickWake), to_text(breakeven::kQuickWake)),
      kTextWidth, "");
}

std::string percent_and_watts(Power saved, const Banked& banked) {
  return fmt::format("{:.1f} % ({})", 100 * banked.share(saved), short_text(saved));
}

std::string verdict(const std::string& workload, const Banked& banked) {
  const std::string today = banked.own
                                ? percent_and_watts(*banked.own, banked) + " by its own figures"
                                : "nothing, no sleep state published";
  const std::string begin =
      fmt::format("{} ({:.1f} % load, draws {}): today: {}; ", workload,
                  100 * banked.load.to_double(), short_text(banked.drawn.total()), today);
  if (!banked.quick_sleep) {
    return begin + fmt::format("what its ports draw is not published; an ideal switch: {}",
                               percent_and_watts(banked.ideal, banked));
  }
  const Power beyond = std::max(Power(), banked.ideal - *banked.quick_sleep);
  return begin + fmt::format(
                     "with ports that sleep and wake in {}: {}; needs a chassis that "
                     "scales: {} more",
                     to_text(breakeven::kQuickWake), percent_and_watts(*banked.quick_sleep, banked),
                     percent_and_watts(beyond, banked));
}

std::string split_text(const SwitchStudy& each) {
  const SwitchPower idle = each.setup.power_at({});
  const Power full = at_full_load(each);
  if (!each.setup.links_known())
    return fmt::format("one figure for all of it, {}", short_text(idle.total()));
  return fmt::format("chassis {}, links {}, traffic at full load {}", short_text(idle.chassis),
                     short_text(idle.links), short_text(full - idle.total()));
}

std::string shutdown_text(const SwitchStudy& each) {
  const auto saved = each.setup.saved_by_shutdown_of_a_port();
  if (!saved) return "";
  return wrapped(
      fmt::format("a port shut down for good saves {}, {:.1f} % of the idle box; how long "
                  "it takes to come back is not in the library",
                  short_text(*saved), 100 * share(*saved, each.setup.power_at({}).total())),
      kTextWidth, "  ");
}

std::string words(const BreakevenStudy& study, const SwitchStudy& each) {
  std::string text = wrapped(fmt::format("{}, {} ({}): {}", each.setup.part->name, ports_of(each),
                                         each.evidence, split_text(each)),
                             kTextWidth, "");
  text += shutdown_text(each);
  for (std::size_t i = 0; i < each.seen.size(); ++i)
    text += wrapped(verdict(study.workloads[i], each.seen[i].banked), kTextWidth, "  ");
  return text;
}

// From the least to the most, in per cent.
class Span {
 public:
  void add(double share) {
    least_ = std::min(least_, share);
    most_ = std::max(most_, share);
  }
  [[nodiscard]] std::string text(int decimals = 0) const {
    return fmt::format("{:.{}f} to {:.{}f} %", 100 * least_, decimals, 100 * most_, decimals);
  }

 private:
  double least_ = 1;
  double most_ = 0;
};

// What the boxes that were measured from outside have in common.
struct Measured {
  std::set<std::string> boxes;
  std::set<std::string> with_sleep;
  int setups = 0;
  Span links, shutdown, quick, beyond;

  void add(const SwitchStudy& each) {
    boxes.insert(each.setup.part->name);
    ++setups;
    const SwitchPower idle = each.setup.power_at({});
    links.add(share(idle.links, at_full_load(each)));
    if (const auto saved = each.setup.saved_by_shutdown_of_a_port())
      shutdown.add(std::max(0.0, share(*saved, idle.total())));  // below zero is scatter
    for (const SwitchSeen& seen : each.seen) add(seen.banked, each.setup.part->name);
  }

 private:
  void add(const Banked& banked, const std::string& box) {
    if (banked.own) with_sleep.insert(box);
    if (!banked.quick_sleep) return;
    quick.add(banked.share(*banked.quick_sleep));
    beyond.add(banked.share(banked.ideal - *banked.quick_sleep));
  }
};

std::string summary_text(const BreakevenStudy& study) {
  Measured all;
  for (const SwitchStudy& each : study.switches) {
    if (each.evidence == to_text(power::Evidence::measured) && each.setup.links_known())
      all.add(each);
  }
  if (all.boxes.empty()) return "";
  const std::string sleepers =
      all.with_sleep.empty() ? "none has" : fmt::format("{} have", all.with_sleep.size());
  return wrapped(fmt::format("Today: of {} measured boxes ({} setups) {} a published sleep state; "
                             "what can be banked is ports shut down for good, {} of the box each.",
                             all.boxes.size(), all.setups, sleepers, all.shutdown.text(1)),
                 kTextWidth, "") +
         wrapped(fmt::format("With ports that sleep and wake in {}: {} of the box on these "
                             "workloads; their links draw {} of the power at full load.",
                             to_text(breakeven::kQuickWake), all.quick.text(), all.links.text()),
                 kTextWidth, "") +
         wrapped(fmt::format("Needs a chassis that scales: {} more.", all.beyond.text()),
                 kTextWidth, "");
}

}  // namespace

std::string switches_text(const BreakevenStudy& study) {
  std::string text = "Switches: where the power is, and what they would save, % of the switch\n\n" +
                     table_text(study) + "\n" + legend_text();
  if (study.bound) return text + "\n" + summary_text(study);
  for (const SwitchStudy& each : study.switches) text += "\n" + words(study, each);
  return text;
}

}  // namespace ebb::cli
