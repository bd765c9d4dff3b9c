// SPDX-License-Identifier: Apache-2.0
#include "breakeven/output.hpp"
#include "command_line/table.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::cli {
namespace {

using breakeven::Point;
using breakeven::Rest;
using breakeven::RuleSeen;
using breakeven::saving;

double seconds(Duration time) { return static_cast<double>(time.count()) * 1e-12; }

std::string saved(const std::optional<RuleSeen>& seen, const Rest& rest) {
  return seen ? fmt::format("{:.6g}", 100 * saving(seen->resting, rest.power)) : "";
}

std::string delay(const std::optional<RuleSeen>& seen) {
  return seen ? fmt::format("{:.6g}", seconds(seen->delay)) : "";
}

std::string row(const ChannelStudy& channel, const Look& look, const Point& point) {
  return fmt::format("{},{},{},{},{:.6g},{:.6g},{},{},{},{},{}\n", csv_field(channel.part),
                     to_text(channel.rest.where), csv_field(look.workload), to_text(look.rate),
                     seconds(point.change), seconds(point.break_even),
                     saved(point.ahead, channel.rest), saved(point.at_once, channel.rest),
                     delay(point.at_once), saved(point.timeout, channel.rest),
                     delay(point.timeout));
}

}  // namespace

std::string breakeven_csv(const BreakevenStudy& study) {
  std::string text =
      "part,rest,workload,rate,change [s],shortest gap [s],ahead [%],at once [%],at once delay "
      "[s],timeout [%],timeout delay [s]\n";
  for (const ChannelStudy& channel : study.channels) {
    for (const ChannelSeen& seen : channel.seen) {
      for (const Point& point : seen.curve) text += row(channel, seen.look, point);
    }
  }
  return text;
}

}  // namespace ebb::cli
