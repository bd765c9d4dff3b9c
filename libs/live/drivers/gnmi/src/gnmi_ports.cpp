// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/gnmi_ports.hpp"

#include "client.hpp"
#include "messages.hpp"

#include "ebb/gnmi/openconfig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <optional>

namespace ebb::gnmi {
namespace {

using drivers::PortStatus;
using drivers::PortTraffic;
using forwarding::PortNumber;
using transport::Milliseconds;

constexpr Milliseconds kSubscribeAgain{200};

wire::Encoding encoding_of(ValueForm form) {
  return form == ValueForm::proto ? wire::PROTO : wire::JSON_IETF;
}

// Of every interface.
void ask(Leaf leaf, wire::Path& path) { write(path_of({leaf, "*"}), path); }

std::uint64_t nanoseconds(Milliseconds time) {
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(time).count());
}

wire::SubscribeRequest status_changes(const ClientOptions& options) {
  wire::SubscribeRequest request;
  wire::SubscriptionList& list = *request.mutable_subscribe();
  list.set_mode(wire::SubscriptionList::STREAM);
  list.set_encoding(encoding_of(options.form));
  for (const Leaf leaf : {Leaf::admin_status, Leaf::oper_status}) {
    wire::Subscription& one = *list.add_subscription();
    ask(leaf, *one.mutable_path());
    one.set_mode(wire::ON_CHANGE);
    one.set_heartbeat_interval(nanoseconds(options.heartbeat));
  }
  return request;
}

bool is_text(const Value& value, std::string_view wanted) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == wanted;
}

}  // namespace

struct GnmiPorts::Impl {
  struct Order {
    wire::SetRequest request;
    Client::Deadline deadline;
    Done done;
  };

  Impl(Exchange& exchange, const std::shared_ptr<grpc::Channel>& channel, ClientOptions how,
       drivers::PortEvents told)
      : options(std::move(how)),
        events(std::move(told)),
        loop(exchange.impl().loop),
        client(exchange.impl(), channel) {
    subscribe();
  }
  ~Impl() { loop.cancel(timer); }

  [[nodiscard]] Client::Deadline deadline() const {
    return std::chrono::system_clock::now() + options.timeout;
  }

  [[nodiscard]] std::optional<PortNumber> port_named(std::string_view name) const {
    if (!name.starts_with(options.interfaces)) return std::nullopt;
    name.remove_prefix(options.interfaces.size());
    PortNumber port = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), port);
    if (problem != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return port;
  }
  [[nodiscard]] std::string name_of(PortNumber port) const {
    return options.interfaces + std::to_string(port);
  }

  // --- what ports are like -----------------------------------------------------------------------

  void learn(const wire::Notification& message, std::map<PortNumber, PortStatus>& into) const {
    for (const LeafValue& one : read(message)) {
      const auto port = port_named(one.leaf.name);
      if (!port) continue;
      if (one.leaf.leaf == Leaf::admin_status) into[*port].admin_down = is_text(one.value, "DOWN");
      if (one.leaf.leaf == Leaf::oper_status) into[*port].oper_up = is_text(one.value, "UP");
    }
  }

  void notified(const wire::Notification& message) {
    heard = true;
    complained = false;
    std::map<PortNumber, PortStatus> now = known;
    learn(message, now);
    const auto before = std::exchange(known, now);
    for (const auto& [port, found] : now) {
      const auto old = before.find(port);
      // Ports are found by whoever asks; here only what becomes of them is told.
      if (old != before.end() && !(old->second == found)) events.changed(port, found);
    }
  }

  void subscribe() {
    heard = true;
    client.subscribe(status_changes(options),
                     {.notified = [this](const auto& message) { notified(message); },
                      .ended = [this](const auto& status) { lost(status); }});
    watch();
  }

  // A target that is silent, or a network that swallows everything, ends no stream.
  void watch() {
    loop.cancel(timer);
    timer = loop.after(3 * options.heartbeat, [this] {
      if (!std::exchange(heard, false)) client.end_subscription();
      watch();
    });
  }

  void lost(const grpc::Status& status) {
    if (!std::exchange(complained, true))
      events.error("does not tell changes of its ports any more: " + reason_of(status));
    loop.cancel(timer);
    timer = loop.after(kSubscribeAgain, [this] { subscribe(); });
  }

  [[nodiscard]] std::vector<PortTraffic> traffic_in(const wire::GetResponse& response) const {
    std::map<PortNumber, PortTraffic> counters;
    for (const wire::Notification& message : response.notification()) {
      for (const LeafValue& one : read(message)) {
        const auto port = port_named(one.leaf.name);
        if (port) count(one, counters.try_emplace(*port, PortTraffic{*port}).first->second);
      }
    }
    std::vector<PortTraffic> traffic;
    traffic.reserve(counters.size());
    for (const auto& [port, of_port] : counters) traffic.push_back(of_port);
    return traffic;
  }

  static void count(const LeafValue& one, PortTraffic& traffic) {
    const std::uint64_t number = as_number(one.value).value_or(0);
    if (one.leaf.leaf == Leaf::in_octets) traffic.received_bytes = number;
    if (one.leaf.leaf == Leaf::out_octets) traffic.sent_bytes = number;
    if (one.leaf.leaf == Leaf::out_pkts) traffic.sent_frames = number;
  }

  // --- orders ------------------------------------------------------------------------------------

  void order(const std::vector<LeafValue>& leaves, const Done& done) {
    if (orders.size() >= drivers::kMostOrders) return done(false, drivers::kTooManyOrders);
    Order one{{}, deadline(), done};
    for (const LeafValue& leaf : leaves)
      write(leaf, encoding_of(options.form), *one.request.add_update());
    orders.push_back(std::move(one));
    if (orders.size() == 1) next_order();
  }

  void order(LeafOf leaf, Value value, const Done& done) {
    std::vector<LeafValue> leaves;
    leaves.push_back({std::move(leaf), std::move(value)});
    order(leaves, done);
  }

  // The lease may have been lost while the order waited.
  void next_order() {
    if (!events.leads()) {
      loop.post([this, alive = std::weak_ptr<bool>(here)] {
        if (!alive.expired()) answered(false, drivers::kLeadsNoLonger);
      });
      return;
    }
    client.set(orders.front().request, orders.front().deadline, [this](const auto& status) {
      answered(status.ok(), status.ok() ? "" : reason_of(status));
    });
  }

  void answered(bool ok, const std::string& why) {
    const Done done = std::move(orders.front().done);
    orders.pop_front();
    if (!orders.empty()) next_order();
    done(ok, why);  // it may be the last that we do
  }

  ClientOptions options;
  drivers::PortEvents events;
  transport::Loop& loop;
  transport::Loop::Timer timer;  // of the subscription
  bool heard = false;            // anything since the timer was last set
  bool complained = false;       // that the subscription ended, since it last worked
  std::map<PortNumber, PortStatus> known;
  std::deque<Order> orders;  // the first is under way
  std::shared_ptr<bool> here = std::make_shared<bool>(true);
  Client client;  // ends first: it calls the others
};

