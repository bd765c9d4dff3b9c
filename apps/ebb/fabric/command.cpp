// SPDX-License-Identifier: Apache-2.0
//
// run, check, regulate, timeline and doctor: each takes options, prints what the runtime gives, and
// returns an exit code.
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "fabric/verbs.hpp"

#include "ebb/runtime/audit_timeline.hpp"
#include "ebb/runtime/check.hpp"
#include "ebb/runtime/preflight.hpp"
#include "ebb/runtime/regulate.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace ebb::cli {
namespace {

Result<power::Library> shipped_parts() { return load_parts({}); }

ExitCode run_fabric(const runtime::RunOptions& given) {
  runtime::RunOptions options = given;
  if (options.persist.empty()) options.persist = runtime::default_persist(options);
  notice_interrupts();
  notice_hangups();
  // Lines for programs are not mixed with lines for people.
  std::FILE* people = options.log == "-" ? stderr : stdout;
  const runtime::RunEnd end =
      runtime::run_controller(options, {.load_parts = shipped_parts,
                                        .stop_requested = interrupted,
                                        .reload_requested = hung_up,
                                        .say = [people](TimePoint at, const std::string& line) {
                                          fmt::print(people, "{}", runtime::timed_line(at, line));
                                          std::fflush(people);
                                        }});
  switch (end.kind) {
    case runtime::RunEnd::Kind::bad_input:
      return refuse(end.errors);
    case runtime::RunEnd::Kind::outside:
      return failed_outside(end.errors);
    case runtime::RunEnd::Kind::done:
      break;
  }
  return ExitCode::done;
}

// A service gives `wake` all that it gives `run`. Nobody waits for another controller to end here,
// and a history or a transcript would replace that of the controller which has failed.
ExitCode wake_fabric(const runtime::RunOptions& given) {
  runtime::RunOptions options = given;
  options.wake = true;
  options.standby = false;
  options.history.clear();
  options.transcript.clear();
  return run_fabric(options);
}

struct FabricCheckOptions : runtime::CheckOptions {
  bool json = false;
};

// done: it can be run; not_met: its tables do not hold; bad_input: it has mistakes, all printed.
ExitCode check_fabric(const FabricCheckOptions& options) {
  const auto check = runtime::check_fabric(options, shipped_parts);
  if (!check) return refuse(check.error());
  if (!check->flaws.empty()) {
    fmt::print(stderr, "{}", to_string(check->flaws));
    return ExitCode::not_met;
  }
  fmt::print("{}", options.json ? check->report.dump(2) + "\n" : check_text(check->report));
  return ExitCode::done;
}

struct FabricRegulateOptions : runtime::RegulateOptions {
  testbed::StateFolder state;
  bool dry_run = false;
  bool json = false;
};

ExitCode regulate_fabric(const FabricRegulateOptions& options) {
  const auto plan = runtime::plan_regulation(options, shipped_parts);
  if (!plan) return refuse(plan.error());
  std::optional<drivers::ReconfigurationCounts> moved;
  if (!options.dry_run) {
    if (const auto found = testbed::find_fabric(plan->file.name, options.state); !found)
      return refuse(found.error());
    const auto done = runtime::carry_out_regulation(*plan, options.state);
    if (!done) return failed_outside(done.error());
    moved = *done;
  }
  const auto report = runtime::regulation_json(*plan, moved);
  fmt::print("{}", options.json ? report.dump(2) + "\n" : regulation_text(report));
  return ExitCode::done;
}

ExitCode write_timeline(const runtime::AuditTimelineOptions& options) {
  if (const auto form = timeline::form_of(options.output); !form) return refuse(form.error());
  const auto written = runtime::write_audit_timeline(options, shipped_parts);
  if (!written) return refuse(written.error());
  for (const Error& repair : written->repairs) {
    const Location& where = repair.where;
    fmt::print(stderr, "{}{}: repaired: {}\n", where.file,
               where.line > 0 ? fmt::format(":{}", where.line) : "", repair.message);
  }
  fmt::print("{}: {} lines of the audit trail\n", options.output, written->lines);
  return ExitCode::done;
}

struct FabricDoctorOptions : runtime::PreflightOptions {
  bool json = false;
};

// done: nothing failed; not_met: something did.
ExitCode examine_fabric(const FabricDoctorOptions& options) {
  if (options.live) notice_interrupts();
  const auto results = runtime::examine(options, interrupted);
  if (!results) return refuse(results.error());
  if (interrupted()) end_interrupted();
  fmt::print("{}", options.json ? results_json(*results).dump(2) + "\n" : results_text(*results));
  return runtime::any_failed(*results) ? ExitCode::not_met : ExitCode::done;
}

// ---- options

void add_check(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<FabricCheckOptions>();
  CLI::App* verb =
      parent.add_subcommand("check", "Whether a fabric file can be run; needs no switches");
  verb->callback([options, &code] { code = check_fabric(*options); });
  verb->add_option("file", options->file, "A fabric file")->type_name("FILE")->required();
  verb->add_option("--ports", options->ports, "As it will be run; with --devices")
      ->type_name("{openflow,snmp,gnmi}");
  verb->add_option("--devices", options->devices, "As it will be run")
      ->type_name("FILE")
      ->needs("--ports");
  verb->add_flag("--json", options->json, "For programs");
}

void add_doctor(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<FabricDoctorOptions>();
  CLI::App* verb =
      add_fabric_verb(parent, "doctor", "Whether this machine can have or control a fabric",
                      options, code, examine_fabric);
  verb->add_option("file", options->file, "A fabric file")->type_name("FILE");
  verb->add_flag("--live", options->live, "Also bring up a small fabric, let a link sleep (root)")
      ->excludes(verb->add_option("--listen", options->listen,
                                  "Look at a controller that listens there for switches elsewhere")
                     ->type_name("ADDRESS"));
  verb->add_option("--certificate", options->tls.certificate, "PEM, ours; with --listen ssl:")
      ->type_name("FILE");
  verb->add_option("--key", options->tls.key, "PEM, ours; with --listen ssl:")->type_name("FILE");
  verb->add_option("--ca", options->tls.authority, "PEM, of whoever signs switches' certificates")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "For programs");
}

