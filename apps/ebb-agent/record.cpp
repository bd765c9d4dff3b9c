// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace ebb::agent {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLast = 50;

double milliseconds_of(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

double seconds_of(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::int64_t bytes_of(DataSize size) { return size.count() / 8; }

}  // namespace

void Record::polled(TimePoint now) {
  if (!first_poll_) first_poll_ = last_poll_ = now;
  longest_gap_ = std::max(longest_gap_, now - last_poll_);
  last_poll_ = now;
  ++polls_;
}

void Record::saw(const Reading& reading) {
  Port& port = ports_[reading.port];
  port.waiting = reading.waiting;
  port.most_waiting = std::max(port.most_waiting, reading.waiting);
}

void Record::changed(TimePoint now, const Change& change, bool done) {
  if (!done) {
    ++refusals_;
    return;
  }
  ++(change.pause ? diversions_ : returns_);
  if (change.pause) {
    ++ports_[change.port].diversions;
    slowest_ = std::max(slowest_, now - change.seen);
  }
  last_.push_back({now, change});
  if (last_.size() > kLast) last_.pop_front();
}

Result<void> Record::write(const std::string& path, const Ports& paused) const {
  Json ports = Json::array();
  for (const auto& [number, port] : ports_) {
    ports.push_back({{"port", name_(number)},
                     {"paused", paused.contains(number)},
                     {"waiting_bytes", bytes_of(port.waiting)},
                     {"most_waiting_bytes", bytes_of(port.most_waiting)},
                     {"diversions", port.diversions}});
  }
  Json changes = Json::array();
  for (const Done& done : last_) {
    changes.push_back({{"at_s", seconds_of(done.at)},
                       {"port", name_(done.change.port)},
                       {"change", done.change.pause ? "paused" : "used again"},
                       {"why", to_text(done.change.why)},
                       {"waiting_bytes", bytes_of(done.change.waiting)},
                       {"after_ms", milliseconds_of(done.at - done.change.seen)}});
  }
  const double watched = first_poll_ ? milliseconds_of(last_poll_ - *first_poll_) : 0;
  const Json all = {{"schema_version", 1},
                    {"diversions", diversions_},
                    {"returns", returns_},
                    {"refusals", refusals_},
                    {"slowest_diversion_ms", milliseconds_of(slowest_)},
                    {"polls", polls_},
                    {"watched_ms", watched},
                    {"longest_gap_ms", milliseconds_of(longest_gap_)},
                    {"ports", std::move(ports)},
                    {"changes", std::move(changes)}};
  {
    std::ofstream file(path + ".new");
    file << all.dump(1) << '\n';
    if (!file.flush()) return fail("cannot be written", {path});
  }
  if (std::rename((path + ".new").c_str(), path.c_str()) != 0)
    return fail("cannot be written", {path});
  return {};
}

}  // namespace ebb::agent
