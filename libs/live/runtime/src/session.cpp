// SPDX-License-Identifier: Apache-2.0
//
// The life of a session: what it is made of, its connections, and the poll that drives it.
#include "ebb/runtime/session.hpp"

#include "ebb/runtime/description.hpp"
#include "ebb/runtime/switch_access.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace ebb::runtime {
namespace {

using transport::Milliseconds;

constexpr Milliseconds kWatchdogEvery{1000};
constexpr Milliseconds kPollEvery{50};
constexpr Milliseconds kSwitchesGo{3000};  // of a fabric that is taken down
// A leader that has had no switch for so long lets a standby try.
constexpr auto kCutOffAfter = std::chrono::seconds(5);
// Before `wake` believes that nothing sleeps: the state of all ports has been read by then.
constexpr auto kLookFirst = std::chrono::seconds(2);
constexpr auto kWakeAllLimit = std::chrono::seconds(15);
// A duration overflows after 106 days (libs/base/units): the session is restarted long before.
constexpr auto kMaxTerm = std::chrono::hours(30 * 24);

// Links that sleep or are on the way.
std::uint32_t not_active(const controller::Controller& controller) {
  return controller.count(controller::LinkState::asleep) +
         controller.count(controller::LinkState::draining) +
         controller.count(controller::LinkState::waking);
}

// Whether the switches are a test fabric of this machine.
bool has_test_fabric(const RunOptions& options, const fabric_config::FabricFile& file) {
  return std::filesystem::exists(options.state.manifest(file.name));
}

// Of policy::worlds(). The ports of a test fabric have token buckets beside OpenFlow.
std::string world_of(const RunOptions& options, const fabric_config::FabricFile& file) {
  return options.ports == "openflow" && has_test_fabric(options, file) ? "testbed" : options.ports;
}

// Sends "READY=1", "WATCHDOG=1" or "STOPPING=1" to the socket $NOTIFY_SOCKET, as systemd documents
// for sd_notify(3). Nothing happens where the variable is not set.
void tell_service_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{.sun_family = AF_UNIX};
  const std::string_view name = path == nullptr ? "" : path;
  if (name.empty() || name.size() >= sizeof address.sun_path) return;
  std::copy(name.begin(), name.end(), address.sun_path);
  if (name[0] == '@') address.sun_path[0] = '\0';  // a name that is in no folder
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return;
  static_cast<void>(sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address),
                           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size())));
  close(socket);
}

}  // namespace

Result<SessionParts> read_session_parts(const RunOptions& options, const Environment& environment) {
  if (const auto known = validate_driver(options.ports); !known) return fail(known.error());
  const bool remote = !options.remote.listen.empty();
  auto file = fabric_config::read_fabric(
      options.file, remote ? fabric_config::Site::elsewhere : fabric_config::Site::test_fabric);
  if (!file) return fail(file.error());
  if (options.wake) {
    file->policy = {.name = "always-on"};
    if (file->switch_power) file->switch_power->by_policy = false;
  }
  if (const auto found = testbed::find_fabric(file->name, options.state); !found && !remote)
    return fail(found.error());
  auto description = describe(*file);
  if (!description) return fail(description.error());
  const auto port = port_watts(*file, environment.load_parts, options.modules);
  if (!port) return fail(port.error());
  const auto box = box_watts(*file, environment.load_parts);
  if (!box) return fail(box.error());
  auto sleepable =
      forwarding::sleepable_links(description->graph, description->plan, description->tables);
  const forwarding::TableWalker walker(description->graph, description->plan, description->tables);
  const LiveAbilities can = abilities_on(walker, sleepable, *port, world_of(options, *file));
  auto made = environment.make_policy && !options.wake
                  ? live_policy(*file, can, environment.make_policy())
                  : live_policy(*file, can);
  if (!made) return fail(made.error());
  return SessionParts{std::move(*file), std::move(*description), *port, *box,
                      std::move(*made), std::move(sleepable)};
}

