// SPDX-License-Identifier: Apache-2.0
#include "command_line/help.hpp"

#include "command_line/command.hpp"
#include "command_line/text.hpp"
#include "shell_integration/option_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <string_view>

namespace ebb::cli {
namespace {

struct Example {
  std::string_view verb;
  std::string_view command;  // works in the source folder, in this order
};

struct Task {
  std::string_view title;
  std::vector<Example> examples;
};

const std::vector<Task>& tasks() {
  static const std::vector<Task> kTasks = {
      {"Design a network",
       {{"plan", "ebb plan --hosts 4096 --rate 40Gb/s --switch isca10-chip"},
        {"topo", "ebb topo info fat-tree ports=16 hosts=1024"},
        {"parts", "ebb parts list"},
        {"breakeven", "ebb breakeven --part eee-10gbase-t"}}},
      {"Simulate it",
       {{"sim", "ebb sim examples/sim-fbfly-epoch.yaml"},
        {"sweep", "ebb sweep examples/sweep-load.yaml --results runs.db"},
        {"traffic", "ebb traffic show search load=6%"},
        {"trace", "ebb trace info examples/program-ring-allreduce.goal"}}},
      {"Look at results",
       {{"results", "ebb results list runs.db"},
        {"plot", "ebb plot runs.db power-load -o power.svg"},
        {"report", "ebb report runs.db -o runs.html"}}},
      {"Control real switches",
       {{"fabric", "ebb fabric check examples/fabric-3x3.yaml"},
        {"replay", "ebb replay examples/fabric-3x3.yaml --counters examples/replay-day.csv"},
        {"rules", "ebb rules count leaf-spine ports=8 hosts=32"}}},
      {"Check, compare, look up",
       {{"validate", "ebb validate run littles-law"},
        {"repro", "ebb repro list"},
        {"list", "ebb list policies"}}}};
  return kTasks;
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (!shell::takes_value(*option) || !option->get_option_text().empty())
      return Formatter::make_option_opts(option);
    std::string text = " " + shell::value_text(*option);
    if (!option->get_default_str().empty()) text += "=" + option->get_default_str();
    if (shell::takes_many_values(*option)) text += " ...";
    if (option->get_required()) text += " (required)";
    return text;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return shell::description_text(*option);
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return with_headings(Formatter::make_help(app, std::move(name), mode));
  }

 private:
  // Lines like "Options:" stand out on a terminal.
  static std::string with_headings(const std::string& help) {
    if (!is_coloured(stdout)) return help;
    std::string text;
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = std::min(help.find('\n', at), help.size());
      const std::string line = help.substr(at, end - at);
      const bool heading = line.size() > 1 && line.back() == ':' && line.front() != ' ';
      text += (heading ? coloured(line, Colour::heading, stdout) : line) + "\n";
      at = end + 1;
    }
    return text;
  }
};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// One that begins with what was typed, or the other way round ("simulate"), before those that are
// spelled alike.
std::string unknown_verb(const CLI::App& parent, const std::string& typed) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : parent.get_subcommands({})) verbs.push_back(verb->get_name());
  const std::string word = lower_case(typed);
  for (const std::string& verb : verbs) {
    if (word.size() >= 2 && (word.starts_with(verb) || verb.starts_with(word)))
      return fmt::format("unknown command '{}'; did you mean '{}'?", typed, verb);
  }
  return unknown_name("command", typed, verbs);
}

const CLI::App* verb_named(const CLI::App& parent, const std::string& name) {
  for (const CLI::App* verb : parent.get_subcommands({})) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

std::string missing_verb(const CLI::App& parent) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : parent.get_subcommands({})) verbs.push_back(verb->get_name());
  return fmt::format("'{}' needs one of: {}", shell::command_of(parent), fmt::join(verbs, ", "));
}

// "--hosts" of "--hosts=8", "-o" of "-ofile".
std::string option_name(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

bool looks_like_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

std::string unknown_option(const CLI::App& verb, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
  }
  return fmt::format("{} ({} --help)", unknown_name("option", name, names),
                     shell::command_of(verb));
}

