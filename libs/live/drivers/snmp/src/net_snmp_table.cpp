// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/table.hpp"

#include <memory>

namespace ebb::snmp {
namespace {

// 7 columns of 8 rows fit into an Ethernet frame.
constexpr int kRowsAtOnce = 8;

struct Reading : std::enable_shared_from_this<Reading> {
  struct Column {
    std::size_t place;
    Oid beginning;
    Oid last;
  };

  Session& session;
  std::function<void(const tl::expected<Table, std::string>&)> then;
  std::size_t width;
  std::vector<Column> unfinished;
  Table table;

  Reading(Session& with, const std::vector<Oid>& columns, decltype(then) done)
      : session(with), then(std::move(done)), width(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      unfinished.push_back({i, columns[i], columns[i]});
  }

  void go_on() {
    if (unfinished.empty()) return then(table);
    std::vector<Oid> after;
    for (const Column& column : unfinished) after.push_back(column.last);
    session.get_bulk(after, kRowsAtOnce, [self = shared_from_this()](const Answer& answer) {
      if (!answer) return self->then(tl::unexpected(answer.error()));
      self->take(*answer);
    });
  }

  void take(const std::vector<Binding>& bindings) {
    std::vector<bool> ended(unfinished.size(), bindings.empty());
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      Column& column = unfinished[i % unfinished.size()];
      const Binding& one = bindings[i];
      // An agent that does not count upwards would be asked for ever.
      const bool more =
          is_there(one.value) && begins_with(one.oid, column.beginning) && one.oid > column.last;
      if (!more) ended[i % unfinished.size()] = true;
      if (ended[i % unfinished.size()]) continue;
      column.last = one.oid;
      auto& row = table[Oid(one.oid.begin() + static_cast<std::ptrdiff_t>(column.beginning.size()),
                            one.oid.end())];
      row.resize(width);
      row[column.place] = one.value;
    }
    std::vector<Column> left;
    for (std::size_t i = 0; i < unfinished.size(); ++i) {
      if (!ended[i]) left.push_back(std::move(unfinished[i]));
    }
    unfinished = std::move(left);
    go_on();
  }
};

}  // namespace

void read_table(Session& session, const std::vector<Oid>& columns,
                const std::function<void(const tl::expected<Table, std::string>&)>& then) {
  std::make_shared<Reading>(session, columns, then)->go_on();
}

}  // namespace ebb::snmp
