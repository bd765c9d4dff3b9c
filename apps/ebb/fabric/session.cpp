// SPDX-License-Identifier: Apache-2.0
#include "fabric/session.hpp"

#include "command_line/interrupt.hpp"
#include "fabric/description.hpp"
#include "fabric/rates.hpp"
#include "fabric/service_notice.hpp"

#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>

namespace ebb::cli {
namespace {

using transport::Milliseconds;

constexpr Milliseconds kLifeEvery{1000};
constexpr Milliseconds kLookEvery{50};
constexpr auto kFarewell = std::chrono::seconds(15);
// The time of a controller ends after 106 days (libs/base/units): long before, it takes over from
// itself.
constexpr auto kLongestTerm = std::chrono::hours(30 * 24);

std::vector<controller::ChannelFacts> facts_of(const topology::Graph& graph,
                                               const controller::Sleepers& sleepers,
                                               const controller::PortWatts& port) {
  std::vector<controller::ChannelFacts> facts;
  for (std::uint32_t which = 0; which < 2 * graph.link_count(); ++which) {
    const topology::LinkId link = topology::link_of(topology::ChannelId{which});
    facts.push_back({static_cast<std::uint8_t>(sleepers.may_sleep[index(link)] ? 1 : 0),
                     port.at(graph.ladder(graph.link(link)))});
  }
  return facts;
}

std::uint32_t links_between_switches(const topology::Graph& graph) {
  std::uint32_t count = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
    const topology::Link& ends = graph.link(topology::LinkId{link});
    count += graph.is_host(ends.a) || graph.is_host(ends.b) ? 0 : 1;
  }
  return count;
}

// That nobody guesses: hosts must not be able to write probes.
std::uint64_t secret() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | random();
}

// Whether its switches are a test fabric of this machine.
bool has_boxes(const FabricRunOptions& options, const fabric_config::FabricFile& file) {
  return std::filesystem::exists(options.state.manifest(file.name));
}

}  // namespace

Result<Prepared> prepare(const FabricRunOptions& options) {
  auto file = fabric_config::read_fabric(options.file);
  if (!file) return fail(file.error());
  const bool remote = !options.remote.listen.empty();
  if (const auto found = testbed::find_fabric(file->name, options.state); !found && !remote)
    return fail(found.error());
  auto description = describe(*file);
  if (!description) return fail(description.error());
  const auto port = port_watts(*file, options.modules);
  if (!port) return fail(port.error());
  auto made = live_policy(*file);
  if (!made) return fail(made.error());
  return Prepared{std::move(*file), std::move(*description), *port, std::move(*made)};
}

Session::Session(const FabricRunOptions& options, controller::Succession& succession,
                 Prepared prepared, const drivers::PortsOn& ports)
    : options_(options),
      succession_(succession),
      file_(std::move(prepared.file)),
      description_(std::move(prepared.description)),
      reach_(description_.graph, description_.plan, description_.tables),
      sleepers_(controller::sleepers(description_.graph, description_.plan, description_.tables)),
      made_(std::move(prepared.made)),
      recorder_(record()),
      port_(prepared.port),
      watts_(port_, links_between_switches(description_.graph)),
      controller_(description_.graph, reach_, sleepers_,
                  facts_of(description_.graph, sleepers_, port_), file_.safety,
                  recorder_ ? *recorder_ : *made_.policy,
                  options.dry_run ? controller::Doing::only_says : controller::Doing::acts),
      figures_(description_.graph),
      events_(description_.graph, [this] { return live_.now(); }),
      live_(loop_, description_, controller_,
            {.number = secret(),
             .writes = !options.dry_run,
             .orders = note_orders(),
             .ports = ports(loop_),
             .leads = [this] { return succession_.lease().is_ours(); },
             .rates = rates_of(file_, options.state)},
            [this](const drivers::Notice& notice) {
              say(notice.text);
              events_.notice(notice);
            }) {}

Errors Session::start(std::optional<transport::Clock::time_point> not_before) {
  not_before_ = not_before;
  if (options_.standby) {
    if (has_boxes(options_, file_)) connect();
    if (Errors closed = listen(); !closed.empty()) return closed;
    const auto waits = succession_.waiting_room().enter();
    return waits ? Errors{} : waits.error();
  }
  const auto taken = succession_.lease().take(transport::Clock::now());
  if (!taken) return taken.error();
  if (!*taken) {
    return {{fmt::format("another controller leads this fabric ({}); --standby waits for its end",
                         succession_.lease().holder())}};
  }
  if (Errors closed = open_doors(); !closed.empty()) return closed;
  if (Errors closed = listen(); !closed.empty()) return closed;
  return lead();
}

TermEnd Session::run() {
  look();
  tell_service_manager("READY=1");
  show_life();
  loop_.run();
  events_.ended();
  if (leading_ && end_ != TermEnd::deposed) {
    write_status_now();
    remember();
  }
  return end_;
}

void Session::show_life() {
  tell_service_manager("WATCHDOG=1");
  loop_.after(kLifeEvery, [this] { show_life(); });
}

