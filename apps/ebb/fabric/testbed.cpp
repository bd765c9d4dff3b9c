// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"
#include "command_line/text.hpp"
#include "fabric/verbs.hpp"

#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/runtime/preflight.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace ebb::cli {
namespace {

using testbed::Layout;
using testbed::StateFolder;

struct UpOptions {
  std::string file;
  StateFolder state;
  bool dry_run = false;
  bool static_neighbours = false;
  bool agents = false;
  bool snmp = false;
  bool gnmi = false;
  bool json = false;
};

struct FabricOptions {
  std::string fabric;  // for `down` a name or a file
  StateFolder state;
};

struct ExecOptions {
  std::string fabric;
  StateFolder state;
  std::string node;
  std::vector<std::string> command;
};

std::string size_text(std::size_t switches, std::size_t hosts, std::size_t links) {
  return fmt::format("{} switches, {} hosts, {} links", switches, hosts, links);
}

std::string size_text(const Layout& layout) {
  return size_text(layout.switches, layout.hosts(), layout.cables.size());
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
               forwarding::to_text(forwarding::Mac{address.mac}), runtime::ipv4_text(address.ipv4),
               to_text(node.ports[0].rate)});
  }
  fmt::print("fabric {}: {}\n\n{}", layout.name, size_text(layout), table.text());
  return ExitCode::done;
}

ExitCode up(const UpOptions& options) {
  const auto layout = runtime::layout_of(options.file);
  if (!layout) return refuse(layout.error());
  if (options.json) {
    fmt::print("{}\n", runtime::layout_json(*layout).dump(2));
    return ExitCode::done;
  }
  if (options.dry_run) return show(*layout);
  const StateFolder& state = options.state;
  notice_interrupts();
  std::string agent;
  if (options.agents) {
    const auto found = runtime::agent_program();
    if (!found) return failed_outside(found.error());
    agent = *found;
  }
  const auto made = testbed::bring_up(
      *layout, {state, options.static_neighbours, agent, options.snmp, options.gnmi});
  if (interrupted()) {
    if (made) static_cast<void>(testbed::take_down(layout->name, state));
    end_interrupted();
  }
  if (!made) return failed_outside(made.error());
  fmt::print("fabric {} is up: {}\n", layout->name, size_text(*layout));
  fmt::print("switch s0: OpenFlow at {0}/br0.mgmt, its controller at {0}/br0.controller\n",
             state.device(layout->name, 0));
  return ExitCode::done;
}

ExitCode down(const FabricOptions& options) {
  std::string name = options.fabric;
  if (!testbed::is_fabric_name(name)) {
    const auto file = fabric_config::read_fabric(options.fabric);
    if (!file) return refuse(file.error());
    name = file->name;
  }
  const StateFolder& state = options.state;
  if (const auto found = testbed::find_fabric(name, state); !found) return refuse(found.error());
  runtime::dismiss_controller(state.control(name));
  if (const auto gone = testbed::take_down(name, state); !gone) return failed_outside(gone.error());
  fmt::print("fabric {} is down\n", name);
  return ExitCode::done;
}

ExitCode list(const FabricOptions& options) {
  const auto fabrics = testbed::standing_fabrics(options.state);
  constexpr auto kRight = Table::Align::right;
  Table table({{"fabric"}, {"switches", kRight}, {"hosts", kRight}, {"links", kRight}, {"state"}});
  for (const testbed::Standing& fabric : fabrics) {
    table.add({fabric.name, std::to_string(fabric.switches), std::to_string(fabric.hosts),
               std::to_string(fabric.links), fabric.whole ? "up" : "broken"});
  }
  fmt::print("{}", fabrics.empty() ? "no fabric is up\n" : table.text());
  return ExitCode::done;
}

ExitCode execute(const ExecOptions& options) {
  const StateFolder& state = options.state;
  const auto name = runtime::fabric_named(options.fabric, state);
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

void add_up(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<UpOptions>();
  CLI::App* verb = add_fabric_verb(parent, "up", "Bring a fabric up (root)", options, code, up);
  verb->add_option("file", options->file, "A fabric file")->type_name("FILE")->required();
  verb->add_flag("--dry-run", options->dry_run, "Say what would be made; needs no root");
  verb->add_flag("--json", options->json, "With --dry-run: for programs, with all cables")
      ->needs("--dry-run");
  verb->add_flag("--static-neighbours", options->static_neighbours,
                 "Hosts know each other's addresses: nobody has to answer ARP");
  verb->add_flag("--agents", options->agents,
                 "An agent beside each switch: frames take the detour while a queue is long");
  verb->add_flag("--snmp", options->snmp, "Each switch has SNMP agents, for run --ports snmp");
  verb->add_flag("--gnmi", options->gnmi, "Each switch has a gNMI target, for run --ports gnmi");
}

}  // namespace

void add_testbed_verbs(CLI::App& parent, ExitCode& code) {
  add_up(parent, code);
  const auto taken = std::make_shared<FabricOptions>();
  add_fabric_verb(parent, "down", "Take a fabric down, also a half-made one (root)", taken, code,
                  down)
      ->add_option("fabric", taken->fabric, "Its name, or the file")
      ->required();
  add_fabric_verb(parent, "list", "Fabrics of this machine", std::make_shared<FabricOptions>(),
                  code, list);
  const auto inside = std::make_shared<ExecOptions>();
  CLI::App* verb = add_fabric_verb(parent, "exec", "Run a program on a host or switch (root)",
                                   inside, code, execute);
  verb->add_option("node", inside->node, "A host or switch, as h0")->required();
  verb->add_option("command", inside->command, "-- PROGRAM ARGUMENT ...")->required();
  verb->add_option("--fabric", inside->fabric, "Which fabric, when there are several");
}

}  // namespace ebb::cli
