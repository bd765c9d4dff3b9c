// SPDX-License-Identifier: Apache-2.0
//
// A client of one database of an ovsdb-server.
//
//   Database database(loop, std::move(stream), "Open_vSwitch", {}, [](const std::string& reason) {
//   ... }); database.transact({select("Interface", {}, {"name"})}, [](Answer<std::vector<json>>
//   results) { ... });
#pragma once

#include "ebb/ovsdb/operation.hpp"
#include "ebb/ovsdb/session.hpp"

namespace ebb::ovsdb {

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

  void names_of_all(const Then<std::vector<std::string>>& then);
  void schema(const Then<json>& then);

  // One result per operation, all or none. A refusal says which operation it was.
  void transact(const std::vector<json>& operations, const Then<std::vector<json>>& then);

  // `changes` is called for every later change; `then` has what there is now.
  void monitor(const std::map<std::string, std::vector<std::string>>& columns, Updated changes,
               const Then<json>& then);

  // A transaction of Open_vSwitch, answered when the switch has done what it says: it counts
  // next_cfg up, and the switch lets cur_cfg follow.
  void configure(std::vector<json> operations, const Then<void>& then);

 private:
  void notified(const std::string& method, const json& parameters);
  void wait_for(std::int64_t wanted, const Then<void>& then);
  void watch_configuration();
  void configured(const json& changes);
  void answer_all_waiting(const Refusal& refusal);

  struct Waiting {
    std::int64_t wanted;
    Then<void> then;
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
