// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"
#include "fabric_control.hpp"
#include "fabric_run.hpp"
#include "fabric_status.hpp"
#include "interrupt.hpp"
#include "table.hpp"

#include "ebb/config/fabric_file.hpp"
#include "ebb/rules/address.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ebb::cli {
namespace {

using testbed::Layout;
using testbed::StateFolder;

struct Options {
  std::string file;  // for `down` also a name
  std::string state = StateFolder{}.path;
  bool dry_run = false;
  bool static_neighbours = false;
  std::string node;
  std::string fabric;
  std::vector<std::string> command;
  std::string link;
  std::string transcript;
  double seconds = 0;
  bool json = false;
  bool watch = false;

  [[nodiscard]] StateFolder state_folder() const {
    return {std::filesystem::absolute(state).lexically_normal().string()};
  }
};

// 10.x.y.z, where x.y.z are the low bits of the MAC: whoever knows one knows the other, so switches
// can answer ARP by arithmetic.
testbed::HostAddress address_of(const rules::AddressPlan& plan, std::uint32_t host) {
  constexpr std::uint32_t kTen = 10U << 24U;
  constexpr std::uint32_t kLow = 0x00ffffff;
  const rules::Address address = plan.of_host(host);
  return {static_cast<std::uint64_t>(rules::mac_of(address)),
          kTen | (static_cast<std::uint32_t>(address) & kLow)};
}

Result<Layout> layout_of(const std::string& path) {
  constexpr int kMostBits = 24;
  auto file = config::read_fabric(path);
  if (!file) return fail(file.error());
  const auto plan = rules::AddressPlan::make(file->graph);
  if (!plan) return fail(plan.error());
  if (plan->bits() > kMostBits) {
    return fail(
        fmt::format("addresses of {} bits; a test fabric has at most {}", plan->bits(), kMostBits),
        {path});
  }
  std::vector<testbed::HostAddress> addresses;
  for (std::uint32_t host = 0; host < file->graph.host_count(); ++host)
    addresses.push_back(address_of(*plan, host));
  return testbed::lay_out(file->name, file->graph, std::move(addresses));
}

std::string size_text(std::size_t switches, std::size_t hosts, std::size_t links) {
  return fmt::format("{} switches, {} hosts, {} links", switches, hosts, links);
}

std::string size_text(const Layout& layout) {
  return size_text(layout.switches, layout.hosts(), layout.cables.size());
}

std::string ipv4_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24U, address >> 16U & 0xffU, address >> 8U & 0xffU,
                     address & 0xffU);
}

// Where the cable of a host ends: "s3 p2".
std::string switch_port_of(const Layout& layout, std::size_t host) {
  for (const testbed::Cable& cable : layout.cables) {
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      const testbed::Node& node = layout.nodes[far.node];
      if (near.node == layout.switches + host)
        return fmt::format("{} {}", node.name, node.ports[far.port].name);
    }
  }
  return "";
}

ExitCode show(const Layout& layout) {
  Table table({{"host"}, {"namespace"}, {"port"}, {"MAC"}, {"address"}, {"rate"}});
  for (std::size_t host = 0; host < layout.hosts(); ++host) {
    const testbed::Node& node = layout.nodes[layout.switches + host];
    const testbed::HostAddress& address = layout.addresses[host];
    table.add({node.name, node.space, switch_port_of(layout, host),
               rules::to_text(rules::Mac{address.mac}), ipv4_text(address.ipv4),
               to_text(node.ports[0].rate)});
  }
  fmt::print("fabric {}: {}\n\n{}", layout.name, size_text(layout), table.text());
  return ExitCode::done;
}

ExitCode up(const Options& options) {
  const auto layout = layout_of(options.file);
  if (!layout) return refuse(layout.error());
  if (options.dry_run) return show(*layout);
  const StateFolder state = options.state_folder();
  notice_interrupts();
  const auto made = testbed::bring_up(*layout, {state, options.static_neighbours});
  if (interrupted()) {
    if (made) static_cast<void>(testbed::take_down(layout->name, state));
    end_interrupted();
  }
  if (!made) return failed_outside(made.error());
  fmt::print("fabric {} is up: {}\n", layout->name, size_text(*layout));
  fmt::print("switch s0: OpenFlow at {0}/br0.mgmt, its controller at {0}/br0.controller\n",
             state.box(layout->name, 0));
  return ExitCode::done;
}

ExitCode down(const Options& options) {
  std::string name = options.file;
  if (!testbed::is_fabric_name(name)) {
    const auto file = config::read_fabric(options.file);
    if (!file) return refuse(file.error());
    name = file->name;
  }
  const StateFolder state = options.state_folder();
  if (const auto found = testbed::find_fabric(name, state); !found) return refuse(found.error());
  if (const auto gone = testbed::take_down(name, state); !gone) return failed_outside(gone.error());
  fmt::print("fabric {} is down\n", name);
  return ExitCode::done;
}

ExitCode list(const Options& options) {
  const auto fabrics = testbed::standing_fabrics(options.state_folder());
  constexpr auto kRight = Table::Align::right;
  Table table({{"fabric"}, {"switches", kRight}, {"hosts", kRight}, {"links", kRight}, {"state"}});
  for (const testbed::Standing& fabric : fabrics) {
    table.add({fabric.name, std::to_string(fabric.switches), std::to_string(fabric.hosts),
               std::to_string(fabric.links), fabric.whole ? "up" : "broken"});
  }
  fmt::print("{}", fabrics.empty() ? "no fabric is up\n" : table.text());
  return ExitCode::done;
}

