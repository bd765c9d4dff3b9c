// SPDX-License-Identifier: Apache-2.0
//
// The text of GOAL, a statement on each line:
//
//   num_ranks N
//   rank R {
//   [label:] send BYTESb to RANK [tag T] [cpu C] [nic K]
//   [label:] recv BYTESb from RANK|-1 [tag T|-1] [cpu C] [nic K]
//   [label:] calc NANOSECONDS [cpu C]
//   label requires label      (the first begins after the second has ended)
//   label irequires label     (after it has started)
//   }
//
// with comments as in C++. The attributes come in this order only.
#include "layout.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/program/check.hpp"
#include "ebb/program/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <optional>
#include <ostream>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ebb::program {
namespace {

constexpr std::uint32_t kMostRanks = 10'000'000;
// A rank takes 24 bytes, also one of which the text says nothing: a few characters must not ask for
// hundreds of megabytes.
constexpr std::size_t kMostLeftOut = 1'000'000;
constexpr std::size_t kShortestRank = std::string_view("rank 0{}").size();

// Words, numbers and signs of a text, with the line that each stands on.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) { skip_blanks(); }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] int line() const { return line_; }
  // The next word, number or sign; empty at the end, and after the last of a statement's line.
  // Does not take it.
  [[nodiscard]] std::string_view peek() const {
    if (in_statement_ && line_ != last_line_) return {};
    return rest_.substr(0, length_of_next());
  }
  std::string_view take() {
    const std::string_view word = peek();
    if (word.empty()) return word;
    last_line_ = line_;
    rest_.remove_prefix(word.size());
    skip_blanks();
    return word;
  }
  bool take_if(std::string_view wanted) {
    if (peek() != wanted) return false;
    take();
    return true;
  }
  // Of the word that was taken last.
  [[nodiscard]] int last_line() const { return last_line_; }
  // A statement begins with the next word and ends with its line.
  void begin_statement() {
    last_line_ = line_;
    in_statement_ = true;
  }
  void end_statement() { in_statement_ = false; }
  // To the first word of a later line than that of the last word.
  void skip_line() {
    while (!at_end() && line_ == last_line_) {
      rest_.remove_prefix(length_of_next());
      skip_blanks();
    }
  }

 private:
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

  [[nodiscard]] std::size_t length_of_next() const {
    if (rest_.empty()) return 0;
    std::size_t length = 1;
    const char first = rest_.front();
    if (is_digit(first) || first == '-') {
      while (length < rest_.size() && is_digit(rest_[length])) ++length;
    } else if (is_letter(first)) {
      while (length < rest_.size() &&
             (is_letter(rest_[length]) || is_digit(rest_[length]) || rest_[length] == '_'))
        ++length;
    }
    return length;
  }

  void skip_blanks() {
    while (!rest_.empty()) {
      if (rest_.starts_with("//")) {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_.starts_with("/*")) {
        skip_comment();
      } else if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
        line_ += rest_.front() == '\n' ? 1 : 0;
        rest_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const std::size_t end = rest_.find("*/", 2);
    const std::size_t length = end == std::string_view::npos ? rest_.size() : end + 2;
    line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + length, '\n'));
    rest_.remove_prefix(length);
  }

  std::string_view rest_;
  int line_ = 1;
  int last_line_ = 1;
  bool in_statement_ = false;
};

class Reader {
 public:
  Reader(std::string_view text, std::string name)
      : words_(text), name_(std::move(name)), most_in_text_(text.size() / kShortestRank) {}

  Result<Program> read() {
    if (!words_.take_if("num_ranks"))
      return fail("a GOAL file begins with 'num_ranks N'", {name_, words_.line()});
    const auto ranks = number("the number of ranks",
                              std::min<std::size_t>(kMostRanks, kMostLeftOut + most_in_text_));
    if (!ranks) return fail(std::move(errors_));
    ProgramBuilder program(static_cast<std::uint32_t>(*ranks));
    std::uint32_t next = 0;
    while (!words_.at_end() && errors_.size() < kMostErrors) {
      if (!begin_rank(next, *ranks)) break;
      program.skip(rank_ - next);
      read_rank();
      program.add(built_);
      next = rank_ + 1;
    }
    if (!errors_.empty()) return fail(std::move(errors_));
    return std::move(program).build(name_);
  }