void add_remote_options(CLI::App& verb, runtime::RemoteListener& remote) {
  verb.add_option("--listen", remote.listen,
                  "Switches elsewhere connect here: tcp:ADDRESS:PORT or ssl:ADDRESS:PORT")
      ->type_name("ADDRESS");
  verb.add_option("--certificate", remote.tls.certificate, "PEM, ours; with ssl:")
      ->type_name("FILE");
  verb.add_option("--key", remote.tls.key, "PEM, ours; with ssl:")->type_name("FILE");
  verb.add_option("--ca", remote.tls.authority, "PEM, of whoever signs the switches' certificates")
      ->type_name("FILE");
  verb.add_option("--crl", remote.tls.revoked,
                  "PEM, list of switches' certificates that were revoked; with ssl:")
      ->type_name("FILE");
  verb.add_flag("--other-machines", remote.other_machines,
                "Listen also where other machines reach it, as 0.0.0.0");
  verb.add_flag("--insecure", remote.insecure,
                "Also speak to other machines by plain OpenFlow and gNMI and by SNMP 2c");
}

void add_record_options(CLI::App& verb, runtime::RunOptions& options) {
  verb.add_option("--metrics", options.metrics,
                  "Answer Prometheus there: ADDRESS:PORT, or a PORT of this machine alone")
      ->type_name("ADDRESS");
  verb.add_option("--log", options.log, "Write what happens as lines of JSON; -: to stdout")
      ->type_name("FILE");
  verb.add_option("--audit", options.audit,
                  "Where orders and operators are written down (state folder)")
      ->type_name("FILE");
  verb.add_option("--history", options.history,
                  "Write links asleep, watts and utilisation each second, as CSV")
      ->type_name("FILE");
}