Errors Session::open_doors() {
  const std::uint32_t boxes = has_boxes(options_, file_) ? description_.graph.switch_count() : 0;
  for (std::uint32_t s = 0; s < boxes; ++s) {
    auto door =
        open_box_door(loop_, options_.state.box(file_.name, s),
                      [this, s](transport::Stream stream) { live_.admit(std::move(stream), s); });
    if (!door) return door.error();
    doors_.push_back(std::move(*door));
  }
  return {};
}

Errors Session::listen() {
  if (options_.remote.listen.empty()) return {};
  auto door = open_remote_door(loop_, options_.remote, [this](transport::Stream stream) {
    live_.admit(std::move(stream), std::nullopt);
  });
  if (!door) return door.error();
  say("listens at " + to_text(door->address()));
  doors_.push_back(std::move(*door));
  return {};
}

void Session::connect() {
  constexpr transport::BackOff kSoon{.longest = Milliseconds{1000}};
  for (std::uint32_t s = 0; s < description_.graph.switch_count(); ++s) {
    const std::string path = options_.state.box(file_.name, s) + "/br0.mgmt";
    connectors_.push_back(std::make_unique<transport::Connector>(
        loop_, transport::Address{.kind = transport::Kind::unix_socket, .path = path},
        transport::StreamOptions{}, kSoon, [this, s](transport::Stream stream) {
          live_.admit(std::move(stream), s, [this, s] { connectors_[s]->start(); });
        }));
    connectors_.back()->start();
  }
}

drivers::OrderEvents Session::note_orders() {
  return {.given =
              [this](const drivers::OrderGiven& order) {
                figures_.given(order);
                events_.given(order);
              },
          .answered =
              [this](const drivers::OrderAnswered& answer) {
                figures_.answered(answer);
                events_.answered(answer);
              }};
}

std::unique_ptr<policy::Recorder> Session::record() {
  if (options_.transcript.empty()) return nullptr;
  transcript_.open(options_.transcript);
  return std::make_unique<policy::Recorder>(
      policy::TranscriptHeader{made_.name, made_.parameters, made_.policy->sample_period()},
      *made_.policy, [this](std::string_view line) { transcript_ << line; });
}

std::optional<topology::LinkId> Session::link_named(const std::string& name) const {
  for (std::uint32_t link = 0; link < description_.graph.link_count(); ++link) {
    if (link_name(description_.graph, topology::LinkId{link}) == name)
      return topology::LinkId{link};
  }
  return std::nullopt;
}

void Session::look() {
  if (leading_) {
    guide();
  } else {
    wait_to_lead();
  }
  loop_.after(kLookEvery, [this, due = transport::Clock::now() + kLookEvery] {
    figures_.ran(due);
    look();
  });
}

void Session::guide() {
  if (!succession_.lease().is_ours()) {
    const bool up = std::filesystem::exists(options_.state.controller(file_.name));
    return up ? step_back(TermEnd::deposed, "the lease is another's") : give_up();
  }
  succession_.lease().stir();
  const bool changed = report();
  if (changed) remember();
  watts_.pass(live_.now(), sleeping(), saved_by_rates(description_.graph, controller_, port_));
  say_what_would_be_saved();
  say_when_whole();
  begin_anew_when_asked();
  end_when_asked();
}

void Session::begin_anew_when_asked() {
  anew_ = anew_ || hung_up() || live_.now().time_since_epoch() > kLongestTerm;
  if (!anew_ || count(controller::LinkState::draining) + count(controller::LinkState::waking) > 0)
    return;
  anew_ = false;
  if (const auto next = prepare(options_); !next)
    return say("the file is not taken: " + to_string(next.error()));
  say("begins anew");
  end_ = TermEnd::anew;
  loop_.stop();
}

std::uint32_t Session::sleeping() const {
  std::uint32_t found = 0;
  for (std::uint32_t link = 0; link < description_.graph.link_count(); ++link)
    found += controller_.sleeps(topology::LinkId{link}) ? 1 : 0;
  return found;
}

void Session::end_when_asked() {
  const bool over =
      options_.seconds > 0 &&
      live_.now().time_since_epoch() >
          std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options_.seconds));
  if (!leaving_ && (over || interrupted())) {
    tell_service_manager("STOPPING=1");
    if (succession_.waiting_room().someone_waits()) {
      say("leaves the fabric as it is to the controller that stands by");
      return loop_.stop();
    }
    leaving_ = live_.now();
    controller_.retire(live_.now());
    live_.give_orders();
  }
  if (!leaving_) return;
  const bool awake = count(controller::LinkState::asleep) + count(controller::LinkState::draining) +
                         count(controller::LinkState::waking) ==
                     0;
  if ((awake && controller_.all_at_full_rate()) || live_.now() - *leaving_ > kFarewell)
    loop_.stop();
}

std::uint32_t Session::count(controller::LinkState state) const { return controller_.count(state); }

double Session::highest_use() const {
  const topology::Graph& graph = description_.graph;
  double highest = 0;
  for (std::uint32_t which = 0; which < 2 * graph.link_count(); ++which) {
    const topology::ChannelId channel{which};
    if (!graph.is_host(graph.source(channel)) && !graph.is_host(graph.target(channel)))
      highest = std::max(highest, controller_.utilisation(channel));
  }
  return highest;
}

void Session::give_up() {
  say("the fabric is taken down");
  loop_.stop();
}

}  // namespace ebb::cli