// The one that was named, else the only one.
Result<std::string> fabric_named(const std::string& name, const StateFolder& state) {
  if (!name.empty()) {
    if (auto found = testbed::find_fabric(name, state); !found) return fail(found.error());
    return name;
  }
  const auto fabrics = testbed::standing_fabrics(state);
  if (fabrics.size() == 1) return fabrics[0].name;
  return fail(fabrics.empty() ? "no fabric is up" : "several fabrics are up: say --fabric NAME");
}

ExitCode execute(const Options& options) {
  const StateFolder state = options.state_folder();
  const auto name = fabric_named(options.fabric, state);
  if (!name) return refuse(name.error());
  const auto manifest = testbed::read_manifest(*name, state);
  if (!manifest) return failed_outside(manifest.error());
  const auto member = manifest->find(options.node);
  if (!member) return refuse(member.error());
  if (auto moved = testbed::move_into(*manifest, state, *member); !moved)
    return failed_outside(moved.error());
  std::vector<std::string> words = options.command;
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  return failed_outside({{fmt::format("cannot run {}: {}", words[0], std::strerror(errno)), {}}});
}

ExitCode run(const Options& options) {
  return run_fabric(
      {options.file, options.state_folder(), options.dry_run, options.transcript, options.seconds});
}

ExitCode ask(const Options& options, const std::string& verb) {
  const StateFolder state = options.state_folder();
  const auto name = fabric_named(options.fabric, state);
  if (!name) return refuse(name.error());
  const auto answer = ask_controller(state.control(*name), verb + " " + options.link);
  if (!answer) return failed_outside(answer.error());
  if (*answer == "done") return ExitCode::done;
  fmt::print(stderr, "error: {}: {}\n", options.link, *answer);
  return ExitCode::not_met;
}

Result<nlohmann::ordered_json> read_status(const std::string& name, const StateFolder& state) {
  std::ifstream file(state.controller(name) + "/status.json");
  auto status = nlohmann::ordered_json::parse(file, nullptr, false);
  if (status.is_discarded())
    return fail(fmt::format("no controller has run on fabric {}: ebb fabric run FILE", name));
  return status;
}

ExitCode print_status(const Options& options) {
  const StateFolder state = options.state_folder();
  const auto name = fabric_named(options.fabric, state);
  if (!name) return refuse(name.error());
  notice_interrupts();
  do {
    const auto status = read_status(*name, state);
    if (!status) return refuse(status.error());
    // From the upper left corner, and nothing left below.
    if (options.watch) fmt::print("\x1b[H\x1b[J");
    fmt::print("{}", options.json ? status->dump(2) + "\n" : status_text(*status));
    std::fflush(stdout);
    for (int tenth = 0; options.watch && tenth < 10 && !interrupted(); ++tenth)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (options.watch && !interrupted());
  return ExitCode::done;
}

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::shared_ptr<Options>& options, ExitCode& code,
                   const std::function<ExitCode(const Options&)>& run) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->callback([options, &code, run] { code = run(*options); });
  verb->add_option("--state", options->state, "Folder of fabrics (" + options->state + ")");
  return verb;
}

}  // namespace

void add_fabric_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* parent =
      app.add_subcommand("fabric", "Test fabrics of real software switches on this machine");
  parent->require_subcommand(1);
  CLI::App* made = add_verb(*parent, "up", "Bring a fabric up (root)", options, code, up);
  made->add_option("file", options->file, "A fabric file")->required();
  made->add_flag("--dry-run", options->dry_run, "Say what would be made; needs no root");
  made->add_flag("--static-neighbours", options->static_neighbours,
                 "Hosts know each other's addresses: nobody has to answer ARP");
  CLI::App* controlled =
      add_verb(*parent, "run", "Control a fabric that is up (root)", options, code, run);
  controlled->add_option("file", options->file, "Its file")->required();
  controlled->add_flag("--dry-run", options->dry_run,
                       "Read counters and say what would be done; change nothing");
  controlled->add_option("--transcript", options->transcript,
                         "Write what the policy saw and said, for ebb validate replay");
  controlled->add_option("--seconds", options->seconds, "Stop after so long")
      ->check(CLI::PositiveNumber);
  CLI::App* told = add_verb(*parent, "status", "Links, their states, watts, what was done and why",
                            options, code, print_status);
  told->add_option("--fabric", options->fabric, "Which fabric, when there are several");
  told->add_flag("--json", options->json, "As the controller wrote it");
  told->add_flag("--watch", options->watch, "Again every second, until Ctrl-C");
  for (const auto& [verb, help] :
       {std::pair("take-out", "Let a link sleep for maintenance, if everyone is still reached"),
        std::pair("put-back", "Wake a link that was taken out")}) {
    CLI::App* asked =
        add_verb(*parent, verb, help, options, code,
                 [name = std::string(verb)](const Options& all) { return ask(all, name); });
    asked->add_option("link", options->link, "As ebb fabric status names it: s0-s1")->required();
    asked->add_option("--fabric", options->fabric, "Which fabric, when there are several");
  }
  CLI::App* removed = add_verb(*parent, "down", "Take a fabric down, also a half-made one (root)",
                               options, code, down);
  removed->add_option("fabric", options->file, "Its name, or the file")->required();
  add_verb(*parent, "list", "Fabrics of this machine", options, code, list);
  CLI::App* run =
      add_verb(*parent, "exec", "Run a program on a host or switch (root)", options, code, execute);
  run->add_option("node", options->node, "A host or switch, as h0")->required();
  run->add_option("command", options->command, "-- PROGRAM ARGUMENT ...")->required();
  run->add_option("--fabric", options->fabric, "Which fabric, when there are several");
}

}  // namespace ebb::cli