// `run` and `wake` take the same options, so that a service gives both the same.
CLI::App* add_run_verb(CLI::App& parent, ExitCode& code, const std::string& name,
                       const std::string& help, const std::shared_ptr<runtime::RunOptions>& options,
                       ExitCode (*run)(const runtime::RunOptions&)) {
  CLI::App* verb = add_fabric_verb(parent, name, help, options, code, run);
  verb->add_option("file", options->file, "Its file")->type_name("FILE")->required();
  verb->add_flag("--adopt", options->adopt,
                 "Take over switches that hold rules that are not ebb's, and remove these");
  verb->add_option("--transcript", options->transcript,
                   "Write what the policy saw and said, for ebb validate replay")
      ->type_name("FILE");
  verb->add_flag("--standby", options->standby,
                 "Wait while another controller leads, and lead when it is gone or hangs");
  verb->add_option("--persist", options->persist,
                   "Folder that outlives a reboot: which links are drained (/var/lib/ebb for root)")
      ->type_name("FOLDER");
  verb->add_option("--operators", options->operators, "Group that may also drain and undrain")
      ->type_name("GROUP");
  verb->add_option("--readers", options->readers, "Group that may ask for status and explain")
      ->type_name("GROUP");
  verb->add_option("--seconds", options->seconds, "Stop after so long")->check(CLI::PositiveNumber);
  verb->add_option("--ports", options->ports,
                   "What puts ports to sleep and counts: openflow (the default), snmp, gnmi")
      ->type_name("{openflow,snmp,gnmi}");
  verb->add_option("--devices", options->devices,
                   "Where switches elsewhere answer snmp or gnmi (YAML)")
      ->type_name("FILE");
  verb->add_flag("--modules", options->modules,
                 "Transceivers lose their power with their ports; --ports gnmi");
  add_record_options(*verb, *options);
  add_remote_options(*verb, options->remote);
  return verb;
}

void add_run(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<runtime::RunOptions>();
  add_run_verb(parent, code, "run", "Control a fabric that is up (root)", options, run_fabric)
      ->add_flag("--dry-run", options->dry_run,
                 "Read counters and say what would be done; change nothing");
}

void add_wake(CLI::App& parent, ExitCode& code) {
  constexpr double kLimit = 60;  // for switches to come
  const auto options = std::make_shared<runtime::RunOptions>();
  options->seconds = kLimit;
  add_run_verb(parent, code, "wake",
               "Wake every link that a controller left asleep, and end; not those drained", options,
               wake_fabric);
}

void add_regulate(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<FabricRegulateOptions>();
  CLI::App* verb = add_fabric_verb(parent, "regulate",
                                   "VLAN trees with only the links that known traffic needs (root)",
                                   options, code, regulate_fabric);
  verb->add_option("file", options->file, "Its file")->type_name("FILE")->required();
  CLI::Option* traffic = verb->add_option("--traffic", options->traffic,
                                          "Who sends how much to whom (CSV); none: all links open")
                             ->type_name("FILE");
  verb->add_option("--peak", options->peak, "The most that a link may carry in a direction")
      ->needs(traffic);
  verb->add_flag("--slow", options->slow, "Also slow links that are the last of their bundle")
      ->needs(traffic);
  verb->add_flag("--dry-run", options->dry_run, "Say what would be open; needs no root");
  verb->add_flag("--json", options->json, "For programs");
}

void add_timeline(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<runtime::AuditTimelineOptions>();
  CLI::App* verb = parent.add_subcommand(
      "timeline", "An audit trail as a timeline of links and watts, for trace viewers");
  verb->callback([options, &code] { code = write_timeline(*options); });
  verb->add_option("file", options->file, "The fabric file")->type_name("FILE")->required();
  verb->add_option("audit", options->audit, "An audit trail; AUDIT.1 is read before it")
      ->type_name("AUDIT")
      ->required();
  verb->add_option("-o,--output", options->output, "The file to write: .pftrace or .json")
      ->type_name("FILE")
      ->required();
}

}  // namespace

void add_fabric_command(CLI::App& app, ExitCode& code) {
  CLI::App* parent =
      app.add_subcommand("fabric", "Test fabrics of real software switches on this machine");
  parent->require_subcommand(1);
  add_testbed_verbs(*parent, code);
  add_check(*parent, code);
  add_doctor(*parent, code);
  add_run(*parent, code);
  add_wake(*parent, code);
  add_regulate(*parent, code);
  add_timeline(*parent, code);
  add_operator_verbs(*parent, code);
  add_drain_costs_verb(*parent, code);
}

}  // namespace ebb::cli