Session::Session(const RunOptions& options, const Environment& environment,
                 controller::HighAvailability& ha, SessionParts parts,
                 const drivers::PortsOn& ports, const PowerAccess& power)
    : options_(options),
      environment_(environment),
      ha_(ha),
      file_(std::move(parts.file)),
      description_(std::move(parts.description)),
      reach_(description_.graph, description_.plan, description_.tables),
      sleepable_(std::move(parts.sleepable)),
      drained_(has_test_fabric(options, file_) ? "" : options.persist, file_.name),
      made_(std::move(parts.made)),
      recorder_(record_policy()),
      port_(parts.port),
      box_(parts.box),
      watts_(port_, links_between_switches(description_.graph),
             boxes_that_go_off(description_.graph, power.limits, box_)),
      would_(watts_),
      controller_(description_.graph, reach_, sleepable_,
                  controller::channel_facts(description_.graph, sleepable_, port_), file_.safety,
                  recorder_ ? *recorder_ : *made_.policy,
                  options.dry_run ? controller::RunMode::dry_run : controller::RunMode::live),
      metrics_(description_.graph),
      events_(
          description_.graph, [this] { return live_.now(); }, options.dry_run),
      live_(loop_, description_, controller_,
            {.probe_key = controller::random_probe_key(),
             .writes = !options.dry_run,
             .adopt = options.adopt,
             .orders = record_orders(),
             .ports = ports(loop_),
             .leads = [this] { return ha_.lease().is_ours(); },
             .rates = rates_of(file_, options.state)},
            [this](const drivers::OperatorEvent& event) {
              say(event.text);
              events_.operator_event(event);
            }),
      power_(power.make && !options.dry_run ? power.make(loop_) : nullptr) {
  controller_.use_power(power.limits);
}

Errors Session::start(std::optional<transport::Clock::time_point> not_before) {
  not_before_ = not_before;
  serve_metrics();
  if (options_.standby) {
    if (has_test_fabric(options_, file_)) connect_to_switches();
    if (Errors closed = open_remote_listener(); !closed.empty()) return closed;
    const auto waits = ha_.standby_registry().join();
    return waits ? Errors{} : waits.error();
  }
  const auto taken = ha_.lease().take(transport::Clock::now());
  if (!taken) return taken.error();
  if (!*taken) {
    return {{fmt::format("another controller leads this fabric ({}); --standby waits for its end",
                         ha_.lease().holder())}};
  }
  if (Errors closed = open_switch_listeners(); !closed.empty()) return closed;
  if (Errors closed = open_remote_listener(); !closed.empty()) return closed;
  return lead();
}

SessionEnd Session::run() {
  poll();
  tell_service_manager("READY=1");
  send_watchdog();
  loop_.run();
  events_.ended(not_active(controller_));
  if (leading_ && end_ != SessionEnd::superseded) {
    // A session that restarts is followed by the next at once.
    write_status_now(end_ == SessionEnd::requested);
    save();
  }
  return end_;
}

Errors Session::unfinished() const {
  Errors left;
  if (!leading_ || options_.dry_run || handed_over_) return left;
  if (taken_down_ && live_.members() == 0) return left;
  if (const std::uint32_t links = not_active(controller_); abandoned_ ? links > 0 : !all_awake()) {
    const std::string what =
        links == 0 ? "a switch has not confirmed that it uses its links again"
        : links == 1
            ? "1 link sleeps and no controller wakes it: its ports stay down"
            : fmt::format("{} links sleep and no controller wakes them: ports stay down", links);
    left.push_back({what + "; ebb fabric wake FILE, when the switches are there"});
  }
  for (const auto& [device, out] : controller_.switches_out()) {
    if (out.by != controller::DrainedBy::policy) continue;
    left.push_back(
        {fmt::format("switch {} is {}, drained by the policy, and no controller brings "
                     "it back; ebb fabric run FILE, or wake FILE",
                     switch_name(device), to_text(out.state))});
  }
  std::string away;
  for (std::uint32_t s = 0; options_.wake && s < description_.graph.switch_count(); ++s) {
    if (live_.is_here(s)) continue;
    away += (away.empty() ? "" : ", ") + description_.graph.name(description_.graph.switch_node(s));
  }
  if (!away.empty()) left.push_back({"switches that did not come: " + away});
  return left;
}

