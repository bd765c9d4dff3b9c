// SPDX-License-Identifier: Apache-2.0
#include "dumpi_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ebb::trace {
namespace {

constexpr std::string_view kEntering = " entering at walltime ";
constexpr std::string_view kReturning = " returning at walltime ";

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "12.739674000, cputime ..." as nanoseconds: whole seconds and nine digits.
std::optional<std::int64_t> walltime(std::string_view text) {
  const std::string_view number = text.substr(0, text.find(','));
  const auto point = number.find('.');
  if (point == std::string_view::npos || number.size() - point != 10) return std::nullopt;
  const auto seconds = whole_number(number.substr(0, point));
  const auto rest = whole_number(number.substr(point + 1));
  constexpr std::int64_t kMostSeconds = 9'000'000'000;
  if (!seconds || !rest || *seconds < 0 || *seconds > kMostSeconds || *rest < 0)
    return std::nullopt;
  return *seconds * 1'000'000'000 + *rest;
}

// What stands before a blank and a bracket: the number of "9 (MPI_INT)".
std::string_view before_label(std::string_view text) { return text.substr(0, text.find(" (")); }

// "int count=1" or "MPI_Request requests[2]=[4, 5]"; nothing when the line is no argument.
std::optional<std::pair<std::string_view, std::string_view>> argument_of(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  std::string_view name = line.substr(0, equals);
  const auto blank = name.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  name.remove_prefix(blank + 1);
  return std::pair(name.substr(0, name.find('[')), line.substr(equals + 1));
}

}  // namespace

std::optional<std::string_view> DumpiCall::text(std::string_view argument) const {
  const auto found =
      std::ranges::find(arguments, argument, &std::pair<std::string_view, std::string_view>::first);
  if (found == arguments.end()) return std::nullopt;
  return found->second;
}

std::optional<std::int64_t> DumpiCall::number(std::string_view argument) const {
  const auto value = text(argument);
  return value ? whole_number(before_label(*value)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> DumpiCall::numbers(std::string_view argument) const {
  const auto value = text(argument);
  if (!value || value->size() < 2 || value->front() != '[' || value->back() != ']')
    return std::nullopt;
  std::string_view rest = value->substr(1, value->size() - 2);
  std::vector<std::int64_t> all;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(", "), rest.size());
    const auto one = whole_number(rest.substr(0, comma));
    if (!one) return std::nullopt;
    all.push_back(*one);
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return all;
}

std::string_view DumpiCall::label(std::string_view argument) const {
  const std::string_view value = text(argument).value_or("");
  const auto begin = value.find(" (");
  if (begin == std::string_view::npos || value.back() != ')') return {};
  return value.substr(begin + 2, value.size() - begin - 3);
}

std::optional<std::string_view> DumpiCalls::next_line() {
  if (rest_.empty()) return std::nullopt;
  const auto end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_;
  return line;
}

std::optional<DumpiCall> DumpiCalls::next() {
  DumpiCall call;
  const auto refuse = [&](std::string what) {
    error_ = {std::move(what), line_};
    return std::nullopt;
  };
  while (const auto line = next_line()) {
    const auto entering = line->find(kEntering);
    const auto returning = line->find(kReturning);
    const bool is_inside = !call.name.empty();
    if (entering != std::string_view::npos && line->starts_with("MPI")) {
      if (is_inside) return refuse(fmt::format("{} does not return before this call", call.name));
      const auto at = walltime(line->substr(entering + kEntering.size()));
      if (!at) return refuse("the time is not written like 12.000345678");
      call.name = line->substr(0, entering);
      call.line = line_;
      call.entered = *at;
      call.is_of_first_thread = line->ends_with(" in thread 0.");
    } else if (returning != std::string_view::npos && line->starts_with("MPI")) {
      if (line->substr(0, returning) != call.name) {
        return refuse(fmt::format("{} returns where no call of it began",
                                  line->substr(0, std::min<std::size_t>(returning, 40))));
      }
      const auto at = walltime(line->substr(returning + kReturning.size()));
      if (!at) return refuse("the time is not written like 12.000345678");
      call.returned = *at;
      return call;
    } else if (is_inside) {
      if (const auto argument = argument_of(*line)) call.arguments.push_back(*argument);
    }
  }
  if (!call.name.empty()) return refuse(fmt::format("the text ends inside of {}", call.name));
  return std::nullopt;
}

}  // namespace ebb::trace
