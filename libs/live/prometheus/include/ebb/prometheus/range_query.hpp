// SPDX-License-Identifier: Apache-2.0
//
// What a Prometheus server has of a range of time, by HTTP: /api/v1/query_range. Waits for the
// answer. A range is asked piece by piece, because a server refuses more than 11,000 points of a
// series; the pieces come in the order of time and share no point.
//
//   const RangeQuery day{.query = "ifHCInOctets", .from = from, .until = until, .step = 5min};
//   const auto failure = query_range({.url = "http://prometheus:9090"}, day, take_body);
//
// Built without libcurl every query fails and says so.
#pragma once

#include "ebb/core/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::prometheus {

// Since 1970-01-01 00:00 UTC.
using UnixTime = std::chrono::milliseconds;

struct Server {
  std::string url;  // without a query: http://host:9090, https://user:password@host/prometheus
  std::chrono::seconds connecting{10};
  // Longer than a server lets a query run (its --query.timeout, two minutes).
  std::chrono::seconds silence{150};
  std::size_t most_bytes = std::size_t{1} << 30;  // of one answer
};

// Values at `from`, and each `step` after it up to `until`.
struct RangeQuery {
  std::string query;
  UnixTime from{};
  UnixTime until{};
  UnixTime step{};
  // Of one request. Far below what a server gives, so that the answer for a thousand interfaces is
  // some tens of megabytes.
  int points = 2'000;
};

struct QueryFailure {
  bool is_bad_query = false;  // as the server says; else the server or the network failed
  Error error;
};

// Is it an address, and no file?
[[nodiscard]] bool is_url(std::string_view text);
// Without user and password, for messages.
[[nodiscard]] std::string shown_url(std::string_view url);

// Nothing: all pieces came.
[[nodiscard]] std::optional<QueryFailure> query_range(
    const Server& server, const RangeQuery& range,
    const std::function<void(std::string_view body)>& answer);

}  // namespace ebb::prometheus