void Session::send_watchdog() {
  tell_service_manager("WATCHDOG=1");
  loop_.after(kWatchdogEvery, [this] { send_watchdog(); });
}

Errors Session::open_switch_listeners() {
  const std::uint32_t switches =
      has_test_fabric(options_, file_) ? description_.graph.switch_count() : 0;
  for (std::uint32_t s = 0; s < switches; ++s) {
    auto listener = open_switch_listener(
        loop_, options_.state.device(file_.name, s),
        [this, s](transport::Stream stream) { live_.admit(std::move(stream), s); });
    if (!listener) return listener.error();
    listeners_.push_back(std::move(*listener));
  }
  return {};
}

Errors Session::open_remote_listener() {
  if (options_.remote.listen.empty()) return {};
  auto listener = runtime::open_remote_listener(
      loop_, options_.remote,
      [this](transport::Stream stream) { live_.admit(std::move(stream), std::nullopt); });
  if (!listener) return listener.error();
  say("listens at " + to_text(listener->address()));
  listeners_.push_back(std::move(*listener));
  return {};
}

void Session::connect_to_switches() {
  constexpr transport::BackOff kSoon{.longest = Milliseconds{1000}};
  for (std::uint32_t s = 0; s < description_.graph.switch_count(); ++s) {
    const std::string path = options_.state.device(file_.name, s) + "/br0.mgmt";
    connectors_.push_back(std::make_unique<transport::Connector>(
        loop_, transport::Address{.kind = transport::Kind::unix_socket, .path = path},
        transport::StreamOptions{}, kSoon, [this, s](transport::Stream stream) {
          live_.admit(std::move(stream), s, [this, s] { connectors_[s]->start(); });
        }));
    connectors_.back()->start();
  }
}

drivers::OrderEvents Session::record_orders() {
  return {.given =
              [this](const drivers::OrderGiven& order) {
                metrics_.given(order);
                events_.given(order);
              },
          .answered =
              [this](const drivers::OrderAnswered& answer) {
                metrics_.answered(answer);
                events_.answered(answer);
              }};
}

std::unique_ptr<policy::Recorder> Session::record_policy() {
  if (options_.transcript.empty()) return nullptr;
  return std::make_unique<policy::Recorder>(
      policy::TranscriptHeader{made_.name, made_.parameters, made_.policy->sample_period()},
      *made_.policy, [this](std::string_view line) { transcript_.add(line); });
}

void Session::poll() {
  if (leading_) {
    poll_as_leader();
  } else {
    try_to_lead();
  }
  loop_.after(kPollEvery, [this, due = transport::Clock::now() + kPollEvery] {
    metrics_.ran(due);
    poll();
  });
}

void Session::poll_as_leader() {
  if (!ha_.lease().is_ours()) {
    return folder_exists() ? step_down(SessionEnd::superseded, "the lease is another's")
                           : abandon();
  }
  ha_.lease().renew();
  const bool changed = record_changes();
  if (changed) save();
  switch_power();  // after it was written down that a switch goes off
  pass_watts();
  say_what_would_be_saved();
  say_when_whole();
  say_when_policy_fails();
  restart_when_requested();
  hand_over_when_cut_off();
  if (options_.wake) wake_and_end();
  end_when_requested();
}

void Session::hand_over_when_cut_off() {
  const auto now = transport::Clock::now();
  if (live_.members() > 0) last_member_ = now;
  if (!options_.standby || now - last_member_ < kCutOffAfter ||
      !ha_.standby_registry().has_standby())
    return;
  step_down(SessionEnd::superseded, "no switch is connected, and another controller stands by");
}

// In a dry run nothing is saved by us: what sleeps slept before. What would be is kept apart.
void Session::pass_watts() {
  const Power slower = saved_by_rates(description_.graph, controller_, port_);
  const Power off = saved_by_boxes(description_.graph, controller_, port_, box_);
  if (!options_.dry_run) return watts_.pass(live_.now(), sleeping(), slower, off);
  watts_.pass(live_.now(), count(controller::LinkState::asleep));
  would_.pass(live_.now(), sleeping(), slower);
}

