// SPDX-License-Identifier: Apache-2.0
#include "ebb/training/request.hpp"

#include "ebb/core/random.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace ebb::training {
namespace {

constexpr std::string_view kAzureHeader = "TIMESTAMP,ContextTokens,GeneratedTokens";
constexpr Duration kLatestArrival = std::chrono::hours(24 * 30);

Duration whole_nanoseconds(Duration time) {
  return std::chrono::ceil<std::chrono::nanoseconds>(time);
}

// "18:15:46.6805900" as the time of a day.
std::optional<Duration> time_of_day(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto part = [&](std::string_view digits, int most) -> std::optional<int> {
    int value = 0;
    const auto [end, problem] = std::from_chars(digits.begin(), digits.end(), value);
    if (problem != std::errc{} || end != digits.end() || value < 0 || value > most) return {};
    return value;
  };
  const auto hours = part(text.substr(0, 2), 23);
  const auto minutes = part(text.substr(3, 2), 59);
  const auto seconds = parse<Duration>(std::string(text.substr(6)) + "s");
  if (!hours || !minutes || !seconds || *seconds < Duration() ||
      *seconds >= std::chrono::seconds(61))
    return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes) + *seconds;
}

// "2023-11-16 18:15:46.6805900", or with "+00:00" behind it: a day and the time in it.
struct Timestamp {
  std::chrono::sys_days day{};
  Duration time{};
};
std::optional<Timestamp> timestamp_of(std::string_view text) {
  if (text.ends_with("+00:00")) text.remove_suffix(6);
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ') return std::nullopt;
  unsigned year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const auto is_number = [&](std::size_t at, std::size_t length, unsigned& value) {
    const char* const end = text.data() + at + length;
    const auto [stopped, problem] = std::from_chars(text.data() + at, end, value);
    return problem == std::errc{} && stopped == end;
  };
  if (!is_number(0, 4, year) || !is_number(5, 2, month) || !is_number(8, 2, day))
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(month), std::chrono::day(day)};
  const auto time = time_of_day(text.substr(11));
  if (!date.ok() || !time) return std::nullopt;
  return Timestamp{std::chrono::sys_days(date), *time};
}

class RequestsReader {
 public:
  RequestsReader(std::string_view text, const std::string& name) : lines_(text, name) {}

  Result<std::vector<Request>> read() && {
    if (!lines_.next() || (lines_.line() != kRequestsHeader && lines_.line() != kAzureHeader)) {
      return fail(fmt::format("the first line must be '{}' or '{}'", kRequestsHeader, kAzureHeader),
                  {lines_.name(), lines_.number()});
    }
    has_timestamps_ = lines_.line() == kAzureHeader;
    while (lines_.next()) read_row();
    if (!lines_.has_errors() && requests_.empty()) lines_.report("there are no requests");
    if (lines_.has_errors()) return fail(lines_.take_errors());
    return std::move(requests_);
  }

 private:
  void read_row() {
    const auto fields = fields_of(lines_.line(), ',');
    if (fields.size() != 3) return lines_.report("a request has three fields");
    const auto arrival = arrival_of(fields[0]);
    const auto prompt = lines_.whole(fields[1], "a number of tokens", 1, kMostRequestTokens);
    const auto output = lines_.whole(fields[2], "a number of tokens", 1, kMostRequestTokens);
    if (!arrival || !prompt || !output) return;
    if (!requests_.empty() && *arrival < requests_.back().arrival)
      return lines_.report("the request arrives before the one above it");
    if (requests_.size() == kMostRequests) {
      return lines_.report(fmt::format("there are more than {} requests", kMostRequests));
    }
    requests_.push_back(
        {*arrival, static_cast<std::int64_t>(*prompt), static_cast<std::int64_t>(*output)});
  }

  std::optional<Duration> arrival_of(std::string_view field) {
    std::optional<Duration> arrival;
    if (!has_timestamps_) {
      const auto seconds = parse<Duration>(std::string(field) + "s");
      if (seconds) arrival = *seconds;
    } else if (const auto stamp = timestamp_of(field)) {
      if (!first_) first_ = stamp;
      const auto days = stamp->day - first_->day;
      if (days >= std::chrono::days(0) && days < std::chrono::days(100))
        arrival = days + (stamp->time - first_->time);
    }
    if (arrival && *arrival >= Duration() && *arrival <= kLatestArrival)
      return whole_nanoseconds(*arrival);
    lines_.report(fmt::format("'{}' is no time of arrival, in the 30 days after the first: {}",
                              shown(field),
                              has_timestamps_ ? "2023-11-16 18:15:46.68" : "seconds, as 4.31"));
    return std::nullopt;
  }

  TextLines lines_;
  bool has_timestamps_ = false;
  std::optional<Timestamp> first_;
  std::vector<Request> requests_;
};

// Exponential with a mean, at least 1.
std::int64_t drawn_length(RandomStream& stream, std::int64_t mean) {
  const double length = std::ceil(stream.exponential() * static_cast<double>(mean));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(length), 1, kMostRequestTokens);
}

}  // namespace

Result<std::vector<Request>> read_requests(std::string_view text, const std::string& name) {
  return RequestsReader(text, name).read();
}

std::vector<Parameter> drawn_request_parameters() {
  using Whole = Range<std::int64_t>;
  return {
      {"count", Whole{1, kMostRequests}, std::nullopt, "requests"},
      {"rate", Range<Ratio>{Ratio(1, 1000), Ratio(1'000'000, 1)}, std::nullopt,
       "requests in a second, on average"},
      {"prompt_tokens", Whole{1, kMostRequestTokens}, std::nullopt, "of a prompt, on average"},
      {"output_tokens", Whole{1, kMostRequestTokens}, std::nullopt,
       "that a request gets, on average"},
      {"lengths", Choice{{"exponential", "constant"}}, "exponential", "of prompts and outputs"},
      {"seed", Whole{0, INT64_MAX}, "1", "of the draw"},
  };
}

Result<std::vector<Request>> draw_requests(const Parameters& given) {
  const auto seed = static_cast<std::uint64_t>(given.integer("seed"));
  RandomStream gaps(seed, "inference/gaps");
  RandomStream prompts(seed, "inference/prompts");
  RandomStream outputs(seed, "inference/outputs");
  const bool is_constant = given.choice("lengths") == "constant";
  const double gap = 1e9 / given.ratio("rate").to_double();  // ns
  std::vector<Request> requests(static_cast<std::size_t>(given.integer("count")));
  double at = 0;
  for (Request& request : requests) {
    at += gaps.exponential() * gap;
    if (at > 1e9 * std::chrono::duration<double>(kLatestArrival).count()) {
      return fail(
          fmt::format("{} requests at this rate arrive in more than 30 days", requests.size()),
          {.path = "rate"});
    }
    request.arrival = std::chrono::nanoseconds(static_cast<std::int64_t>(at));
    const std::int64_t prompt = given.integer("prompt_tokens");
    const std::int64_t output = given.integer("output_tokens");
    request.prompt = is_constant ? prompt : drawn_length(prompts, prompt);
    request.output = is_constant ? output : drawn_length(outputs, output);
  }
  return requests;
}

}  // namespace ebb::training
