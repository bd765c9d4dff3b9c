// SPDX-License-Identifier: Apache-2.0
//
// Where `ebb replay` gets counters from: files and folders, and Prometheus servers that it asks.
#pragma once

#include "command_line/command.hpp"

#include "ebb/counters/reader.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

struct SourceOptions {
  std::vector<std::string> counters;  // files, folders, addresses of servers
  // For servers alone.
  std::string from;
  std::string until;
  std::vector<std::string> queries;
};

// What is asked of servers, once the options have been read.
struct ServerQuestions {
  counters::UnixTime from{};
  counters::UnixTime until{};
  counters::UnixTime step{};
  std::vector<std::string> queries;
};

// All mistakes of the options. Without times the seven days before `now` are asked for. `step` is
// that of the option, or none.
[[nodiscard]] Result<ServerQuestions> questions_of(const SourceOptions& options,
                                                   std::optional<counters::UnixTime> step,
                                                   counters::UnixTime now);

// The counters of a query without a name of a metric: those of snmp_exporter and node_exporter.
[[nodiscard]] std::string query_with_names(const std::string& query);

struct SourceFailure {
  ExitCode code = ExitCode::bad_input;
  Errors errors;
};

[[nodiscard]] tl::expected<counters::Loads, SourceFailure> read_sources(
    const std::vector<std::string>& sources, const ServerQuestions& questions,
    const counters::ReadOptions& options);

}  // namespace ebb::cli
