// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"
#include "fabric/verbs.hpp"

#include "ebb/monitor/audit_chain.hpp"
#include "ebb/monitor/energy_objects.hpp"
#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/runtime/status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ebb::cli {
namespace {

using testbed::StateFolder;

struct LinkOptions {
  std::string link;
  std::vector<std::string> names;  // of a link, or of switches
  std::string fabric;
  StateFolder state;
  bool json = false;
};

struct StatusOptions {
  std::string fabric;
  StateFolder state;
  bool json = false;
  bool green = false;
  bool watch = false;
};

ExitCode ask(const LinkOptions& options, const std::string& verb) {
  const StateFolder& state = options.state;
  const auto name = runtime::fabric_named(options.fabric, state);
  if (!name) return refuse(name.error());
  const std::string names = fmt::to_string(fmt::join(options.names, " "));
  const auto answer =
      runtime::ask_for_role(state, *name, runtime::Role::operate, verb + " " + names);
  if (!answer) return failed_outside(answer.error());
  if (*answer == "done") return ExitCode::done;
  fmt::print(stderr, "error: {}: {}\n", names, *answer);
  return ExitCode::not_met;
}

ExitCode explain(const LinkOptions& options) {
  const StateFolder& state = options.state;
  const auto name = runtime::fabric_named(options.fabric, state);
  if (!name) return refuse(name.error());
  const auto answer =
      runtime::ask_for_role(state, *name, runtime::Role::read, "explain " + options.link);
  if (!answer) return failed_outside(answer.error());
  const auto explanation = nlohmann::ordered_json::parse(*answer, nullptr, false);
  if (explanation.is_discarded()) return refuse({{options.link + ": " + *answer, {}}});
  fmt::print("{}", options.json ? explanation.dump(2) + "\n" : explain_text(explanation));
  return ExitCode::done;
}

Result<std::string> status_shown(const StatusOptions& options,
                                 const nlohmann::ordered_json& status) {
  if (options.json) return status.dump(2) + "\n";
  if (!options.green) return status_text(status);
  const auto objects = runtime::energy_objects(status);
  if (!objects) return fail(objects.error());
  return monitor::energy_objects_text(*objects);
}

ExitCode print_status(const StatusOptions& options) {
  const StateFolder& state = options.state;
  const auto name = runtime::fabric_named(options.fabric, state);
  if (!name) return refuse(name.error());
  notice_interrupts();
  std::optional<std::string> late;
  do {
    const auto status = runtime::read_status(*name, state);
    if (!status) return refuse(status.error());
    late = runtime::out_of_date(*status);
    // From the upper left corner, and nothing left below.
    const auto shown = status_shown(options, *status);
    if (!shown) return refuse(shown.error());
    if (options.watch) fmt::print("\x1b[H\x1b[J");
    fmt::print("{}", *shown);
    std::fflush(stdout);
    for (int tenth = 0; options.watch && tenth < 10 && !interrupted(); ++tenth)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } while (options.watch && !interrupted());
  // The text begins with it.
  if (late && (options.json || options.green)) return failed_outside({{*late, {}}});
  return late ? ExitCode::outside : ExitCode::done;
}

struct AuditOptions {
  std::string file;
  std::string head;
};

// done: the chain is whole; not_met: it is not.
ExitCode check_audit(const AuditOptions& options) {
  const auto found = monitor::check_chain(options.file, options.head);
  if (!found) return refuse(found.error());
  for (const std::string& problem : found->problems) fmt::print(stderr, "error: {}\n", problem);
  const bool lacks_noted = !options.head.empty() && !found->found_noted;
  if (lacks_noted) fmt::print(stderr, "error: no line has the hash {}\n", options.head);
  if (found->unchained > 0)
    fmt::print("{} lines are of a version without a chain\n", found->unchained);
  if (!found->from_the_beginning && found->unchained == 0)
    fmt::print("older lines are not there; the first one that is cannot be checked\n");
  const bool whole = found->problems.empty() && !lacks_noted;
  fmt::print("{} lines, {}; head {}\n", found->lines, whole ? "the chain is whole" : "BROKEN",
             found->head);
  return whole ? ExitCode::done : ExitCode::not_met;
}

void add_audit(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<AuditOptions>();
  CLI::App* verb = parent.add_subcommand("audit", "Whether an audit trail is as it was written");
  verb->callback([options, &code] { code = check_audit(*options); });
  verb->add_option("file", options->file, "An audit trail; FILE.1 is read before it")
      ->type_name("FILE")
      ->required();
  verb->add_option("--head", options->head, "A hash that was noted earlier: it must be there");
}

void add_status(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<StatusOptions>();
  CLI::App* verb =
      add_fabric_verb(parent, "status", "Links, their states, watts, what was done and why",
                      options, code, print_status);
  verb->add_option("--fabric", options->fabric, "Which fabric, when there are several");
  CLI::Option* json = verb->add_flag("--json", options->json, "As the controller wrote it");
  verb->add_flag("--watch", options->watch, "Again every second, until Ctrl-C")
      ->excludes(verb->add_flag("--green", options->green,
                                "Watts and energy in the IETF's model ietf-power-and-energy (JSON)")
                     ->excludes(json));
}

void add_explain(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<LinkOptions>();
  CLI::App* verb = add_fabric_verb(
      parent, "explain", "Why a link or switch is asleep or awake, and what would change it",
      options, code, explain);
  verb->add_option("link", options->link, "As ebb fabric status names it: s0-s1; or a switch")
      ->required();
  verb->add_option("--fabric", options->fabric, "Which fabric, when there are several");
  verb->add_flag("--json", options->json, "For programs");
}

void add_drain_verb(CLI::App& parent, const std::string& name, const std::string& help,
                    ExitCode& code) {
  const auto options = std::make_shared<LinkOptions>();
  CLI::App* verb = add_fabric_verb(parent, name, help, options, code,
                                   [name](const LinkOptions& asked) { return ask(asked, name); });
  verb->add_option("names", options->names, "A link, s0-s1, or switches, s4 s5")
      ->type_name("NAME")
      ->required();
  verb->add_option("--fabric", options->fabric, "Which fabric, when there are several");
}

}  // namespace

void add_operator_verbs(CLI::App& parent, ExitCode& code) {
  add_status(parent, code);
  add_audit(parent, code);
  add_explain(parent, code);
  add_drain_verb(parent, "drain",
                 "Let a link, or whole switches, go out of use, if everyone is still reached",
                 code);
  add_drain_verb(parent, "undrain", "Take what was drained into use again", code);
}

}  // namespace ebb::cli
