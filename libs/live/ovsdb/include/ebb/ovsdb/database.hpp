// SPDX-License-Identifier: Apache-2.0
//
// A client of one database of an ovsdb-server, and the operations of its transactions (RFC 7047,
// 5.2) as JSON.
//
//   Database database(loop, std::move(stream), "Open_vSwitch", {}, closed);
//   database.transact({select("Interface", {}, {"name"})},
//                     [](Reply<std::vector<json>> results) { ... });
//
//   select("Interface", {{"name", "==", "p3"}}, {"name", "ofport"})
//   mutate("Interface", by_name("p3"), {{"bfd", "insert", map_of({{"enable", "true"}})}})
#pragma once

#include "ebb/ovsdb/session.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace ebb::ovsdb {

using nlohmann::json;

// Column, function ("==", "includes", ...), value: all must hold. None: every row.
using Conditions = std::vector<std::array<json, 3>>;
// Column, mutator ("+=", "insert", "delete", ...), value.
using Mutations = std::vector<std::array<json, 3>>;

[[nodiscard]] Conditions by_name(const std::string& name);
// As the database writes maps of texts.
[[nodiscard]] json map_of(const std::map<std::string, std::string>& entries);
// And reads them; anything else is empty.
[[nodiscard]] std::map<std::string, std::string> entries_of(const json& map);

[[nodiscard]] json select(const std::string& table, const Conditions& where,
                          const std::vector<std::string>& columns);
// Other operations of the transaction may name the row by `uuid_name`.
[[nodiscard]] json insert(const std::string& table, const json& row, const std::string& uuid_name);
[[nodiscard]] json update(const std::string& table, const Conditions& where, const json& row);
[[nodiscard]] json mutate(const std::string& table, const Conditions& where,
                          const Mutations& mutations);

class Database {
 public:
  using Closed = std::function<void(const std::string& reason)>;
  // Table -> row's uuid -> {"old": ..., "new": ...}, as the server sends it.
  using Updated = std::function<void(const json& changes)>;

  Database(transport::Loop& loop, transport::Stream stream, std::string name, SessionTiming timing,
           Closed closed);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  void names_of_all(const Callback<std::vector<std::string>>& then);
  void schema(const Callback<json>& then);

  // One result per operation, all or none. An error says which operation it was.
  void transact(const std::vector<json>& operations, const Callback<std::vector<json>>& then);

  // `changes` is called for every later change; `then` has what there is now.
  void monitor(const std::map<std::string, std::vector<std::string>>& columns, Updated changes,
               const Callback<json>& then);

  // A transaction of Open_vSwitch, answered when the switch has done what it says: it counts
  // next_cfg up, and the switch lets cur_cfg follow.
  void configure(std::vector<json> operations, const Callback<void>& then);

 private:
  void notified(const std::string& method, const json& parameters);
  void wait_for(std::int64_t wanted, const Callback<void>& then);
  void watch_configuration();
  void configured(const json& changes);
  void answer_all_waiting(const RequestError& error);

  struct Waiting {
    std::int64_t wanted;
    Callback<void> then;
    transport::Loop::Timer limit;
  };

  transport::Loop& loop_;
  Milliseconds answer_limit_;
  std::string name_;
  int next_monitor_ = 1;
  std::map<std::string, Updated> monitors_;
  bool watches_configuration_ = false;
  std::int64_t current_ = -1;
  std::uint64_t next_waiting_ = 1;
  std::map<std::uint64_t, Waiting> waiting_;
  Closed closed_;
  Session session_;  // goes first: it calls the others
};

}  // namespace ebb::ovsdb