std::string error_line(const std::string& message) {
  return fmt::format("{} {}\n", coloured("error:", Colour::error, stderr), message);
}

const std::vector<std::pair<int, std::string>>& exit_codes() {
  static const std::vector<std::pair<int, std::string>> kCodes = {
      {static_cast<int>(ExitCode::done), "done"},
      {static_cast<int>(ExitCode::not_met), "requirement not met"},
      {static_cast<int>(ExitCode::bad_input), "bad input"},
      {static_cast<int>(ExitCode::outside), "outside world failed"},
      {static_cast<int>(ExitCode::internal_bug), "bug in ebb"}};
  return kCodes;
}

std::string exit_code_line() {
  std::string text = "Exit codes:";
  for (const auto& [code, meaning] : exit_codes())
    text += fmt::format("{} {} {}", code == 0 ? "" : ",", code, meaning);
  return text + ".";
}

}  // namespace

void set_help(CLI::App& app) {
  app.footer(exit_code_line());
  app.formatter(std::make_shared<HelpFormatter>());
  for (CLI::App* verb : app.get_subcommands({})) {
    verb->formatter(app.get_formatter());
    for (CLI::App* second : verb->get_subcommands({})) second->formatter(app.get_formatter());
  }
  for (const Task& task : tasks()) {
    for (const Example& example : task.examples)
      app.get_subcommand(std::string(example.verb))->group(std::string(task.title));
  }
}

std::string overview(const CLI::App& app) {
  std::string text = app.get_description() + "\n";
  for (const Task& task : tasks()) {
    text += "\n" + coloured(task.title, Colour::heading, stdout) + "\n";
    for (const Example& example : task.examples) {
      const CLI::App* verb = app.get_subcommand(std::string(example.verb));
      const std::string padding(11 - example.verb.size(), ' ');
      text += fmt::format("  {}{}{}\n", coloured(example.verb, Colour::name, stdout), padding,
                          verb->get_description());
      text += fmt::format("             {}\n", example.command);
    }
  }
  return text + "\nebb VERB --help has the options of a verb, docs/README.md the pages.\n";
}

shell::ManualNotes manual_notes(const std::string& version) {
  shell::ManualNotes notes{
      .version = version,
      .exit_codes = exit_codes(),
      .variables = {{"EBB_DATA",
                     "Folder that holds parts/, peers/ and repro/, instead of the one "
                     "that was installed with the program."},
                    {"NO_COLOR", "When it is set, nothing is coloured on a terminal."}},
      .see_also = {"ebb-agent", "ebb-host", "ebb-gnmi-target", "ebb-agentx"}};
  for (const Task& task : tasks()) {
    for (const Example& example : task.examples)
      notes.examples.emplace(example.verb, example.command);
  }
  return notes;
}

std::string command_line_mistakes(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* verb = &app;
  std::string text;
  for (const std::string& word : words) {
    if (word == "--") return text;
    const CLI::App* next = verb_named(*verb, word);
    if (next != nullptr) {
      verb = next;
    } else if (looks_like_option(word)) {
      const std::string name = option_name(word);
      if (verb->get_option_no_throw(name) == nullptr)
        text += error_line(unknown_option(*verb, name));
    } else if (verb->get_require_subcommand_min() > 0) {
      return text + error_line(unknown_verb(*verb, word));
    }
  }
  if (text.empty() && verb->get_require_subcommand_min() > 0)
    text = error_line(missing_verb(*verb));
  return text;
}

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string shown = fmt::format("{{{}}}", fmt::join(words, ","));
  return CLI::Validator(
      [words = std::move(words)](std::string& text) -> std::string {
        const bool known = std::find(words.begin(), words.end(), text) != words.end();
        return known ? std::string() : unknown_name("word", text, words);
      },
      shown);
}

}  // namespace ebb::cli
