// SPDX-License-Identifier: Apache-2.0
//
// Bytes: traffic::offered() counts what hosts will send without knowing a network. The channels
// count what they carried. For every host both must agree, for what it sent and for what came, and
// so must what observers were told. A packet that ends at the wrong host shows in the counters of
// two links.
//
// Credits: the same runs, looked at when nothing moves any more.
#include "checks.hpp"
#include "runs/idle_run.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace ebb::validate {
namespace {

struct Count {
  std::int64_t runs = 0;
  std::int64_t expected = 0;
  std::int64_t measured = 0;
  std::string note;
};

// Runs by (family, routing), and those of policies by their names.
std::string row_name(const IdleRun& run) {
  return run.policy == "always-on" ? run.setting.family + ", " + run.setting.scheme
                                   : "policy " + run.policy + ", " + run.setting.scheme;
}

std::string where(const IdleRun& run) {
  return fmt::format("{}, {}", text_of(run.setting), run.variant);
}

void note_once(Count& count, std::string text) {
  if (count.note.empty()) count.note = std::move(text);
}

void count_bytes(const IdleRun& run, const IdleResult& result, Count& count) {
  count.expected += result.offered.total().count();
  for (std::uint32_t h = 0; h < result.received.size(); ++h) {
    count.measured += result.received[h].count();
    if (result.sent[h] != result.offered.sent_by(h)) {
      note_once(count, fmt::format("{}: host {} sent other data", where(run), h));
    }
    if (result.received[h] != result.offered.sent_to(h)) {
      note_once(count, fmt::format("{}: host {} received other data", where(run), h));
    }
    if (result.announced[h] != result.offered.sent_to(h)) {
      note_once(count, fmt::format("{}: observers were told otherwise of host {}", where(run), h));
    }
  }
  if (result.messages != result.offered.messages()) {
    note_once(count, fmt::format("{}: {} of {} messages", where(run), result.messages,
                                 result.offered.messages()));
  }
}

void count_credits(const IdleRun& run, const IdleResult& result, Count& count) {
  count.measured += static_cast<std::int64_t>(result.left_over.size());
  if (!result.left_over.empty()) {
    note_once(count, fmt::format("{}: {}", where(run), result.left_over.front().message));
  }
}

std::vector<Row> compare(void (*counting)(const IdleRun&, const IdleResult&, Count&),
                         const std::string& unit) {
  std::vector<std::string> order;
  std::map<std::string, Count> counts;
  Accounts accounts;
  for (const IdleRun& run : idle_runs()) {
    const std::string name = row_name(run);
    if (!counts.contains(name)) order.push_back(name);
    Count& count = counts[name];
    ++count.runs;
    counting(run, run_until_idle(run, accounts), count);
  }
  std::vector<Row> rows;
  for (const std::string& name : order) {
    const Count& count = counts[name];
    Row row =
        exact(fmt::format("{}, {} runs", name, count.runs), count.expected, count.measured, unit);
    row.note = count.note;
    if (!count.note.empty()) row.verdict = Verdict::fails;
    rows.push_back(std::move(row));
  }
  rows.push_back(accounts.row());
  return rows;
}

}  // namespace

std::vector<Row> check_bytes() { return compare(count_bytes, "bit"); }

std::vector<Row> check_credits() { return compare(count_credits, "left over"); }

}  // namespace ebb::validate
