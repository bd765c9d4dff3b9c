// SPDX-License-Identifier: Apache-2.0
#include "ebb/prometheus/range_query.hpp"

#include "http_get.hpp"

#include "ebb/core/text_lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ebb::prometheus {
namespace {

using Json = nlohmann::json;

constexpr int kOk = 200;
constexpr int kBadRequest = 400;

// In seconds, as the API reads times and steps.
std::string seconds_text(UnixTime time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{}.{:03}", whole.count(), (time - whole).count());
}

// Every byte that is not plain in a query of a URL (RFC 3986, section 2.3).
std::string escaped(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  std::string result;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string address_of(std::string url, const RangeQuery& range, UnixTime from, UnixTime until) {
  while (url.ends_with('/')) url.pop_back();
  return fmt::format("{}/api/v1/query_range?query={}&start={}&end={}&step={}", url,
                     escaped(range.query), seconds_text(from), seconds_text(until),
                     seconds_text(range.step));
}

// The text of a field of an error of Prometheus; nothing: the body is something else.
std::string field_of(const Json& body, const char* field) {
  if (!body.is_object()) return "";
  const auto found = body.find(field);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

// {"status":"error","errorType":"bad_data","error":"..."}, or the page of something in between.
QueryFailure refusal(const HttpAnswer& answer, const std::string& server) {
  const Json body = Json::parse(answer.body, nullptr, false);
  const std::string said = field_of(body, "error");
  const bool is_bad_query =
      answer.status == kBadRequest && field_of(body, "errorType") == "bad_data";
  std::string message = fmt::format("the server answers HTTP {}", answer.status);
  if (!said.empty()) {
    message += ": " + said;
  } else if (const auto line = fields_of(answer.body, '\n'); !line.empty() && !line[0].empty()) {
    message += ": " + shown(line[0]);
  }
  return {is_bad_query, {std::move(message), {.file = server}}};
}

}  // namespace

bool is_url(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

std::string shown_url(std::string_view url) {
  const std::size_t host = url.find("://");
  if (host == std::string_view::npos) return std::string(url);
  const std::size_t path = url.find('/', host + 3);
  const std::size_t user_end = url.substr(0, path).rfind('@');
  if (user_end == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, host + 3)) + std::string(url.substr(user_end + 1));
}

std::optional<QueryFailure> query_range(const Server& server, const RangeQuery& range,
                                        const std::function<void(std::string_view body)>& answer) {
  const std::string name = shown_url(server.url);
  if (server.url.find_first_of("?#") != std::string::npos) {
    return QueryFailure{true, {"the address of a server has no '?' and no '#'", {.file = name}}};
  }
  auto connection = HttpConnection::open({.connecting = server.connecting,
                                          .silence = server.silence,
                                          .most_bytes = server.most_bytes});
  if (!connection) return QueryFailure{false, {connection.error()[0].message, {.file = name}}};
  const UnixTime piece = range.step * (std::max(range.points, 1) - 1);
  for (UnixTime from = range.from; from <= range.until; from += piece + range.step) {
    const UnixTime until = std::min(from + piece, range.until);
    const auto got = (*connection)->get(address_of(server.url, range, from, until));
    if (!got) return QueryFailure{false, {got.error()[0].message, {.file = name}}};
    if (got->status != kOk) return refusal(*got, name);
    if (!trimmed(std::string_view(got->body).substr(0, 64)).starts_with('{')) {
      return QueryFailure{false,
                          {"the answer is not JSON: is it a Prometheus server?", {.file = name}}};
    }
    answer(got->body);
  }
  return std::nullopt;
}

}  // namespace ebb::prometheus