GnmiPorts::GnmiPorts(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GnmiPorts::~GnmiPorts() = default;

Result<std::unique_ptr<GnmiPorts>> GnmiPorts::open(Exchange& exchange,
                                                   const transport::Address& target,
                                                   const ClientOptions& options,
                                                   drivers::PortEvents events) {
  const auto credentials = client_credentials(target.kind, options.tls);
  if (!credentials) return fail(credentials.error());
  return std::unique_ptr<GnmiPorts>(new GnmiPorts(std::make_unique<Impl>(
      exchange, open_channel(target, options, *credentials), options, std::move(events))));
}

Result<drivers::PortsOn> GnmiPorts::of_fabric(std::vector<transport::Address> targets,
                                              const ClientOptions& options) {
  std::map<transport::Kind, std::shared_ptr<grpc::ChannelCredentials>> credentials;
  for (const transport::Address& target : targets) {
    if (credentials.contains(target.kind)) continue;
    const auto read = client_credentials(target.kind, options.tls);
    if (!read) return fail(read.error());
    credentials[target.kind] = *read;
  }
  return [=, targets = std::move(targets)](transport::Loop& loop) -> drivers::MakePorts {
    const auto exchange = std::make_shared<Exchange>(loop);
    return [=](std::uint32_t device, drivers::PortEvents events) {
      const transport::Address& target = targets.at(device);
      const auto channel = open_channel(target, options, credentials.at(target.kind));
      return std::unique_ptr<drivers::PortDriver>(
          new GnmiPorts(std::make_unique<Impl>(*exchange, channel, options, std::move(events))));
    };
  };
}

void GnmiPorts::find_ports(const Found& found) {
  wire::GetRequest request;
  request.set_encoding(encoding_of(impl_->options.form));
  for (const Leaf leaf : {Leaf::admin_status, Leaf::oper_status}) ask(leaf, *request.add_path());
  impl_->client.get(
      request, impl_->deadline(), [found, this](const auto& status, const auto& response) {
        if (!status.ok())
          return impl_->events.error("did not say which ports it has: " + reason_of(status));
        std::map<PortNumber, PortStatus> ports;
        for (const wire::Notification& one : response.notification()) impl_->learn(one, ports);
        impl_->known = ports;
        found(ports);
      });
}

void GnmiPorts::read_counters() {
  wire::GetRequest request;
  request.set_encoding(encoding_of(impl_->options.form));
  for (const Leaf leaf : {Leaf::in_octets, Leaf::out_octets, Leaf::out_pkts})
    ask(leaf, *request.add_path());
  impl_->client.get(request, impl_->deadline(), [this](const auto& status, const auto& response) {
    if (!status.ok()) return impl_->events.error("did not say its counters: " + reason_of(status));
    impl_->events.counted(impl_->traffic_in(response));
  });
}

void GnmiPorts::set_port(PortNumber port, bool up, const Done& done) {
  const std::string& modules = impl_->options.modules;
  std::vector<LeafValue> leaves;
  leaves.push_back({{Leaf::enabled, impl_->name_of(port)}, up});
  if (!modules.empty())
    leaves.push_back({{Leaf::module_enabled, modules + std::to_string(port)}, up});
  // A module has power whenever its port may be up.
  if (up) std::reverse(leaves.begin(), leaves.end());
  impl_->order(leaves, done);
}

void GnmiPorts::set_rate(PortNumber port, DataRate rate, const Done& done) {
  const auto name = speed_name(rate);
  if (!name) return done(false, "OpenConfig has speeds of whole megabits a second");
  // RFC 7951: an identity of another model has its name before it.
  const bool json = impl_->options.form == ValueForm::json_ietf;
  const std::string model = json ? "openconfig-if-ethernet:" : "";
  impl_->order({Leaf::port_speed, impl_->name_of(port)}, model + *name, done);
}

void GnmiPorts::set_pvid(PortNumber port, std::uint16_t vlan, const Done& done) {
  if (!drivers::is_vlan(vlan)) return done(false, drivers::no_vlan(vlan));
  impl_->order({Leaf::access_vlan, impl_->name_of(port)}, std::uint64_t{vlan}, done);
}

}  // namespace ebb::gnmi
