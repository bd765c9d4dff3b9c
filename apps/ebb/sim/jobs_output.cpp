// SPDX-License-Identifier: Apache-2.0
//
// What became of jobs, for people: how long they took, how much slower than with links that are
// always on, what they cost, and what their critical path consists of.
#include "command_line/text.hpp"
#include "sim/output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::cli {
namespace {

using netsim::JobReport;

constexpr double kPathBarWidth = 40;

double ratio(Duration part, Duration whole) {
  return whole == Duration{}
             ? 0
             : static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

std::string jobs_table(const netsim::Report& report) {
  Table table({{"job"},
               {"ranks", Table::Align::right},
               {"time", Table::Align::right},
               {"slowdown", Table::Align::right},
               {"energy", Table::Align::right},
               {"of always-on", Table::Align::right},
               {"energy x time", Table::Align::right}});
  for (const JobReport& job : report.jobs) {
    const auto slower = results::slowdown(job);
    const std::string share = job.reference
                                  ? fmt::format("{:.1f} %", 100 * to_joules(job.energy) /
                                                                to_joules(job.reference->energy))
                                  : "";
    table.add({job.name, with_separators(static_cast<std::int64_t>(job.ranks.size())),
               job.done ? short_text(job.time()) : "not done",
               slower ? fmt::format("{:.3f}", *slower) : "",
               fmt::format("{:.4g} J", to_joules(job.energy)), share,
               fmt::format("{:.4g} J s", results::energy_delay(job))});
  }
  return table.text();
}

// Of network and hosts together.
std::string cluster_line(const JobReport& job) {
  const auto share = results::network_share(job);
  if (!share) return "";
  const auto relative = results::cluster_relative_energy(job);
  return fmt::format(
      "\ncluster of {}, with hosts of {:.4g} J: the network takes {:.1f} % of its energy{}\n",
      job.name, to_joules(*job.hosts_energy), 100 * *share,
      relative ? fmt::format("; all of it is {:.2f} % of always-on", 100 * *relative) : "");
}

std::string path_lines(const JobReport& job) {
  const Duration total = job.path.total();
  std::string text = fmt::format("critical path of {}, {} messages\n", job.name,
                                 with_separators(static_cast<std::int64_t>(job.path.messages)));
  for (const results::PathPart& part : results::parts_of(job.path)) {
    if (part.time == Duration{}) continue;
    const double share = ratio(part.time, total);
    text +=
        fmt::format("  {:<22}{:>10}{:>8.1f} % |{:<{}}|\n", part.name, short_text(part.time),
                    100 * share, std::string(static_cast<std::size_t>(kPathBarWidth * share), '#'),
                    static_cast<int>(kPathBarWidth));
  }
  return text;
}

// Least, mean and most of the ranks.
std::string rank_line(const JobReport& job, std::string_view name,
                      Duration (*of)(const JobReport&, const program::RankTimes&)) {
  double sum = 0;
  double least = 1;
  double most = 0;
  for (const program::RankTimes& rank : job.ranks) {
    const double share = ratio(of(job, rank), job.time());
    sum += share;
    least = std::min(least, share);
    most = std::max(most, share);
  }
  return fmt::format("  {:<22}{:>8.1f} %, {:.1f} to {:.1f}\n", name,
                     100 * sum / static_cast<double>(job.ranks.size()), 100 * least, 100 * most);
}

std::string rank_lines(const JobReport& job) {
  if (job.ranks.empty() || job.time() == Duration{}) return "";
  return fmt::format("ranks of {}, mean and range\n", job.name) +
         rank_line(
             job, "computing",
             [](const JobReport&, const program::RankTimes& rank) { return rank.computing; }) +
         rank_line(job, "sending and receiving",
                   [](const JobReport&, const program::RankTimes& rank) { return rank.overhead; }) +
         rank_line(job, "waiting", results::waiting);
}

}  // namespace

std::string jobs_text(const results::Summary& result) {
  std::string text = jobs_table(result.report);
  for (const JobReport& job : result.report.jobs) {
    text += cluster_line(job);
    if (job.done) text += "\n" + path_lines(job);
    text += "\n" + rank_lines(job);
  }
  return text;
}

}  // namespace ebb::cli
