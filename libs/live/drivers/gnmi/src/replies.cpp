// SPDX-License-Identifier: Apache-2.0
#include "replies.hpp"

#include "ebb/gnmi/openconfig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace ebb::gnmi {
namespace {

using Interfaces = std::vector<Interface>;

constexpr int kMostPaths = 128;  // of a request
constexpr std::uint16_t kLastVlan = 4094;
// Faster samples would be no more than the load that they make.
constexpr auto kShortestInterval = std::chrono::milliseconds(10);

auto refuse(RequestErrorKind why, std::string text) {
  return tl::unexpected<RequestError>(RequestError{why, std::move(text)});
}
auto refuse(RequestErrorKind why, const Errors& errors) {
  return refuse(why, errors.front().message);
}

std::int64_t now() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool can_encode(wire::Encoding encoding) {
  return encoding == wire::PROTO || encoding == wire::JSON || encoding == wire::JSON_IETF;
}

std::string status_text(const Interface& one) {
  if (!one.enabled) return "DOWN";
  return one.running ? "UP" : "LOWER_LAYER_DOWN";
}

Value value_of(const Interface& one, Leaf leaf) {
  switch (leaf) {
    case Leaf::enabled:
      return one.enabled;
    case Leaf::admin_status:
      return std::string(one.enabled ? "UP" : "DOWN");
    case Leaf::oper_status:
      return status_text(one);
    case Leaf::in_octets:
      return one.in_octets;
    case Leaf::out_octets:
      return one.out_octets;
    case Leaf::out_pkts:
      return one.out_pkts;
    case Leaf::port_speed:
      return (one.speed ? speed_name(*one.speed) : std::nullopt).value_or("SPEED_UNKNOWN");
    case Leaf::access_vlan:
      return std::uint64_t{one.access_vlan};
    case Leaf::module_enabled:
      return one.module_enabled;
    case Leaf::power_admin_state:
      break;  // of components
  }
  return false;
}

Value power_of(const Component& one) {
  return std::string(one.has_power ? kPowerEnabled : kPowerDisabled);
}

// Also with the name of its model before it; nothing for other values.
std::optional<bool> as_power(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return std::nullopt;
  const std::string_view name = std::string_view(*text).substr(text->find(':') + 1);
  if (name == kPowerEnabled) return true;
  return name == kPowerDisabled ? std::optional(false) : std::nullopt;
}

std::string name_of(const Interface& one, Leaf leaf) {
  return leaf == Leaf::module_enabled ? module_of(one.name) : one.name;
}

bool is_of_type(Leaf leaf, wire::GetRequest::DataType type) {
  if (type == wire::GetRequest::CONFIG) return can_be_set(leaf);
  if (type == wire::GetRequest::STATE || type == wire::GetRequest::OPERATIONAL)
    return !can_be_set(leaf);
  return true;
}

// One change of a Set, that could be made.
struct Change {
  LeafOf leaf;
  std::string name;  // of the interface or component
  Value value;
  Value before;
};

std::optional<std::uint16_t> as_vlan(const Value& value) {
  const auto number = as_number(value);
  if (!number || *number < 1 || *number > kLastVlan) return std::nullopt;
  return static_cast<std::uint16_t>(*number);
}

std::optional<DataRate> as_speed(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::nullopt : read_speed(*text);
}

bool fits(Leaf leaf, const Value& value) {
  if (leaf == Leaf::port_speed) return as_speed(value).has_value();
  if (leaf == Leaf::access_vlan) return as_vlan(value).has_value();
  if (leaf == Leaf::power_admin_state) return as_power(value).has_value();
  return std::holds_alternative<bool>(value);
}

Result<void> apply(Device& device, const Change& change, const Value& value) {
  const std::string& name = change.name;
  switch (change.leaf.leaf) {
    case Leaf::enabled:
      return device.set_enabled(name, std::get<bool>(value));
    case Leaf::module_enabled:
      return device.set_module(name, std::get<bool>(value));
    case Leaf::access_vlan:
      return device.set_access_vlan(name, as_vlan(value).value_or(1));
    case Leaf::power_admin_state:
      return device.set_power(name, as_power(value).value_or(true));
    case Leaf::port_speed:
      // A speed that was not known before cannot be gone back to.
      if (const auto speed = as_speed(value)) return device.set_speed(name, *speed);
      return {};
    default:
      return fail("not to be set");
  }
}

// The name of what has the leaf, and the present value; nothing: there is no such thing.
std::optional<std::pair<std::string, Value>> find_leaf(const LeafOf& leaf,
                                                       const Interfaces& interfaces,
                                                       const std::vector<Component>& components) {
  for (const Component& one : components) {
    if (leaf.leaf == Leaf::power_admin_state && one.name == leaf.name)
      return std::pair(one.name, power_of(one));
  }
  for (const Interface& one : interfaces) {
    if (leaf.leaf != Leaf::power_admin_state && name_of(one, leaf.leaf) == leaf.name)
      return std::pair(one.name, value_of(one, leaf.leaf));
  }
  return std::nullopt;
}

Reply<Change> check(const wire::Path& prefix, const wire::Update& update,
                    const Interfaces& interfaces, const std::vector<Component>& components) {
  const auto path = read(prefix, update.path());
  if (!path) return refuse(RequestErrorKind::malformed, path.error());
  const auto leaf = leaf_at(*path);
  if (!leaf) return refuse(RequestErrorKind::unknown, to_text(*path) + ": there is no such leaf");
  if (!can_be_set(leaf->leaf))
    return refuse(RequestErrorKind::malformed, to_text(*path) + " cannot be set");
  const auto found = find_leaf(*leaf, interfaces, components);
  if (!found) return refuse(RequestErrorKind::unknown, fmt::format("there is no '{}'", leaf->name));
  auto value = read(update.val());
  if (!value)
    return refuse(RequestErrorKind::malformed, to_text(*path) + ": " + value.error()[0].message);
  if (!fits(leaf->leaf, *value))
    return refuse(RequestErrorKind::malformed, to_text(*path) + ": not a value of this leaf");
  return Change{*leaf, found->first, std::move(*value), found->second};
}

Reply<std::vector<Change>> check_all(const wire::SetRequest& request, Device& device) {
  if (request.delete__size() > 0)
    return refuse(RequestErrorKind::cannot, "nothing here can be deleted");
  if (request.replace_size() > kMostPaths || request.update_size() > kMostPaths)
    return refuse(RequestErrorKind::malformed, "very many changes in one request");
  const auto interfaces = device.look();
  if (!interfaces) return refuse(RequestErrorKind::failed, interfaces.error());
  const std::vector<Component> components = device.components();
  std::vector<Change> changes;
  // A leaf is replaced as it is updated; in this order by the specification.
  for (const auto* updates : {&request.replace(), &request.update()}) {
    for (const wire::Update& update : *updates) {
      auto change = check(request.prefix(), update, *interfaces, components);
      if (!change) return tl::unexpected<RequestError>(change.error());
      changes.push_back(std::move(*change));
    }
  }
  return changes;
}

void undo(Device& device, const std::vector<Change>& changes, std::size_t made) {
  while (made-- > 0) static_cast<void>(apply(device, changes[made], changes[made].before));
}

wire::SetResponse confirm(const wire::SetRequest& request) {
  wire::SetResponse response;
  response.set_timestamp(now());
  *response.mutable_prefix() = request.prefix();
  const auto add = [&](const wire::Update& update, wire::UpdateResult::Operation operation) {
    wire::UpdateResult& result = *response.add_response();
    *result.mutable_path() = update.path();
    result.set_op(operation);
  };
  for (const wire::Update& update : request.replace()) add(update, wire::UpdateResult::REPLACE);
  for (const wire::Update& update : request.update()) add(update, wire::UpdateResult::UPDATE);
  return response;
}

Reply<Wanted::Part> wanted_part(const wire::Path& prefix, const wire::Subscription& one) {
  auto path = read(prefix, one.path());
  if (!path) return refuse(RequestErrorKind::malformed, path.error());
  // What the target may choose is told when it changes.
  const bool on_change = one.mode() != wire::SAMPLE;
  const std::uint64_t asked = on_change ? one.heartbeat_interval() : one.sample_interval();
  constexpr auto kLongest = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  const std::chrono::nanoseconds interval(std::min(asked, kLongest * 1'000'000));
  const bool none = on_change && asked == 0;
  return Wanted::Part{
      std::move(*path), on_change,
      none ? interval : std::max<std::chrono::nanoseconds>(interval, kShortestInterval)};
}

}  // namespace

