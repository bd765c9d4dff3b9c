// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/database.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ebb::ovsdb {
Conditions by_name(const std::string& name) { return {{"name", "==", name}}; }

json map_of(const std::map<std::string, std::string>& entries) {
  json pairs = json::array();
  for (const auto& [key, value] : entries) pairs.push_back(json::array({key, value}));
  return json::array({"map", pairs});
}

std::map<std::string, std::string> entries_of(const json& map) {
  std::map<std::string, std::string> entries;
  if (!map.is_array() || map.size() != 2 || map[0] != "map" || !map[1].is_array()) return entries;
  for (const json& pair : map[1]) {
    if (pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string()) {
      entries.emplace(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
  }
  return entries;
}

json select(const std::string& table, const Conditions& where,
            const std::vector<std::string>& columns) {
  return {{"op", "select"}, {"table", table}, {"where", where}, {"columns", columns}};
}

json insert(const std::string& table, const json& row, const std::string& uuid_name) {
  return {{"op", "insert"}, {"table", table}, {"row", row}, {"uuid-name", uuid_name}};
}

json update(const std::string& table, const Conditions& where, const json& row) {
  return {{"op", "update"}, {"table", table}, {"where", where}, {"row", row}};
}

json mutate(const std::string& table, const Conditions& where, const Mutations& mutations) {
  return {{"op", "mutate"}, {"table", table}, {"where", where}, {"mutations", mutations}};
}

namespace {

constexpr auto kRoot = "Open_vSwitch";  // the table of one row that says what the switch should be

tl::unexpected<RequestError> malformed(std::string_view what) {
  return tl::unexpected(
      RequestError{Why::malformed, fmt::format("the server's answer is no {}", what)});
}

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// Results may be one longer than the operations: then the last is why the whole was refused.
Reply<std::vector<json>> results_of(const Reply<json>& answer, std::size_t operations) {
  if (!answer) return tl::unexpected(answer.error());
  if (!answer->is_array()) return malformed("list of results");
  std::vector<json> results;
  for (const json& result : *answer) {
    if (result.is_object() && result.contains("error")) {
      return tl::unexpected(RequestError{Why::refused, text_at(result, "error"),
                                         text_at(result, "details"), results.size()});
    }
    results.push_back(result);
  }
  if (results.size() < operations) return malformed("result for each operation");
  return results;
}

// Of the only row that a selection found.
std::optional<std::int64_t> number_in(const json& result, const char* column) {
  const json::json_pointer place(fmt::format("/rows/0/{}", column));
  if (!result.is_object() || !result.contains(place)) return std::nullopt;
  const json& number = result[place];
  if (!number.is_number_integer()) return std::nullopt;
  return number.get<std::int64_t>();
}

Reply<std::vector<std::string>> texts_of(const Reply<json>& answer) {
  if (!answer) return tl::unexpected(answer.error());
  if (!answer->is_array()) return malformed("list of names");
  std::vector<std::string> texts;
  for (const json& text : *answer) {
    if (!text.is_string()) return malformed("list of names");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

}  // namespace

Database::Database(transport::Loop& loop, transport::Stream stream, std::string name,
                   SessionTiming timing, Closed closed)
    : loop_(loop),
      answer_limit_(timing.answer),
      name_(std::move(name)),
      closed_(std::move(closed)),
      session_(loop, std::move(stream), timing,
               {.notified = [this](const std::string& method,
                                   const json& parameters) { notified(method, parameters); },
                .closed =
                    [this](const std::string& reason) {
                      answer_all_waiting({Why::closed, reason});
                      closed_(reason);
                    }}) {}

Database::~Database() {
  for (const auto& [number, waiting] : waiting_) loop_.cancel(waiting.limit);
}

void Database::names_of_all(const Callback<std::vector<std::string>>& then) {
  session_.request("list_dbs", json::array(),
                   [then](const Reply<json>& answer) { then(texts_of(answer)); });
}

void Database::schema(const Callback<json>& then) {
  session_.request("get_schema", json::array({name_}), then);
}

void Database::transact(const std::vector<json>& operations,
                        const Callback<std::vector<json>>& then) {
  json parameters = json::array({name_});
  for (const json& operation : operations) parameters.push_back(operation);
  session_.request("transact", std::move(parameters),
                   [then, count = operations.size()](const Reply<json>& answer) {
                     then(results_of(answer, count));
                   });
}

void Database::monitor(const std::map<std::string, std::vector<std::string>>& columns,
                       Updated changes, const Callback<json>& then) {
  const std::string number = fmt::format("monitor {}", next_monitor_++);
  monitors_.emplace(number, std::move(changes));
  json tables = json::object();
  for (const auto& [table, names] : columns) tables[table] = {{"columns", names}};
  session_.request("monitor", json::array({name_, number, tables}), then);
}

void Database::notified(const std::string& method, const json& parameters) {
  if (method != "update" || !parameters.is_array() || parameters.size() != 2 ||
      !parameters[0].is_string())
    return;
  const auto found = monitors_.find(parameters[0].get<std::string>());
  if (found == monitors_.end()) return;
  const auto changes = found->second;  // a copy: the call may add a monitor, or end us
  changes(parameters[1]);
}

void Database::configure(std::vector<json> operations, const Callback<void>& then) {
  operations.push_back(mutate(kRoot, {}, {{"next_cfg", "+=", 1}}));
  operations.push_back(select(kRoot, {}, {"next_cfg"}));
  transact(operations, [this, then](const Reply<std::vector<json>>& results) {
    if (!results) return then(tl::unexpected(results.error()));
    const auto wanted = number_in(results->back(), "next_cfg");
    if (!wanted) return then(malformed("row of Open_vSwitch"));
    wait_for(*wanted, then);
  });
}

void Database::wait_for(std::int64_t wanted, const Callback<void>& then) {
  if (current_ >= wanted) return then({});
  const std::uint64_t number = next_waiting_++;
  const auto limit = loop_.after(answer_limit_, [this, number] {
    const auto waiting = waiting_.extract(number);
    waiting.mapped().then(tl::unexpected(
        RequestError{Why::timed_out, "the switch did not follow its configuration in time"}));
  });
  waiting_.emplace(number, Waiting{wanted, then, limit});
  watch_configuration();
}

// From the first configuration on, and ever after.
void Database::watch_configuration() {
  if (watches_configuration_) return;
  watches_configuration_ = true;
  const auto changed = [this](const json& changes) { configured(changes); };
  monitor({{kRoot, {"cur_cfg"}}}, changed, [this](const Reply<json>& now) {
    if (now) return configured(*now);
    watches_configuration_ = false;  // the next configuration tries again
    answer_all_waiting(now.error());
  });
}

void Database::answer_all_waiting(const RequestError& error) {
  const auto waiting = std::move(waiting_);
  waiting_.clear();
  for (const auto& [number, wait] : waiting) loop_.cancel(wait.limit);
  for (const auto& [number, wait] : waiting) wait.then(tl::unexpected(error));
}

void Database::configured(const json& changes) {
  if (!changes.is_object() || !changes.contains(kRoot)) return;
  for (const json& row : changes[kRoot]) {
    const json::json_pointer place("/new/cur_cfg");
    if (row.is_object() && row.contains(place) && row[place].is_number_integer()) {
      current_ = row[place].get<std::int64_t>();
    }
  }
  std::vector<Callback<void>> done;
  for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
    if (waiting->second.wanted > current_) {
      ++waiting;
      continue;
    }
    loop_.cancel(waiting->second.limit);
    done.push_back(std::move(waiting->second.then));
    waiting = waiting_.erase(waiting);
  }
  for (const auto& then : done) then({});
}

}  // namespace ebb::ovsdb
