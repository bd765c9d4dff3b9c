// SPDX-License-Identifier: Apache-2.0
#include "subagent.hpp"

#include "ebb/drivers/port_driver.hpp"
#include "ebb/ovsdb/database.hpp"
#include "ebb/snmp/objects.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <net/if.h>
#include <optional>

// Each needs those before it.
// clang-format off
extern "C" {
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>
}
// clang-format on

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

bool SwitchPorts::has_power() const { return testbed::has_power(fabric_.name, state_, number_); }

Result<void> SwitchPorts::set_power(bool on) const {
  return testbed::set_power(fabric_.name, state_, number_, on);
}

// ---- the objects of SNMP

namespace {

namespace objects = snmp::objects;

// One object: what it has, and what becomes of a value that is set.
struct Object {
  u_char type;
  std::function<Result<snmp::Value>()> get;
  std::function<bool(const snmp::Value&)> may_be;  // empty: read only
  std::function<Result<void>(const snmp::Value&)> set = {};
  snmp::Value before = {};
};

std::vector<oid> as_oids(const snmp::Oid& name) { return {name.begin(), name.end()}; }

int put(netsnmp_request_info* request, const Object& object) {
  const auto value = object.get();
  if (!value) return SNMP_ERR_GENERR;
  if (const auto* name = std::get_if<snmp::Oid>(&*value)) {
    const std::vector<oid> parts = as_oids(*name);
    snmp_set_var_typed_value(request->requestvb, object.type, parts.data(),
                             parts.size() * sizeof(oid));
  } else {
    const long number = static_cast<long>(snmp::number_of(*value));
    snmp_set_var_typed_value(request->requestvb, object.type, &number, sizeof number);
  }
  return SNMP_ERR_NOERROR;
}

snmp::Value asked_for(const netsnmp_request_info* request) {
  const netsnmp_variable_list& variable = *request->requestvb;
  if (variable.type != ASN_OBJECT_ID)
    return std::uint64_t{static_cast<std::uint32_t>(*variable.val.integer)};
  snmp::Oid name;
  for (std::size_t i = 0; i < variable.val_len / sizeof(oid); ++i)
    name.push_back(static_cast<std::uint32_t>(variable.val.objid[i]));
  return name;
}

int check(const netsnmp_request_info* request, const Object& object) {
  if (request->requestvb->type != object.type) return SNMP_ERR_WRONGTYPE;
  return object.may_be(asked_for(request)) ? SNMP_ERR_NOERROR : SNMP_ERR_WRONGVALUE;
}

int change(const netsnmp_request_info* request, Object& object) {
  if (const auto old = object.get()) object.before = *old;
  return object.set(asked_for(request)) ? SNMP_ERR_NOERROR : SNMP_ERR_COMMITFAILED;
}

int handle(netsnmp_mib_handler* /*handler*/, netsnmp_handler_registration* registration,
           netsnmp_agent_request_info* about, netsnmp_request_info* request) {
  Object& object = *static_cast<Object*>(registration->my_reg_void);
  int problem = SNMP_ERR_NOERROR;
  if (about->mode == MODE_GET) problem = put(request, object);
  if (about->mode == MODE_SET_RESERVE1) problem = check(request, object);
  if (about->mode == MODE_SET_ACTION) problem = change(request, object);
  // Something else of the same question failed.
  if (about->mode == MODE_SET_UNDO && !object.set(object.before)) problem = SNMP_ERR_UNDOFAILED;
  if (problem != SNMP_ERR_NOERROR) netsnmp_set_request_error(about, request, problem);
  return SNMP_ERR_NOERROR;
}

// Lives as long as the process.
bool add(const snmp::Oid& name, Object object) {
  const std::vector<oid> parts = as_oids(name);
  const bool writable = static_cast<bool>(object.may_be);
  auto* registration = netsnmp_create_handler_registration(
      "ebb", handle, parts.data(), parts.size(), writable ? HANDLER_CAN_RWRITE : HANDLER_CAN_RONLY);
  registration->my_reg_void = std::make_unique<Object>(std::move(object)).release();
  const int done = writable ? netsnmp_register_instance(registration)
                            : netsnmp_register_read_only_instance(registration);
  return done == MIB_REGISTERED_OK;
}

Object pvid_object(const SwitchPorts& ports, std::size_t port) {
  return {.type = ASN_UNSIGNED,
          .get = [&ports, port]() -> Result<snmp::Value> {
            const auto vlan = ports.pvid(port);
            if (!vlan) return fail(vlan.error());
            return snmp::Value{std::uint64_t{*vlan}};
          },
          .may_be =
              [](const snmp::Value& value) {
                const std::uint64_t vlan = snmp::number_of(value);
                return vlan < 4096 && drivers::is_vlan(static_cast<std::uint16_t>(vlan));
              },
          .set =
              [&ports, port](const snmp::Value& value) {
                return ports.set_pvid(port, static_cast<std::uint16_t>(snmp::number_of(value)));
              }};
}

Object rate_object(const SwitchPorts& ports, std::size_t port) {
  const auto type = std::make_shared<snmp::Oid>(snmp::Oid{0, 0});
  return {.type = ASN_OBJECT_ID,
          .get = [type]() -> Result<snmp::Value> { return snmp::Value{*type}; },
          .may_be =
              [](const snmp::Value& value) {
                return objects::rate_of_mau(std::get<snmp::Oid>(value)).has_value();
              },
          .set = [&ports, port, type](const snmp::Value& value) -> Result<void> {
            const auto rate = objects::rate_of_mau(std::get<snmp::Oid>(value));
            if (!rate) return {};  // back to what nobody had set
            auto done = ports.set_rate(port, *rate);
            if (done) *type = std::get<snmp::Oid>(value);
            return done;
          }};
}

Object outlet_object(const SwitchPorts& ports) {
  const auto is_on = [](const snmp::Value& value) {
    return snmp::number_of(value) == std::uint64_t{objects::kOutletOn};
  };
  return {
      .type = ASN_INTEGER,
      .get = [&ports]() -> Result<snmp::Value> {
        return snmp::Value{
            std::uint64_t(ports.has_power() ? objects::kOutletOn : objects::kOutletOff)};
      },
      .may_be =
          [=](const snmp::Value& value) {
            return is_on(value) || snmp::number_of(value) == std::uint64_t{objects::kOutletOff};
          },
      .set = [&ports, is_on](const snmp::Value& value) { return ports.set_power(is_on(value)); }};
}

void connect_to(const std::string& socket) {
  netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
  netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
  netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_ROLE, 1);
  netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, socket.c_str());
  setenv("MIBS", "", 1);  // no names of objects are wanted
  snmp_disable_log();
  init_agent("ebb-agentx");
  init_snmp("ebb-agentx");
}

}  // namespace

Result<void> register_objects(const SwitchPorts& ports, const std::string& socket) {
  connect_to(socket);
  const std::vector<std::uint32_t> interfaces = ports.interfaces();
  for (std::uint32_t port = 1; port <= interfaces.size(); ++port) {
    const std::uint32_t interface = interfaces[port - 1];
    const bool done = add(snmp::below(objects::kBasePortIfIndex, snmp::Oid{port}),
                          {.type = ASN_INTEGER,
                           .get = [interface]() -> Result<snmp::Value> {
                             return snmp::Value{std::uint64_t{interface}};
                           }}) &&
                      add(snmp::below(objects::kPvid, snmp::Oid{port}), pvid_object(ports, port)) &&
                      add(snmp::below(objects::kMauDefaultType, snmp::Oid{interface, 1}),
                          rate_object(ports, port));
    if (!done) return fail("the agent does not take our objects", {socket});
  }
  if (!add(objects::kTestOutlet, outlet_object(ports)))
    return fail("the agent does not take the outlet", {socket});
  return {};
}

void answer_for_ever() {
  for (;;) agent_check_and_process(1);
}

}  // namespace ebb::agentx
