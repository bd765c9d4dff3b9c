// SPDX-License-Identifier: Apache-2.0
#include "replay/sources.hpp"

#include "ebb/prometheus/range_query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace ebb::cli {
namespace {

using counters::UnixTime;
using namespace std::chrono_literals;

// Octets that come in and go out, as snmp_exporter (IF-MIB) and node_exporter call them.
constexpr std::string_view kUsualNames =
    "ifHCInOctets|ifHCOutOctets|node_network_receive_bytes_total|node_network_transmit_bytes_total";
constexpr UnixTime kUsualStep = 5min;
constexpr UnixTime kUsualRange = 7 * 24h;
constexpr std::int64_t kMostSteps = 4'000'000;

// "2024-01-01" is its first moment in UTC; else as in files.
std::optional<UnixTime> time_or_day(const std::string& text) {
  if (const auto day = counters::parse_time(text + "T00:00:00Z")) return day;
  return counters::parse_time(text);
}

// Servers are asked after all options have been read, so that a wrong one costs no time.
std::optional<SourceFailure> ask_server(const std::string& url, const ServerQuestions& questions,
                                        counters::CounterReader& reader) {
  const std::string name = prometheus::shown_url(url);
  for (const std::string& query : questions.queries) {
    const std::uint64_t before = reader.readings();
    const prometheus::RangeQuery range{
        .query = query, .from = questions.from, .until = questions.until, .step = questions.step};
    auto failure = prometheus::query_range({.url = url}, range,
                                           [&](std::string_view body) { reader.text(body, name); });
    if (failure) {
      return SourceFailure{failure->is_bad_query ? ExitCode::bad_input : ExitCode::outside,
                           {std::move(failure->error)}};
    }
    if (reader.readings() == before && !reader.has_errors()) {
      return SourceFailure{ExitCode::bad_input,
                           {{fmt::format("the server has nothing for '{}' in that time; --query "
                                         "names other counters, --from and --until other times",
                                         query),
                             {.file = name}}}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string query_with_names(const std::string& query) {
  const std::string names = fmt::format("__name__=~\"{}\"", kUsualNames);
  if (query.empty()) return "{" + names + "}";
  if (query.front() != '{' || query.find("__name__") != std::string::npos) return query;
  const std::size_t first = query.find_first_not_of(" ", 1);
  const bool is_empty = first == std::string::npos || query[first] == '}';
  return "{" + names + (is_empty ? "" : ",") + query.substr(1);
}

Result<ServerQuestions> questions_of(const SourceOptions& options, std::optional<UnixTime> step,
                                     UnixTime now) {
  Errors errors;
  const bool asks =
      std::any_of(options.counters.begin(), options.counters.end(), prometheus::is_url);
  const auto only_for_servers = [&](const std::string& option, bool is_given) {
    if (is_given && !asks)
      errors.push_back({option + ": only for counters of a server, as http://prometheus:9090", {}});
  };
  only_for_servers("--from", !options.from.empty());
  only_for_servers("--until", !options.until.empty());
  only_for_servers("--query", !options.queries.empty());
  const auto time_of = [&](const std::string& option, const std::string& text, UnixTime usual) {
    if (text.empty()) return usual;
    const auto time = time_or_day(text);
    if (!time) {
      errors.push_back({fmt::format("{}: '{}' is no time: 2024-01-01, 2024-01-01T06:00:00Z, or "
                                    "seconds since 1970",
                                    option, text),
                        {}});
    }
    return time.value_or(usual);
  };
  ServerQuestions questions{.step = step.value_or(kUsualStep)};
  questions.until = time_of("--until", options.until, now - now % questions.step);
  questions.from = time_of("--from", options.from, questions.until - kUsualRange);
  if (errors.empty() && questions.from >= questions.until)
    errors.push_back({"--from: must be before --until", {}});
  if (errors.empty() && (questions.until - questions.from) / questions.step > kMostSteps) {
    errors.push_back(
        {fmt::format("--from: more than {} steps; make --step longer", kMostSteps), {}});
  }
  for (const std::string& query : options.queries)
    questions.queries.push_back(query_with_names(query));
  if (questions.queries.empty()) questions.queries.push_back(query_with_names(""));
  if (!errors.empty()) return fail(errors);
  return questions;
}

tl::expected<counters::Loads, SourceFailure> read_sources(const std::vector<std::string>& sources,
                                                          const ServerQuestions& questions,
                                                          const counters::ReadOptions& options) {
  counters::CounterReader reader(options);
  for (const std::string& source : sources) {
    if (!prometheus::is_url(source)) {
      reader.file(source);
    } else if (auto failure = ask_server(source, questions, reader)) {
      return tl::unexpected(std::move(*failure));
    }
  }
  auto loads = std::move(reader).finish();
  if (!loads) return tl::unexpected(SourceFailure{ExitCode::bad_input, loads.error()});
  return std::move(*loads);
}

}  // namespace ebb::cli
