// SPDX-License-Identifier: Apache-2.0
#include "switch_ports.hpp"

#include "ebb/ovsdb/database.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <net/if.h>
#include <optional>

namespace ebb::agentx {
namespace {

using namespace std::chrono_literals;
using ovsdb::json;

constexpr transport::Milliseconds kLimit = 4s;  // the agent that asked us waits for five

std::string name_of(std::size_t port) { return fmt::format("p{}", port); }

// A conversation with the database for one question.
template <class T, class Ask>
Result<T> with_database(const std::string& folder, Ask ask) {
  transport::Loop loop;
  auto stream = transport::Stream::connect(
      loop, {.kind = transport::Kind::unix_socket, .path = folder + "/db.sock"});
  if (!stream) return fail(stream.error());
  std::optional<ovsdb::Reply<T>> answer;
  ovsdb::Database database(loop, std::move(*stream), "Open_vSwitch", {}, [](const auto&) {});
  ask(database, [&](ovsdb::Reply<T> got) { answer = std::move(got); });
  if (!loop.run_until([&] { return answer.has_value(); }, kLimit))
    return fail("the database does not answer", {folder});
  if (!*answer) return fail(answer->error().error + " " + answer->error().details, {folder});
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return std::move(**answer);
  }
}

}  // namespace

SwitchPorts::SwitchPorts(testbed::Manifest fabric, testbed::StateFolder state, std::size_t number)
    : fabric_(std::move(fabric)), state_(std::move(state)), number_(number) {}

std::vector<std::uint32_t> SwitchPorts::interfaces() const {
  std::vector<std::uint32_t> found;
  while (const unsigned index = if_nametoindex(name_of(found.size() + 1).c_str()))
    found.push_back(index);
  return found;
}

Result<std::uint16_t> SwitchPorts::pvid(std::size_t port) const {
  const auto rows = with_database<std::vector<json>>(
      state_.device(fabric_.name, number_), [&](ovsdb::Database& database, const auto& then) {
        database.transact({ovsdb::select("Port", ovsdb::by_name(name_of(port)), {"tag"})}, then);
      });
  if (!rows) return fail(rows.error());
  const json& found = rows->front()["rows"];
  const json tag = found.empty() ? json() : found[0]["tag"];
  return tag.is_number_unsigned() ? tag.get<std::uint16_t>() : std::uint16_t{1};
}

Result<void> SwitchPorts::set_pvid(std::size_t port, std::uint16_t vlan) const {
  return with_database<void>(
      state_.device(fabric_.name, number_), [&](ovsdb::Database& database, const auto& then) {
        // Frames of other VLANs keep their tags: this is what a PVID means.
        database.configure({ovsdb::update("Port", ovsdb::by_name(name_of(port)),
                                          {{"tag", vlan}, {"vlan_mode", "native-untagged"}})},
                           then);
      });
}

Result<void> SwitchPorts::set_rate(std::size_t port, DataRate rate) const {
  return testbed::set_rate(fabric_, number_, port - 1, rate);
}

}  // namespace ebb::agentx