 private:
  void report(std::string message, int line) {
    const std::string where = in_rank_ ? fmt::format("rank {}", rank_) : "";
    errors_.push_back({std::move(message), {name_, line, 0, where}});
  }

  // Whole and at most `most`.
  std::optional<std::uint64_t> number(std::string_view what, std::uint64_t most) {
    const std::string_view word = words_.take();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size() && value <= most) return value;
    report(word.empty() ? fmt::format("the line ends where {} belongs", what)
                        : fmt::format("{} is a whole number from 0 to {}, not '{}'", what, most,
                                      word.substr(0, 40)),
           words_.last_line());
    return std::nullopt;
  }

  // A rank or a tag. A receive may leave it open by -1.
  std::optional<std::uint32_t> rank_or_tag(std::string_view what, bool is_send) {
    if (!is_send && words_.take_if("-1")) return kAny;
    const auto value = number(what, kAny - 1);
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
  }

  bool expect(std::string_view wanted) {
    const std::string_view word = words_.take();
    if (word == wanted) return true;
    report(word.empty() ? fmt::format("'{}' is missing", wanted)
                        : fmt::format("'{}' belongs here, not '{}'", wanted, word.substr(0, 40)),
           words_.last_line());
    return false;
  }

  bool begin_rank(std::uint32_t next, std::uint64_t ranks) {
    in_rank_ = false;
    if (!expect("rank")) return false;
    const auto which = number("a rank", kAny - 1);
    if (!which) return false;
    if (*which >= ranks || *which < next) {
      report(fmt::format("rank {} cannot follow here: ranks are in ascending order and below {}",
                         *which, ranks),
             words_.last_line());
      return false;
    }
    rank_ = static_cast<std::uint32_t>(*which);
    in_rank_ = true;
    return expect("{");
  }

  void read_rank() {
    built_ = {};
    labels_.clear();
    while (!words_.take_if("}")) {
      if (words_.at_end()) {
        report("the file ends inside of a rank: '}' is missing", words_.line());
        return;
      }
      if (errors_.size() >= kMostErrors) return;
      words_.begin_statement();
      if (!read_statement()) words_.skip_line();
      words_.end_statement();
    }
  }

  bool read_statement() {
    const std::string_view first = words_.take();
    const int line = words_.last_line();
    if (is_operation(first)) return read_operation(first, line).has_value();
    if (words_.take_if(":")) {
      // The label of an operation with a mistake is known, so that lines which name it are right.
      const auto made = read_operation(words_.take(), line);
      if (!labels_.emplace(first, made.value_or(kAny)).second)
        report(fmt::format("label '{}' is defined twice", first), line);
      return made.has_value();
    }
    if (words_.peek() == "requires" || words_.peek() == "irequires")
      return read_dependency(first, line);
    report(fmt::format("'{}' is neither send, recv, calc, a label nor a dependency",
                       first.substr(0, 40)),
           line);
    return false;
  }

  static bool is_operation(std::string_view word) {
    return word == "send" || word == "recv" || word == "calc";
  }

  std::optional<std::uint32_t> read_operation(std::string_view kind, int line) {
    Operation operation;
    if (kind == "calc") {
      const auto time = number("a time in nanoseconds", layout::kMostNanoseconds);
      if (!time) return std::nullopt;
      operation.time = std::chrono::nanoseconds(static_cast<std::int64_t>(*time));
    } else if (kind == "send" || kind == "recv") {
      if (!read_message(operation, kind == "send")) return std::nullopt;
    } else {
      report(fmt::format("'{}' is not send, recv or calc", kind.substr(0, 40)), line);
      return std::nullopt;
    }
    if (!read_attribute("cpu", operation.cpu)) return std::nullopt;
    if (kind != "calc" && !read_attribute("nic", operation.nic)) return std::nullopt;
    return built_.add(operation, static_cast<std::uint32_t>(line));
  }

  bool read_message(Operation& operation, bool is_send) {
    operation.kind = is_send ? Operation::Kind::send : Operation::Kind::receive;
    const auto size = number("a size in bytes", layout::kMostBytes);
    if (!size || !expect("b") || !expect(is_send ? "to" : "from")) return false;
    operation.size = bytes(static_cast<std::int64_t>(*size));
    const auto peer = rank_or_tag("a rank", is_send);
    if (!peer) return false;
    operation.peer = *peer;
    if (!words_.take_if("tag")) return true;
    const auto tag = rank_or_tag("a tag", is_send);
    operation.tag = tag.value_or(0);
    return tag.has_value();
  }

  bool read_attribute(std::string_view name, std::uint8_t& value) {
    if (!words_.take_if(name)) return true;
    const auto read = number(name, 255);
    if (read) value = static_cast<std::uint8_t>(*read);
    return read.has_value();
  }

  bool read_dependency(std::string_view later, int line) {
    const bool on_end = words_.take() == "requires";
    const std::string_view earlier = words_.take();
    const auto found = labels_.find(later);
    const auto other = labels_.find(earlier);
    for (const auto& [label, at] : {std::pair(later, found), std::pair(earlier, other)}) {
      if (at == labels_.end())
        report(fmt::format("label '{}' is not defined above", label.substr(0, 40)), line);
    }
    if (found == labels_.end() || other == labels_.end()) return true;
    if (found->second == kAny || other->second == kAny) return true;
    if (on_end) {
      built_.wait_for_end(found->second, other->second);
    } else {
      built_.wait_for_start(found->second, other->second);
    }
    return true;
  }

  Scanner words_;
  std::string name_;
  std::size_t most_in_text_;  // ranks, if each is as short as can be
  Errors errors_;
  std::uint32_t rank_ = 0;
  bool in_rank_ = false;
  RankBuilder built_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
};