std::vector<LeafValue> leaves_of(const Interfaces& interfaces,
                                 const std::vector<Component>& components) {
  std::vector<LeafValue> leaves;
  leaves.reserve(interfaces.size() * kLeaves.size() + components.size());
  for (const Interface& one : interfaces) {
    for (const Leaf leaf : kLeaves)
      leaves.push_back({{leaf, name_of(one, leaf)}, value_of(one, leaf)});
  }
  for (const Component& one : components)
    leaves.push_back({{Leaf::power_admin_state, one.name}, power_of(one)});
  return leaves;
}

void write(const std::vector<LeafValue>& leaves, wire::Encoding encoding,
           wire::Notification& message) {
  message.set_timestamp(now());
  for (const LeafValue& one : leaves) write(one, encoding, *message.add_update());
}

wire::CapabilityResponse capabilities() {
  wire::CapabilityResponse response;
  for (const char* name : {"openconfig-interfaces", "openconfig-if-ethernet", "openconfig-vlan",
                           "openconfig-platform-transceiver", "openconfig-platform-linecard"}) {
    wire::ModelData& model = *response.add_supported_models();
    model.set_name(name);
    model.set_organization("OpenConfig working group");
  }
  for (const auto encoding : {wire::PROTO, wire::JSON, wire::JSON_IETF})
    response.add_supported_encodings(encoding);
  response.set_gnmi_version("0.8.0");
  return response;
}

