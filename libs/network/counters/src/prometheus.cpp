// SPDX-License-Identifier: Apache-2.0
//
// What a Prometheus server answers to /api/v1/query_range: series of counters, each with the labels
// that name its device and its interface. Read as it comes, never held as a whole.
#include "line_source.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <fstream>
#include <map>

namespace ebb::counters {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> kInterfaceLabels = {"ifName", "interface", "device",
                                                              "port",   "ifDescr",   "ifIndex"};

std::optional<Direction> direction_of(std::string_view metric) {
  const auto has = [&](std::string_view word) { return metric.find(word) != metric.npos; };
  if (has("Out") || has("transmit") || has("_out_") || has("_tx_") || has("sent"))
    return Direction::out;
  if (has("In") || has("receive") || has("_in_") || has("_rx_")) return Direction::in;
  return std::nullopt;
}

// Without the port of the exporter: "s0:9100" is s0.
std::string device_of(const std::string& instance) {
  const std::size_t colon = instance.rfind(':');
  const bool is_port = colon != std::string::npos && colon + 1 < instance.size() &&
                       instance.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return is_port ? instance.substr(0, colon) : instance;
}

// Events of the parser. `where_` is the path of keys: "data", "result", "metric".
class QueryResponse final : public nlohmann::json_sax<Json> {
 public:
  QueryResponse(const std::string& file, Collector& collector, Problems& problems)
      : file_(file), collector_(collector), problems_(problems) {}

  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    if (key_ == "metric") labels_.clear();
    path_.push_back(std::exchange(key_, {}));
    return deep_enough();
  }
  bool end_object() override {
    if (path_.back() == "metric") name_series();
    path_.pop_back();
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    if (key_ == "result") has_result_ = true;
    if (key_ == "value") report("an instant vector; ask for a range, by /api/v1/query_range");
    if (key_ == "values") {
      value_ = 0;
      ++series_;
      if (!track_ && !is_named_) report("values before the labels of their series");
    }
    path_.push_back(std::exchange(key_, {}));
    field_ = 0;
    return deep_enough();
  }
  bool end_array() override {
    if (path_.back() == "values") {
      track_.reset();
      is_named_ = false;
    } else if (in_values()) {
      ++value_;
      if (field_ != 2) report("a value is [time, \"number\"]");
    }
    path_.pop_back();
    return !problems_.full();
  }
  bool string(string_t& text) override {
    if (!path_.empty() && path_.back() == "metric") labels_[key_] = text;
    if (key_ == "status" && text != "success") report(fmt::format("the status is '{}'", text));
    if (key_ == "error") report(fmt::format("the server said: {}", shown(text)));
    if (key_ == "resultType" && text != "matrix")
      report(fmt::format("the result is a {}, not a matrix: ask by /api/v1/query_range", text));
    if (in_values() && ++field_ == 2) take(text);
    return true;
  }
  bool number(double number) {
    if (in_values() && ++field_ == 1) {
      constexpr double kMilliseconds = 1'000;
      constexpr double kLatest = 1e11;
      if (number >= 0 && number < kLatest) {
        at_ = UnixTime(std::llround(number * kMilliseconds));
      } else {
        report("a time is seconds since 1970");
      }
    }
    return true;
  }
  bool number_integer(number_integer_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return number(value);
  }
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& problem) override {
    problems_.add(fmt::format("is not JSON, at byte {}: {}", position, problem.what()),
                  {.file = file_});
    return false;
  }

  void end() {
    if (problems_.empty() && !has_result_)
      report("no data.result: not the answer of a Prometheus server to query_range");
  }

 private:
  [[nodiscard]] bool deep_enough() {
    constexpr std::size_t kDeepest = 16;
    if (path_.size() <= kDeepest) return true;
    report("nested too deep");
    return false;
  }
  [[nodiscard]] bool in_values() const {
    return path_.size() >= 2 && path_[path_.size() - 2] == "values";
  }
  [[nodiscard]] Location where() const {
    return {.file = file_, .path = fmt::format("result[{}].values[{}]", series_ - 1, value_)};
  }
  void report(std::string message) {
    problems_.add(std::move(message), series_ > 0 ? where() : Location{.file = file_});
  }

  void name_series() {
    is_named_ = true;
    track_.reset();
    const auto metric = labels_.find("__name__");
    if (metric == labels_.end())
      return report("a series without a name: ask for the counters themselves, not for rate()");
    const auto direction = direction_of(metric->second);
    if (!direction) {
      return report(fmt::format("'{}' does not say whether it counts what comes in or goes out",
                                shown(metric->second)));
    }
    std::string interface;
    for (const std::string_view label : kInterfaceLabels) {
      const auto found = labels_.find(label);
      if (found != labels_.end() && interface.empty()) interface = found->second;
    }
    if (interface.empty()) {
      return report(fmt::format("a series of '{}' without a label that names its interface: {}",
                                shown(metric->second), fmt::join(kInterfaceLabels, ", ")));
    }
    const auto instance = labels_.find("instance");
    if (instance != labels_.end()) interface = device_of(instance->second) + ":" + interface;
    const bool is_short = metric->second == "ifInOctets" || metric->second == "ifOutOctets";
    track_ = collector_.track(interface, *direction, is_short ? Width::bits_32 : Width::bits_64);
  }

  // Prometheus keeps numbers as doubles and writes large ones as 1.2345e+15.
  void take(const std::string& text) {
    if (!track_) return;
    double number = 0;
    const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr double kLargest = 18'446'744'073'709'549'568.0;  // the last double below 2^64
    if (problem != std::errc() || stopped != text.data() + text.size()) {
      report(fmt::format("'{}' is not a number", shown(text)));
    } else if (!(number >= 0 && number <= kLargest)) {
      collector_.nothing(*track_, at_, where());
    } else {
      collector_.octets(*track_, at_, static_cast<std::uint64_t>(number), where());
    }
  }

  const std::string& file_;
  Collector& collector_;
  Problems& problems_;
  std::vector<std::string> path_;
  std::string key_;
  std::map<std::string, std::string, std::less<>> labels_;
  std::optional<TrackId> track_;
  bool is_named_ = false;
  bool has_result_ = false;
  std::size_t series_ = 0;
  std::size_t value_ = 0;
  int field_ = 0;
  UnixTime at_{};
};

}  // namespace

void read_prometheus(const std::string& path, Collector& collector, Problems& problems) {
  std::ifstream file(path, std::ios::binary);
  QueryResponse response(path, collector, problems);
  if (Json::sax_parse(file, &response)) response.end();
}

void read_prometheus_text(std::string_view text, const std::string& name, Collector& collector,
                          Problems& problems) {
  QueryResponse response(name, collector, problems);
  if (Json::sax_parse(text.begin(), text.end(), &response)) response.end();
}

}  // namespace ebb::counters
