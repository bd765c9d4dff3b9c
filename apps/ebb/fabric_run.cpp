// SPDX-License-Identifier: Apache-2.0
#include "fabric_run.hpp"

#include "data_folder.hpp"
#include "fabric_control.hpp"
#include "fabric_status.hpp"
#include "interrupt.hpp"

#include "ebb/config/fabric_file.hpp"
#include "ebb/policy/registry.hpp"
#include "ebb/policy/transcript.hpp"
#include "ebb/testbed/fabric.hpp"
#include "ebb/transport/listener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>

namespace ebb::cli {
namespace {

using transport::Milliseconds;

constexpr std::size_t kLastEntries = 20;
constexpr Milliseconds kStatusEvery{1000};
constexpr Milliseconds kLookEvery{50};
constexpr auto kFarewell = std::chrono::seconds(15);

Result<drivers::Description> describe(const config::FabricFile& file) {
  auto plan = rules::AddressPlan::make(file.graph);
  if (!plan) return fail(plan.error());
  drivers::Description made{file.graph, std::move(*plan), {}};
  const auto maker = rules::TableMaker::make(made.graph, made.plan);
  if (!maker) return fail(maker.error());
  if (const auto offered = maker->offers(rules::Alternatives::everywhere); !offered)
    return fail(offered.error());
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    made.tables.push_back(maker->table(s, rules::Detail::compact, rules::Alternatives::everywhere));
  return made;
}

// Ports draw as those of the box; nothing when the file names none.
Result<fabric::PortWatts> port_watts(const config::FabricFile& file) {
  if (file.switch_part.empty()) return fabric::PortWatts{};
  const auto library = load_parts({});
  if (!library) return fail(library.error());
  const auto box = library->find_as<power::Box>(file.switch_part);
  if (!box) return fail(box.error());
  const auto& setups = (*box)->setups;
  const auto setup = std::find_if(setups.begin(), setups.end(), [&](const power::PortSetup& one) {
    return file.setup.empty() || one.name == file.setup;
  });
  if (setup == setups.end())
    return fail(fmt::format("'{}' has no setup '{}'", file.switch_part, file.setup));
  const Power plugged = setup->plugged.value;
  return fabric::PortWatts{setup->port.value + plugged + setup->up.value, plugged};
}

std::vector<fabric::ChannelFacts> facts_of(const topology::Graph& graph,
                                           const fabric::Sleepers& sleepers, Power awake) {
  std::vector<fabric::ChannelFacts> facts;
  for (std::uint32_t which = 0; which < 2 * graph.link_count(); ++which) {
    const topology::LinkId link = topology::link_of(topology::ChannelId{which});
    const auto steps = graph.ladder(graph.link(link)).size();
    facts.push_back({static_cast<std::uint8_t>(sleepers.may_sleep[index(link)] ? 1 : 0),
                     std::vector<Power>(steps, awake)});
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

// A controller with everything that it needs.
class Session {
 public:
  Session(const FabricRunOptions& options, const config::FabricFile& file,
          drivers::Description description, fabric::PortWatts port, policy::Made made)
      : options_(options),
        file_(file),
        description_(std::move(description)),
        reach_(description_.graph, description_.plan, description_.tables),
        sleepers_(fabric::sleepers(description_.graph, description_.plan, description_.tables)),
        made_(std::move(made)),
        recorder_(record()),
        watts_(port, links_between_switches(description_.graph)),
        controller_(description_.graph, reach_, sleepers_,
                    facts_of(description_.graph, sleepers_, port.awake), file.safety,
                    recorder_ ? *recorder_ : *made_.policy,
                    options.dry_run ? fabric::Doing::only_says : fabric::Doing::acts),
        live_(loop_, description_, controller_,
              {.number = std::random_device{}(), .writes = !options.dry_run},
              [this](const std::string& line) { say(line); }) {}

  [[nodiscard]] Errors listen() {
    std::error_code problem;
    std::filesystem::create_directory(options_.state.controller(file_.name), problem);
    if (problem) return {{problem.message(), {options_.state.controller(file_.name)}}};
    for (std::uint32_t s = 0; s < description_.graph.switch_count(); ++s) {
      const std::string path = options_.state.box(file_.name, s) + "/br0.controller";
      std::filesystem::remove(path);
      auto door = transport::Listener::open(
          loop_, {.kind = transport::Kind::unix_socket, .path = path}, {},
          [this](transport::Stream stream) { live_.admit(std::move(stream)); });
      if (!door) return door.error();
      doors_.push_back(std::move(*door));
    }
    auto control = ControlSocket::open(loop_, options_.state.control(file_.name),
                                       [this](const std::string& line) { return obey(line); });
    if (!control) return control.error();
    control_ = std::move(*control);
    return {};
  }

  void run() {
    look();
    write_status();
    loop_.run();
    write_status_now();
  }

 private:
  std::unique_ptr<policy::Recorder> record() {
    if (options_.transcript.empty()) return nullptr;
    transcript_.open(options_.transcript);
    return std::make_unique<policy::Recorder>(
        policy::TranscriptHeader{made_.name, made_.parameters, made_.policy->sample_period()},
        *made_.policy, [this](std::string_view line) { transcript_ << line; });
  }

  void say(const std::string& line) {
    fmt::print("{:8.3f} s  {}\n",
               std::chrono::duration<double>(live_.now().time_since_epoch()).count(), line);
    std::fflush(stdout);
  }

  // An operator's line.
  std::string obey(const std::string& line) {
    const auto space = line.find(' ');
    const std::string verb = line.substr(0, space);
    const auto link =
        space == std::string::npos ? std::nullopt : link_named(line.substr(space + 1));
    if (!link) return "there is no such link; ebb fabric status lists them";
    const auto objection = verb == "take-out" ? controller_.take_out(live_.now(), *link)
                           : verb == "put-back"
                               ? controller_.put_back(live_.now(), *link)
                               : std::optional<std::string>("take-out or put-back?");
    live_.give_orders();
    return objection.value_or("done");
  }

  [[nodiscard]] std::optional<topology::LinkId> link_named(const std::string& name) const {
    for (std::uint32_t link = 0; link < description_.graph.link_count(); ++link) {
      if (link_name(description_.graph, topology::LinkId{link}) == name)
        return topology::LinkId{link};
    }
    return std::nullopt;
  }

  void look() {
    for (fabric::Entry& entry : controller_.take_journal()) {
      say(fmt::format("{} {}: {}", link_name(description_.graph, entry.link), to_text(entry.state),
                      entry.why));
      last_.push_front(std::move(entry));
    }
    if (last_.size() > kLastEntries) last_.resize(kLastEntries);
    watts_.pass(live_.now(), count(fabric::LinkState::asleep));
    say_when_whole();
    end_when_asked();
    loop_.after(kLookEvery, [this] { look(); });
  }

  void say_when_whole() {
    const bool whole = live_.is_whole();
    if (whole && !whole_) say("all switches are here, and cables run as described");
    whole_ = whole;
  }

  // What sleeps is woken before the controller goes, within a time.
  void end_when_asked() {
    const bool over =
        options_.seconds > 0 &&
        live_.now().time_since_epoch() >
            std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options_.seconds));
    if (!leaving_ && (over || interrupted())) {
      leaving_ = live_.now();
      controller_.retire(live_.now());
      live_.give_orders();
    }
    if (!leaving_) return;
    const bool awake = count(fabric::LinkState::asleep) + count(fabric::LinkState::draining) +
                           count(fabric::LinkState::waking) ==
                       0;
    if (awake || live_.now() - *leaving_ > kFarewell) loop_.stop();
  }

  [[nodiscard]] std::uint32_t count(fabric::LinkState state) const {
    std::uint32_t found = 0;
    for (std::uint32_t link = 0; link < description_.graph.link_count(); ++link)
      found += controller_.link(topology::LinkId{link}).state() == state ? 1 : 0;
    return found;
  }

  void write_status() {
    write_status_now();
    loop_.after(kStatusEvery, [this] { write_status(); });
  }

  void write_status_now() {
    const std::string path = options_.state.controller(file_.name) + "/status.json";
    {
      std::ofstream file(path + ".new");
      if (!file) return give_up();
      file << status_json({file_.name, made_.name, description_, controller_, live_, sleepers_,
                           watts_, last_})
                  .dump(2)
           << '\n';
    }
    std::error_code ignored;
    std::filesystem::rename(path + ".new", path, ignored);
  }

  // The folder goes with the fabric.
  void give_up() {
    say("the fabric has been taken down");
    loop_.stop();
  }

  const FabricRunOptions& options_;
  const config::FabricFile& file_;
  drivers::Description description_;
  fabric::Reach reach_;
  fabric::Sleepers sleepers_;
  std::ofstream transcript_;
  policy::Made made_;
  std::unique_ptr<policy::Recorder> recorder_;
  fabric::Watts watts_;
  fabric::Controller controller_;
  transport::Loop loop_;
  drivers::LiveFabric live_;
  std::vector<transport::Listener> doors_;
  std::unique_ptr<ControlSocket> control_;
  std::deque<fabric::Entry> last_;
  std::optional<TimePoint> leaving_;
  bool whole_ = false;
};

}  // namespace

ExitCode run_fabric(const FabricRunOptions& options) {
  const auto file = config::read_fabric(options.file);
  if (!file) return refuse(file.error());
  if (const auto found = testbed::find_fabric(file->name, options.state); !found)
    return refuse(found.error());
  auto description = describe(*file);
  if (!description) return refuse(description.error());
  const auto port = port_watts(*file);
  if (!port) return refuse(port.error());
  auto made = policy::make_policy(file->policy.name, file->policy.parameters);
  if (!made) return refuse(made.error());
  if (made->policy->wants_ways()) {
    return refuse(
        {{fmt::format("'{}' needs to know all ways of packets, which live tables do not "
                      "tell; take stages or consolidate",
                      made->name)}});
  }
  notice_interrupts();
  Session session(options, *file, std::move(*description), *port, std::move(*made));
  if (const Errors closed = session.listen(); !closed.empty()) return failed_outside(closed);
  session.run();
  return ExitCode::done;
}

}  // namespace ebb::cli