Reply<wire::GetResponse> get(const wire::GetRequest& request, Device& device) {
  if (!can_encode(request.encoding()))
    return refuse(RequestErrorKind::cannot, "values are encoded as PROTO, JSON or JSON_IETF");
  if (request.path_size() > kMostPaths)
    return refuse(RequestErrorKind::malformed, "very many paths in one request");
  const auto interfaces = device.look();
  if (!interfaces) return refuse(RequestErrorKind::failed, interfaces.error());
  const std::vector<LeafValue> all = leaves_of(*interfaces, device.components());
  wire::GetResponse response;
  for (const wire::Path& one : request.path()) {
    const auto path = read(request.prefix(), one);
    if (!path) return refuse(RequestErrorKind::malformed, path.error());
    std::vector<LeafValue> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const LeafValue& leaf) {
      return is_of_type(leaf.leaf.leaf, request.type()) && covers(*path, path_of(leaf.leaf));
    });
    if (found.empty())
      return refuse(RequestErrorKind::unknown, to_text(*path) + ": nothing is there");
    write(found, request.encoding(), *response.add_notification());
  }
  return response;
}

Reply<wire::SetResponse> set(const wire::SetRequest& request, Device& device) {
  const auto changes = check_all(request, device);
  if (!changes) return tl::unexpected<RequestError>(changes.error());
  for (std::size_t made = 0; made < changes->size(); ++made) {
    const auto done = apply(device, (*changes)[made], (*changes)[made].value);
    if (done) continue;
    undo(device, *changes, made);
    return refuse(RequestErrorKind::failed, done.error());
  }
  return confirm(request);
}

Reply<Wanted> wanted(const wire::SubscriptionList& list) {
  if (list.mode() == wire::SubscriptionList::POLL)
    return refuse(RequestErrorKind::cannot, "no polls: ask with Get");
  if (!can_encode(list.encoding()))
    return refuse(RequestErrorKind::cannot, "values are encoded as PROTO, JSON or JSON_IETF");
  if (list.subscription_size() == 0 || list.subscription_size() > kMostPaths)
    return refuse(RequestErrorKind::malformed, "no subscription, or very many in one request");
  Wanted result{.parts = {},
                .encoding = list.encoding(),
                .once = list.mode() == wire::SubscriptionList::ONCE,
                .updates_only = list.updates_only()};
  for (const wire::Subscription& one : list.subscription()) {
    auto part = wanted_part(list.prefix(), one);
    if (!part) return tl::unexpected<RequestError>(part.error());
    result.parts.push_back(std::move(*part));
  }
  return result;
}

Subscriber::Subscriber(Wanted wanted, SteadyTime now) : wanted_(std::move(wanted)) {
  for (const Wanted::Part& part : wanted_.parts) due_.push_back(now + part.interval);
}

std::vector<LeafValue> Subscriber::all(const std::vector<LeafValue>& device) {
  std::vector<LeafValue> found;
  for (const LeafValue& leaf : device) {
    const Path path = path_of(leaf.leaf);
    const bool wants = std::any_of(wanted_.parts.begin(), wanted_.parts.end(),
                                   [&](const auto& part) { return covers(part.path, path); });
    if (!wants) continue;
    told_[to_text(path)] = leaf.value;
    found.push_back(leaf);
  }
  return found;
}

std::vector<LeafValue> Subscriber::next(const std::vector<LeafValue>& device, SteadyTime now) {
  std::vector<LeafValue> found;
  for (const LeafValue& leaf : device) {
    const Path path = path_of(leaf.leaf);
    bool tell = false;
    for (std::size_t i = 0; i < wanted_.parts.size(); ++i) {
      const Wanted::Part& part = wanted_.parts[i];
      if (!covers(part.path, path)) continue;
      const bool is_due = part.interval.count() > 0 && due_[i] <= now;
      const auto told = told_.find(to_text(path));
      tell =
          tell || is_due || (part.on_change && (told == told_.end() || told->second != leaf.value));
    }
    if (!tell) continue;
    told_[to_text(path)] = leaf.value;
    found.push_back(leaf);
  }
  for (std::size_t i = 0; i < due_.size(); ++i) {
    // One that comes late is not followed by all that it missed.
    if (due_[i] <= now) due_[i] = now + wanted_.parts[i].interval;
  }
  return found;
}

SteadyTime Subscriber::due(SteadyTime limit) const {
  for (std::size_t i = 0; i < due_.size(); ++i) {
    if (wanted_.parts[i].interval.count() > 0) limit = std::min(limit, due_[i]);
  }
  return limit;
}

}  // namespace ebb::gnmi