void Session::restart_when_requested() {
  restart_ =
      restart_ || environment_.reload_requested() || live_.now().time_since_epoch() > kMaxTerm;
  if (!restart_ ||
      count(controller::LinkState::draining) + count(controller::LinkState::waking) > 0)
    return;
  restart_ = false;
  if (const auto next = read_session_parts(options_, environment_); !next)
    return say("the file is not taken: " + to_string(next.error()));
  say("begins anew");
  ha_.observe_generation(live_.newest_generation());  // takes back a switch that has seen a newer
  end_ = SessionEnd::restart;
  loop_.stop();
}

std::uint32_t Session::sleeping() const {
  std::uint32_t found = 0;
  for (std::uint32_t link = 0; link < description_.graph.link_count(); ++link)
    found += controller_.sleeps(topology::LinkId{link}) ? 1 : 0;
  return found;
}

void Session::end_when_requested() {
  const bool over =
      options_.seconds > 0 &&
      live_.now().time_since_epoch() >
          std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options_.seconds));
  if (!leaving_ && (over || environment_.stop_requested())) {
    tell_service_manager("STOPPING=1");
    if (ha_.standby_registry().has_standby()) {
      say("leaves the fabric as it is to the controller that stands by");
      handed_over_ = true;
      return loop_.stop();
    }
    leaving_ = live_.now();
    controller_.shut_down(live_.now());
    live_.give_orders();
  }
  if (!leaving_) return;
  const bool waits_for_switch = controller_.has_drained_by_policy();
  const Duration limit =
      kWakeAllLimit + (waits_for_switch ? controller_.power_limits().start_limit : Duration{});
  const bool done = all_awake() && controller_.all_at_full_rate() && !waits_for_switch;
  if (done || live_.now() - *leaving_ > limit) loop_.stop();
}

// A link can be woken when both its switches are here and the state of its ports is known, which
// for some is later than for others.
void Session::wake_and_end() {
  if (!leaving_ && live_.is_whole() && live_.now().time_since_epoch() > kLookFirst)
    leaving_ = live_.now();
  if (!leaving_ && live_.members() < description_.graph.switch_count()) return;
  controller_.shut_down(live_.now());
  live_.give_orders();
}

bool Session::all_awake() const {
  if (count(controller::LinkState::draining) + count(controller::LinkState::waking) > 0)
    return false;
  for (std::uint32_t which = 0; which < description_.graph.link_count(); ++which) {
    const topology::LinkId link{which};
    const controller::LinkMachine& machine = controller_.link(link);
    // A link that was just being drained is active, but its switches still have to be told.
    if (!machine.is_confirmed()) return false;
    if (machine.state() == controller::LinkState::asleep && !controller_.is_drained(link))
      return false;
  }
  return true;
}

std::uint32_t Session::count(controller::LinkState state) const { return controller_.count(state); }

double Session::highest_use() const {
  const topology::Graph& graph = description_.graph;
  double highest = 0;
  for (std::uint32_t which = 0; which < 2 * graph.link_count(); ++which) {
    const topology::ChannelId channel{which};
    if (graph.connects_switches(channel))
      highest = std::max(highest, controller_.utilisation(channel));
  }
  return highest;
}

void Session::abandon() {
  if (std::exchange(abandoned_, true)) return;
  say("the fabric is taken down");
  if (!taken_down_) return loop_.stop();
  control_.clear();  // `ebb fabric down` waits for that, and then ends the switches
  wait_for_switches_to_go(transport::Clock::now() + kSwitchesGo);
}

// Those that stay are not of a fabric that is taken down, whoever said so.
void Session::wait_for_switches_to_go(transport::Clock::time_point until) {
  constexpr Milliseconds kPause{20};
  if (live_.members() == 0 || transport::Clock::now() >= until) return loop_.stop();
  loop_.after(kPause, [this, until] { wait_for_switches_to_go(until); });
}

bool Session::folder_exists() const {
  std::error_code unreadable;
  return std::filesystem::exists(options_.state.controller(file_.name), unreadable);
}

}  // namespace ebb::runtime
