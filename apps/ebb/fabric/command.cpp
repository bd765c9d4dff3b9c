// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "fabric/run.hpp"
#include "fabric/verbs.hpp"

#include <memory>
#include <string>

namespace ebb::cli {
namespace {

void add_check(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<FabricCheckOptions>();
  CLI::App* verb =
      parent.add_subcommand("check", "Whether a fabric file can be run; needs no switches");
  verb->callback([options, &code] { code = check_fabric(*options); });
  verb->add_option("file", options->file, "A fabric file")->required();
  verb->add_option("--ports", options->ports, "As it will be run; with --devices");
  verb->add_option("--devices", options->devices, "As it will be run")->needs("--ports");
  verb->add_flag("--json", options->json, "For programs");
}

void add_doctor(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<FabricDoctorOptions>();
  CLI::App* verb =
      add_fabric_verb(parent, "doctor", "Whether this machine can have or control a fabric",
                      options, code, examine_fabric);
  verb->add_option("file", options->file, "A fabric file");
  verb->add_flag("--live", options->live, "Also bring up a small fabric, let a link sleep (root)")
      ->excludes(
          verb->add_option("--listen", options->listen,
                           "Look at a controller that listens there for switches elsewhere"));
  verb->add_option("--certificate", options->tls.certificate, "PEM, ours; with --listen ssl:");
  verb->add_option("--key", options->tls.key, "PEM, ours; with --listen ssl:");
  verb->add_option("--ca", options->tls.authority, "PEM, of whoever signs switches' certificates");
  verb->add_flag("--json", options->json, "For programs");
}

void add_remote_options(CLI::App& verb, runtime::RemoteListener& remote) {
  verb.add_option("--listen", remote.listen,
                  "Switches elsewhere connect here: tcp:ADDRESS:PORT or ssl:ADDRESS:PORT");
  verb.add_option("--certificate", remote.tls.certificate, "PEM, ours; with ssl:");
  verb.add_option("--key", remote.tls.key, "PEM, ours; with ssl:");
  verb.add_option("--ca", remote.tls.authority, "PEM, of whoever signs the switches' certificates");
  verb.add_flag("--other-machines", remote.other_machines,
                "Listen also where other machines reach it, as 0.0.0.0");
}

void add_record_options(CLI::App& verb, runtime::RunOptions& options) {
  verb.add_option("--metrics", options.metrics,
                  "Answer Prometheus there: ADDRESS:PORT, or a PORT of this machine alone");
  verb.add_option("--log", options.log, "Write what happens as lines of JSON; -: to stdout");
  verb.add_option("--audit", options.audit,
                  "Where orders and operators are written down (state folder)");
  verb.add_option("--history", options.history,
                  "Write links asleep, watts and utilisation each second, as CSV");
}

void add_run(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<runtime::RunOptions>();
  CLI::App* verb = add_fabric_verb(parent, "run", "Control a fabric that is up (root)", options,
                                   code, run_fabric);
  verb->add_option("file", options->file, "Its file")->required();
  verb->add_flag("--dry-run", options->dry_run,
                 "Read counters and say what would be done; change nothing");
  CLI::Option* transcript =
      verb->add_option("--transcript", options->transcript,
                       "Write what the policy saw and said, for ebb validate replay");
  verb->add_flag("--standby", options->standby,
                 "Wait while another controller leads, and lead when it is gone or hangs")
      ->excludes(transcript);
  verb->add_option("--seconds", options->seconds, "Stop after so long")->check(CLI::PositiveNumber);
  verb->add_option("--ports", options->ports,
                   "What puts ports to sleep and counts: openflow (the default), snmp, gnmi");
  verb->add_option("--devices", options->devices,
                   "Where switches elsewhere answer snmp or gnmi (YAML)");
  verb->add_flag("--modules", options->modules,
                 "Transceivers lose their power with their ports; --ports gnmi");
  add_record_options(*verb, *options);
  add_remote_options(*verb, options->remote);
}

void add_regulate(CLI::App& parent, ExitCode& code) {
  const auto options = std::make_shared<FabricRegulateOptions>();
  CLI::App* verb = add_fabric_verb(parent, "regulate",
                                   "VLAN trees with only the links that known traffic needs (root)",
                                   options, code, regulate_fabric);
  verb->add_option("file", options->file, "Its file")->required();
  CLI::Option* traffic = verb->add_option("--traffic", options->traffic,
                                          "Who sends how much to whom (CSV); none: all links open");
  verb->add_option("--peak", options->peak, "The most that a link may carry in a direction")
      ->needs(traffic);
  verb->add_flag("--slow", options->slow, "Also slow links that are the last of their bundle")
      ->needs(traffic);
  verb->add_flag("--dry-run", options->dry_run, "Say what would be open; needs no root");
  verb->add_flag("--json", options->json, "For programs");
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
  add_regulate(*parent, code);
  add_operator_verbs(*parent, code);
}

}  // namespace ebb::cli
