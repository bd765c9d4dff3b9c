// SPDX-License-Identifier: Apache-2.0
#include "traffic/output.hpp"

#include "command_line/short_text.hpp"
#include "command_line/table.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ebb::cli {
namespace {

using traffic::Burstiness;
using traffic::WindowSeen;
using traffic::WindowUse;
using Json = nlohmann::ordered_json;

constexpr std::size_t kTextWidth = 100;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::vector<std::string> use_row(const std::string& window, const std::string& direction,
                                 const WindowUse& use) {
  return {window,
          direction,
          percent(use.mean),
          percent(use.p50),
          percent(use.p99),
          percent(use.most),
          percent(use.idle),
          fmt::format("{:.4g}", use.dispersion)};
}

std::string use_table(const Burstiness& seen) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"window", kRight},
               {"host links"},
               {"mean", kRight},
               {"p50", kRight},
               {"p99", kRight},
               {"max", kRight},
               {"idle windows", kRight},
               {"dispersion", kRight},
               {"asymmetry", kRight}});
  for (const WindowSeen& window : seen.windows) {
    auto row = use_row(to_text(window.window), "out", window.out);
    row.push_back(fmt::format("{:.2f}", window.asymmetry));
    table.add(std::move(row));
    table.add(use_row("", "in", window.in));
  }
  return table.text();
}

Json use_json(const WindowUse& use) {
  return {{"mean", use.mean}, {"p50", use.p50},   {"p99", use.p99},
          {"most", use.most}, {"idle", use.idle}, {"dispersion", use.dispersion}};
}

}  // namespace

std::string traffic_text(const TrafficSubject& subject, const Burstiness& seen) {
  std::string text = wrapped(fmt::format("{} ({} hosts at {}), {}, seed {}", subject.name,
                                         with_separators(subject.hosts), to_text(subject.host_rate),
                                         to_text(subject.until.time_since_epoch()), subject.seed),
                             kTextWidth, "");
  text += fmt::format("\noffered load  {} of a host link on average, {} to {} by host\n",
                      percent(seen.load_mean), percent(seen.load_least), percent(seen.load_most));
  text += fmt::format("messages      {}; {}B on average, p50 {}B, p99 {}B\n\n",
                      with_separators(seen.messages), short_count(seen.size_mean),
                      short_count(static_cast<double>(seen.size_p50)),
                      short_count(static_cast<double>(seen.size_p99)));
  text += use_table(seen) + "\n";
  return text +
         wrapped(fmt::format("dispersion: variance over mean of the data born in a window, in "
                             "messages of mean size; {:.4g} for messages of these sizes at random "
                             "times (Poisson). asymmetry: 0 when both directions of a link are "
                             "alike, 1 when only one is in use",
                             seen.poisson_dispersion),
                 kTextWidth, "");
}

std::string traffic_json(const TrafficSubject& subject, const Burstiness& seen) {
  Json windows = Json::array();
  for (const WindowSeen& window : seen.windows) {
    windows.push_back({{"window_ps", window.window.count()},
                       {"out", use_json(window.out)},
                       {"in", use_json(window.in)},
                       {"asymmetry", window.asymmetry}});
  }
  const Json json = {
      {"schema_version", 1},
      {"workload", subject.name},
      {"hosts", subject.hosts},
      {"host_rate_bit_per_s", subject.host_rate.count()},
      {"seed", subject.seed},
      {"time_ps", subject.until.time_since_epoch().count()},
      {"messages", seen.messages},
      {"load", {{"mean", seen.load_mean}, {"least", seen.load_least}, {"most", seen.load_most}}},
      {"size_bytes", {{"mean", seen.size_mean}, {"p50", seen.size_p50}, {"p99", seen.size_p99}}},
      {"poisson_dispersion", seen.poisson_dispersion},
      {"windows", windows}};
  return json.dump(2) + "\n";
}

}  // namespace ebb::cli