std::string number_or_minus(std::uint32_t value) {
  return value == kAny ? "-1" : std::to_string(value);
}

std::string text_of(const Operation& operation) {
  if (operation.kind == Operation::Kind::compute) {
    const auto time = std::chrono::floor<std::chrono::nanoseconds>(operation.time).count();
    return fmt::format("calc {} cpu {}", time, operation.cpu);
  }
  const bool is_send = operation.kind == Operation::Kind::send;
  return fmt::format("{} {}b {} {} tag {} cpu {} nic {}", is_send ? "send" : "recv",
                     operation.size.count() / 8, is_send ? "to" : "from",
                     number_or_minus(operation.peer), number_or_minus(operation.tag), operation.cpu,
                     operation.nic);
}

}  // namespace

Result<Program> read_goal_text(std::string_view text, const std::string& name) {
  return Reader(text, name).read();
}

// Dependencies stand after all operations of a rank: a label must have been defined above.
void write_goal_text(const Program& program, std::ostream& out) {
  out << "num_ranks " << program.ranks() << '\n';
  for (std::uint32_t which = 0; which < program.ranks(); ++which) {
    const RankOperations rank = program.rank(which);
    out << "\nrank " << which << " {\n";
    for (std::uint32_t i = 0; i < rank.size(); ++i)
      out << fmt::format("l{}: {}\n", i, text_of(rank[i]));
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const auto write = [&](const Indices& later, std::string_view how) {
        for (std::uint32_t j = 0; j < later.size(); ++j)
          out << fmt::format("l{} {} l{}\n", later[j], how, i);
      };
      write(rank.after_end(i), "requires");
      write(rank.after_start(i), "irequires");
    }
    out << "}\n";
  }
}

}  // namespace ebb::program
