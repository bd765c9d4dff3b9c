// SPDX-License-Identifier: Apache-2.0
#include "shell_integration/manual.hpp"

#include "shell_integration/option_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <string_view>

namespace ebb::shell {
namespace {

// A word that is typed as it stands: its dashes are minus signs, and it may break after a bar.
std::string literal(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    switch (c) {
      case '\\':
        roff += "\\(rs";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '`':
        roff += "\\(ga";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      case '|':
        roff += "|\\:";
        break;
      default:
        roff += c;
    }
  }
  return roff;
}

std::string bold(std::string_view text) { return "\\fB" + literal(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + literal(text) + "\\fR"; }

// A sentence: what stands between backquotes is bold. A leading dot or quote would be a request.
std::string prose(std::string_view text) {
  std::string roff = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  while (!text.empty()) {
    const auto open = text.find('`');
    const auto close = open == text.npos ? text.npos : text.find('`', open + 1);
    roff += literal(text.substr(0, close == text.npos ? text.npos : open));
    if (close == text.npos) break;
    roff += bold(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return roff;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// "ebb fabric" is on the page ebb-fabric.
std::string page_name(const CLI::App& verb) {
  std::string name = command_of(verb);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::vector<const CLI::App*> verbs_of(const CLI::App& verb) {
  return verb.get_subcommands([](const CLI::App* below) { return !below->get_name().empty(); });
}

std::string positional_text(const CLI::Option& option) {
  std::string text = italic(option.get_name(true)) + (takes_many_values(option) ? " ..." : "");
  return option.get_required() ? text : "[" + text + "]";
}

std::string synopsis(const CLI::App& verb) {
  std::string text = bold(command_of(verb));
  std::string positionals;
  bool has_options = false;
  for (const CLI::Option* option : verb.get_options()) {
    has_options = has_options || option->nonpositional();
    if (option->get_positional()) positionals += " " + positional_text(*option);
  }
  if (has_options) text += " [" + italic("OPTIONS") + "]";
  return text + positionals;
}

// -o, --output FILE=default ...
std::string tag(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : dashed_names(option))
    text += (text.empty() ? "" : ", ") + bold(name);
  if (text.empty()) return italic(option.get_name(true));
  if (!takes_value(option)) return text;
  text += " " + italic(value_text(option));
  if (!option.get_default_str().empty()) text += "=" + literal(option.get_default_str());
  if (takes_many_values(option)) text += " ...";
  return text + (option.get_required() ? " (required)" : "");
}

std::string options_text(const CLI::App& verb) {
  std::string text;
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : verb.get_options()) {
      if (option->get_positional() != positional || option->get_group().empty()) continue;
      text += fmt::format(".TP\n{}\n{}\n", tag(*option), prose(description_text(*option)));
    }
  }
  return text;
}

std::string verb_section(const CLI::App& verb) {
  return fmt::format(".SS {}\n{}.\n.PP\n{}\n{}", literal(command_of(verb)),
                     prose(verb.get_description()), synopsis(verb), options_text(verb));
}

// On the page of a program: a line for each verb, by task, that names the verb's page.
std::string verb_list(const CLI::App& program) {
  std::vector<std::string> tasks;
  for (const CLI::App* verb : verbs_of(program)) {
    if (std::find(tasks.begin(), tasks.end(), verb->get_group()) == tasks.end())
      tasks.push_back(verb->get_group());
  }
  std::string text = ".SH COMMANDS\n";
  for (const std::string& task : tasks) {
    text += fmt::format(".SS {}\n", prose(task));
    for (const CLI::App* verb : verbs_of(program)) {
      if (verb->get_group() != task) continue;
      text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", literal(page_name(*verb)),
                          prose(verb->get_description()));
    }
  }
  return text;
}

std::string head(const CLI::App& verb, const ManualNotes& notes) {
  const std::string name = page_name(verb);
  const std::string command = command_of(verb);
  std::string summary = verb.get_description();  // "ebb-host: asks the switch ..."
  if (summary.starts_with(name + ": ")) summary.erase(0, name.size() + 2);
  return fmt::format(
      ".\\\" SPDX-License-Identifier: Apache-2.0\n"
      ".\\\" Written by {} --manual-pages from its option tables.\n"
      ".TH {} 1 \"\" \"ebb {}\" \"ebb manual\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
      command.substr(0, command.find(' ')), literal(upper_case(name)), literal(notes.version),
      literal(name), prose(summary));
}

std::string synopses(const CLI::App& verb) {
  std::string text;
  if (verb.get_require_subcommand_min() == 0) text += synopsis(verb) + "\n";
  for (const CLI::App* below : verbs_of(verb))
    text += (text.empty() ? "" : ".br\n") + synopsis(*below) + "\n";
  return text;
}

std::string tail(const CLI::App& verb, const ManualNotes& notes,
                 const std::vector<std::string>& others) {
  std::string text;
  if (const auto example = notes.examples.find(verb.get_name()); example != notes.examples.end())
    text += fmt::format(".SH EXAMPLES\n.EX\n{}\n.EE\n", literal(example->second));
  if (!notes.exit_codes.empty()) text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : notes.exit_codes)
    text += fmt::format(".TP\n{}\n{}\n", code, prose(meaning));
  if (!notes.variables.empty()) text += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : notes.variables)
    text += fmt::format(".TP\n{}\n{}\n", bold(name), prose(meaning));
  std::string names;
  for (const std::string& other : others)
    names += fmt::format("{}\\fB{}\\fR(1)", names.empty() ? "" : ",\n", literal(other));
  return names.empty() ? text : text + ".SH SEE ALSO\n" + names + "\n";
}

ManualPage program_page(const CLI::App& program, const ManualNotes& notes) {
  std::string text = head(program, notes);
  const bool has_verbs = !verbs_of(program).empty();
  text += has_verbs
              ? bold(program.get_name()) + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]"
              : synopsis(program);
  text += "\n";
  if (has_verbs) text += verb_list(program);
  text += ".SH OPTIONS\n" + options_text(program);
  return {program.get_name(), text + tail(program, notes, notes.see_also)};
}

ManualPage verb_page(const CLI::App& verb, const ManualNotes& notes) {
  std::string text = head(verb, notes) + synopses(verb);
  text += fmt::format(".SH DESCRIPTION\n{}.\n", prose(verb.get_description()));
  if (verb.get_require_subcommand_min() == 0) text += ".SH OPTIONS\n" + options_text(verb);
  if (!verbs_of(verb).empty()) text += ".SH COMMANDS\n";
  for (const CLI::App* below : verbs_of(verb)) text += verb_section(*below);
  return {page_name(verb), text + tail(verb, notes, {verb.get_parent()->get_name()})};
}

}  // namespace

std::vector<ManualPage> manual_pages(const CLI::App& program, const ManualNotes& notes) {
  std::vector<ManualPage> pages = {program_page(program, notes)};
  for (const CLI::App* verb : verbs_of(program)) pages.push_back(verb_page(*verb, notes));
  return pages;
}

int write_manual_pages(const std::vector<ManualPage>& pages, const std::string& folder) {
  constexpr int kOutsideFailed = 3;
  for (const ManualPage& page : pages) {
    const std::string path = fmt::format("{}/{}.1", folder, page.name);
    std::ofstream file(path, std::ios::binary);
    file << page.text;
    if (file.flush()) continue;
    fmt::print(stderr, "{}: error: cannot be written; is its folder there?\n", path);
    return kOutsideFailed;
  }
  return 0;
}

}  // namespace ebb::shell
