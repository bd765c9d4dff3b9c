// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/reader.hpp"

#include <charconv>
#include <cmath>

namespace ebb::counters {
namespace {

template <class Number>
bool whole(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stopped == end;
}

// The part of a second after a point, ".25"; it is taken off the text. Nothing: it is no number.
std::optional<UnixTime> take_fraction(std::string_view& text) {
  const std::size_t point = text.rfind('.');
  if (point == std::string_view::npos) return UnixTime{};
  const std::string_view digits = text.substr(point + 1);
  constexpr std::size_t kNanoseconds = 9;
  if (digits.empty() || digits.size() > kNanoseconds ||
      digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  std::string milliseconds(digits.substr(0, 3));
  milliseconds.resize(3, '0');
  int number = 0;
  if (!whole(std::string_view(milliseconds), number)) return std::nullopt;
  text = text.substr(0, point);
  return UnixTime(number);
}

// 2023-12-29T13:55:00, with a blank or a T between, and a Z or nothing after it.
std::optional<UnixTime> calendar_time(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto fraction = take_fraction(text);
  if (!fraction) return std::nullopt;
  constexpr std::string_view kForm = "0000-00-00 00:00:00";
  if (text.size() != kForm.size() || text[4] != '-' || text[7] != '-' || text[13] != ':' ||
      text[16] != ':' || (text[10] != ' ' && text[10] != 'T'))
    return std::nullopt;
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (!whole(text.substr(0, 4), year) || !whole(text.substr(5, 2), month) ||
      !whole(text.substr(8, 2), day) || !whole(text.substr(11, 2), hour) ||
      !whole(text.substr(14, 2), minute) || !whole(text.substr(17, 2), second))
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                         std::chrono::day{day}};
  constexpr int kFirstYear = 1970;
  if (!date.ok() || year < kFirstYear || hour > 23 || minute > 59 || second > 60)
    return std::nullopt;
  const std::chrono::sys_days midnight{date};
  return UnixTime(midnight.time_since_epoch()) + std::chrono::hours(hour) +
         std::chrono::minutes(minute) + std::chrono::seconds(second) + *fraction;
}

}  // namespace

std::optional<UnixTime> parse_time(std::string_view text) {
  constexpr std::int64_t kFromHereMilliseconds = 100'000'000'000;
  constexpr std::int64_t kLatest = 1'000 * kFromHereMilliseconds;
  std::int64_t number = 0;
  if (whole(text, number)) {
    if (number < 0 || number > kLatest) return std::nullopt;
    return number >= kFromHereMilliseconds ? UnixTime(number)
                                           : UnixTime(std::chrono::seconds(number));
  }
  double seconds = 0;
  if (whole(text, seconds)) {
    if (!(seconds >= 0 && seconds < static_cast<double>(kFromHereMilliseconds)))
      return std::nullopt;
    constexpr double kMilliseconds = 1'000;
    return UnixTime(std::llround(seconds * kMilliseconds));
  }
  return calendar_time(text);
}

}  // namespace ebb::counters
