// SPDX-License-Identifier: Apache-2.0
#include "shell_integration/completion.hpp"

#include "shell_integration/option_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ebb::shell {
namespace {

bool looks_like_option(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

const CLI::App* verb_named(const CLI::App& parent, const std::string& name) {
  for (const CLI::App* verb : parent.get_subcommands({})) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

// The words before the cursor, read as the parser would read them. It cannot be asked itself: it
// refuses a line that is not complete.
class Line {
 public:
  Line(const CLI::App& program, const ValueSource& values) : verb_(&program), values_(values) {}

  void read(const std::string& word);
  [[nodiscard]] Completions at_cursor(const std::string& typed) const;

 private:
  [[nodiscard]] const CLI::Option* option_named(const std::string& name) const;
  [[nodiscard]] const CLI::Option* next_positional() const;
  [[nodiscard]] bool needs_value() const { return open_ != nullptr && open_values_ == 0; }
  [[nodiscard]] bool may_have_verb() const { return !has_positional_ && !only_positionals_; }
  void read_option(const std::string& word);
  void give(const CLI::Option& option, const std::string& value);

  void add_options(Completions& found) const;
  void add_verbs(Completions& found) const;
  void add_values(const CLI::Option& option, const std::string& typed, Completions& found) const;
  [[nodiscard]] Completions after_equals(const std::string& typed) const;

  const CLI::App* verb_;
  const ValueSource& values_;
  const CLI::Option* open_ = nullptr;  // takes the next word that is no option
  std::size_t open_values_ = 0;        // that it has had since its name
  bool has_positional_ = false;
  bool only_positionals_ = false;  // after "--"
  std::map<std::string, std::vector<std::string>> given_;
};

std::string key_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : dashed_names(option).back();
}

const CLI::Option* Line::option_named(const std::string& name) const {
  return verb_->get_option_no_throw(name);
}

const CLI::Option* Line::next_positional() const {
  for (const CLI::Option* option : verb_->get_options()) {
    if (!option->get_positional()) continue;
    if (takes_many_values(*option) || !given_.contains(key_of(*option))) return option;
  }
  return nullptr;
}

void Line::give(const CLI::Option& option, const std::string& value) {
  given_[key_of(option)].push_back(value);
}

void Line::read_option(const std::string& word) {
  const auto equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  open_ = nullptr;
  const CLI::Option* option = option_named(word.substr(0, equals));
  if (option == nullptr) return;
  given_.try_emplace(key_of(*option));
  if (!takes_value(*option)) return;
  if (equals != std::string::npos) {
    give(*option, word.substr(equals + 1));
  } else {
    open_ = option;
    open_values_ = 0;
  }
}

void Line::read(const std::string& word) {
  if (needs_value()) {
    give(*open_, word);
    ++open_values_;
    if (!takes_many_values(*open_) || !open_->get_allow_extra_args()) open_ = nullptr;
  } else if (word == "--") {
    only_positionals_ = true;
    open_ = nullptr;
  } else if (!only_positionals_ && looks_like_option(word)) {
    read_option(word);
  } else if (const CLI::App* verb = may_have_verb() ? verb_named(*verb_, word) : nullptr) {
    verb_ = verb;
    open_ = nullptr;
    given_.clear();
  } else if (open_ != nullptr) {
    give(*open_, word);
  } else if (const CLI::Option* positional = next_positional()) {
    give(*positional, word);
    has_positional_ = true;
  }
}

void Line::add_options(Completions& found) const {
  for (const CLI::Option* option : verb_->get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    if (given_.contains(key_of(*option)) && !takes_many_values(*option)) continue;
    for (const std::string& name : dashed_names(*option))
      found.candidates.push_back({name, description_text(*option)});
  }
}

void Line::add_verbs(Completions& found) const {
  for (const CLI::App* verb : verb_->get_subcommands({}))
    found.candidates.push_back({verb->get_name(), verb->get_description()});
}

void Line::add_values(const CLI::Option& option, const std::string& typed,
                      Completions& found) const {
  for (const std::string& word : valid_words(option)) found.candidates.push_back({word});
  const auto before = given_.find(key_of(option));
  Completions more =
      values_({.type = type_text(option),
               .typed = typed,
               .before = before == given_.end() ? std::vector<std::string>() : before->second,
               .given = given_});
  std::move(more.candidates.begin(), more.candidates.end(), std::back_inserter(found.candidates));
  found.files = found.files || more.files;
  found.folders = found.folders || more.folders;
}

// Of "--option=value": the candidates are whole words.
Completions Line::after_equals(const std::string& typed) const {
  const auto equals = typed.find('=');
  const CLI::Option* option = option_named(typed.substr(0, equals));
  Completions found;
  if (option == nullptr || !takes_value(*option)) return found;
  add_values(*option, typed.substr(equals + 1), found);
  for (Candidate& one : found.candidates) one.text.insert(0, typed, 0, equals + 1);
  return found;
}

Completions Line::at_cursor(const std::string& typed) const {
  Completions found;
  if (needs_value()) {
    add_values(*open_, typed, found);
    return found;
  }
  if (!only_positionals_ && typed.starts_with("--") && typed.find('=') != std::string::npos)
    return after_equals(typed);
  if (!only_positionals_ && typed.starts_with('-')) {
    add_options(found);
    return found;
  }
  if (may_have_verb()) add_verbs(found);
  if (open_ != nullptr) add_values(*open_, typed, found);
  const CLI::Option* positional = open_ == nullptr ? next_positional() : nullptr;
  if (positional != nullptr) add_values(*positional, typed, found);
  if (found.candidates.empty() && !found.files && !found.folders && typed.empty())
    add_options(found);
  return found;
}

}  // namespace

Completions file_values(const ValueQuestion& question) {
  return {.candidates = {}, .files = question.type == "FILE", .folders = question.type == "FOLDER"};
}

Completions complete(const CLI::App& program, const std::vector<std::string>& words,
                     const ValueSource& values) {
  Line line(program, values);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (i > 0 || words[i] != "help") line.read(words[i]);  // `ebb help sim` is `ebb sim --help`
  }
  const std::string typed = words.empty() ? "" : words.back();
  Completions found = line.at_cursor(typed);
  std::erase_if(found.candidates,
                [&](const Candidate& one) { return !one.text.starts_with(typed); });
  return found;
}

std::string to_lines(const Completions& completions) {
  std::string text;
  for (const Candidate& one : completions.candidates)
    text += fmt::format("{}\t{}\n", one.text, one.description);
  if (completions.files) text += ":files\n";
  if (completions.folders) text += ":folders\n";
  return text;
}

}  // namespace ebb::shell
