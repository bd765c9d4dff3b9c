// SPDX-License-Identifier: Apache-2.0
#include "fabric/events.hpp"

#include "fabric/status.hpp"

#include "ebb/monitor/order_book.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <unistd.h>

namespace ebb::cli {
namespace {

// A link that changes as often as it may (120 an hour) fills it in a week; two are kept.
constexpr std::uint64_t kMostAudit = std::uint64_t{16} << 20U;

std::string utc_text() {
  using std::chrono::system_clock;
  const auto now = floor<std::chrono::milliseconds>(system_clock::now());
  const auto whole = floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(system_clock::to_time_t(whole)),
                     (now - whole).count());
}

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

// Thousandths of a second are enough, and read better.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

// Whatever bytes an operator sends, the line is JSON.
std::string dump(const nlohmann::ordered_json& line) {
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Errors FabricEvents::open(const std::string& log, const std::string& audit) {
  if (!log.empty()) {
    auto file = monitor::LineFile::open(log);
    if (!file) return file.error();
    log_ = std::move(*file);
  }
  if (!audit.empty()) {
    auto file = monitor::LineFile::open(audit, kMostAudit);
    if (!file) return file.error();
    audit_ = std::move(*file);
  }
  return {};
}

FabricEvents::Json FabricEvents::event(std::string_view name, TimePoint at) const {
  return {{"time", utc_text()},
          {"at_s", rounded(seconds(at.time_since_epoch()))},
          {"event", std::string(name)}};
}

void FabricEvents::log(const Json& line) {
  if (log_) log_->add(dump(line));
}

void FabricEvents::audit(const Json& line) {
  if (audit_) audit_->add(dump(line));
}

void FabricEvents::began(const std::string& fabric, const std::string& policy, bool dry_run) {
  Json line = event("began", now_());
  line.update({{"fabric", fabric}, {"policy", policy}, {"dry_run", dry_run}, {"uid", getuid()}});
  log(line);
  audit(line);
}

void FabricEvents::ended() {
  log(event("ended", now_()));
  audit(event("ended", now_()));
  sync();
}

void FabricEvents::link(const controller::Entry& entry) {
  Json line = event("link", entry.at);
  line["link"] = link_name(graph_, entry.link);
  line["state"] = to_text(entry.state);
  line["why"] = entry.why;
  if (entry.only_said) line["dry_run"] = true;
  log(line);
}

void FabricEvents::notice(const drivers::Notice& notice) {
  Json line = event(notice.event, now_());
  if (!notice.device.empty()) line["switch"] = notice.device;
  line["what"] = notice.text;
  log(line);
}

FabricEvents::Json FabricEvents::order_event(std::string_view name, std::uint64_t number,
                                             const controller::Order& order) const {
  const topology::ChannelId end = controller::end_of(order);
  Json line = event(name, now_());
  line["order"] = number;
  line["switch"] = graph_.name(graph_.source(end));
  line["port"] = forwarding::port_of(graph_, end);
  line["link"] = link_name(graph_, topology::link_of(end));
  line["does"] = to_text(monitor::kind_of(order));
  return line;
}

void FabricEvents::given(const drivers::OrderGiven& order) {
  if (!audit_) return;
  Json line = order_event("order", order.number, order.order);
  line["why"] = order.reason;
  audit(line);
}

void FabricEvents::answered(const drivers::OrderAnswered& answer) {
  if (!audit_ && answer.ok) return;
  Json line = order_event("answer", answer.number, answer.order);
  line["ok"] = answer.ok;
  if (!answer.ok) line["why"] = answer.why;
  line["took_s"] = rounded(seconds(answer.took));
  audit(line);
  if (!answer.ok) log(line);
}

void FabricEvents::asked(const std::string& line, Asker who, const std::string& answer) {
  Json said = event("operator", now_());
  said["uid"] = who ? Json(*who) : Json(nullptr);
  said["says"] = line;
  said["answer"] = answer;
  log(said);
  audit(said);
}

void FabricEvents::sync() {
  if (log_) log_->sync();
  if (audit_) audit_->sync();
}

std::uint64_t FabricEvents::lines_lost() const {
  return (log_ ? log_->lost() : 0) + (audit_ ? audit_->lost() : 0);
}

}  // namespace ebb::cli
