// SPDX-License-Identifier: Apache-2.0
//
// A YAML document read strictly: every mistake is collected with file, line, column and path, and
// a key that nobody asked for is a mistake. Readers ask for what they know and go on after an
// error, so that the user sees all of them at once.
//
//   Diagnostics errors("plan.yaml");
//   const auto root = read_yaml(text, errors);          // nullopt: not YAML at all
//   Section plan(*root, errors);
//   const auto hosts = plan.require_integer("hosts", 1, 10'000'000);
//   const auto rate = plan.require<DataRate>("rate");
//   plan.finish();                                      // reports keys that were not asked for
//   if (!errors.empty()) return fail(errors.take());
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/units/text.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

namespace ebb::files {

class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void add(std::string message, int line = 0, int column = 0, std::string path = {});
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  // Further errors are dropped: a reader of a long list may stop looking.
  [[nodiscard]] bool full() const { return errors_.size() > kMostErrors; }
  [[nodiscard]] Errors take() { return std::move(errors_); }

 private:
  static constexpr std::size_t kMostErrors = 100;

  std::string file_;
  Errors errors_;
};

// One value of the document and where it stands.
class Value {
 public:
  Value(const YAML::Node& node, std::string path);
  Value(const Value&);
  Value& operator=(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(Value&&) noexcept;
  ~Value();

  [[nodiscard]] bool is_map() const;
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] bool is_scalar() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int line() const;
  [[nodiscard]] int column() const;

  // On one line, as `--set` takes it: "15%", "[10Gb/s, 40Gb/s]", "{name: epoch, target: 50%}". One
  // that is longer than kLongestFlow or nested too deep is broken off, and longer than that.
  static constexpr std::size_t kLongestFlow = 1 << 16;
  [[nodiscard]] std::string flow_text() const;

  void report(Diagnostics& errors, std::string message) const;

  // Each reports and returns nothing when the value is not of that kind.
  [[nodiscard]] std::optional<std::string> text(Diagnostics& errors) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most,
                                                    Diagnostics& errors) const;
  [[nodiscard]] std::optional<std::vector<Value>> list(Diagnostics& errors) const;
  template <class T>
  [[nodiscard]] std::optional<T> quantity(Diagnostics& errors) const {
    const auto written = text(errors);
    if (!written) return std::nullopt;
    auto parsed = parse<T>(*written);
    if (!parsed) {
      report(errors, parsed.error().front().message);
      return std::nullopt;
    }
    return *parsed;
  }

 private:
  friend class Section;
  std::unique_ptr<YAML::Node> node_;
  std::string path_;
};

// A map whose keys are asked for by name.
class Section {
 public:
  // Reports when `value` is not a map; then every key is missing silently.
  Section(const Value& value, Diagnostics& errors);

  [[nodiscard]] std::optional<Value> find(std::string_view key);
  [[nodiscard]] std::optional<Value> require(std::string_view key);
  // Keys in the order of the file, for maps whose keys are the user's own names.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> entries();

  [[nodiscard]] std::optional<std::string> require_text(std::string_view key);
  [[nodiscard]] std::optional<std::string> find_text(std::string_view key);
  [[nodiscard]] std::optional<std::int64_t> require_integer(std::string_view key,
                                                            std::int64_t least, std::int64_t most);
  [[nodiscard]] std::optional<std::int64_t> find_integer(std::string_view key, std::int64_t least,
                                                         std::int64_t most);
  template <class T>
  [[nodiscard]] std::optional<T> require(std::string_view key) {
    const auto value = require(key);
    return value ? value->template quantity<T>(*errors_) : std::nullopt;
  }
  template <class T>
  [[nodiscard]] std::optional<T> find(std::string_view key) {
    const auto value = find(key);
    return value ? value->template quantity<T>(*errors_) : std::nullopt;
  }
  // The text of `key`, which must be one of `allowed`; the nearest one is named otherwise.
  [[nodiscard]] std::optional<std::string> require_one_of(std::string_view key,
                                                          const std::vector<std::string>& allowed);

  // Every versioned file starts with this key; another version is refused with what ebb reads.
  void require_schema_version(std::int64_t supported);

  // Reports each key that was never asked for, with the nearest known one.
  void finish();

  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] Diagnostics& errors() { return *errors_; }

 private:
  Value value_;
  Diagnostics* errors_;
  bool is_map_ = false;
  std::vector<std::pair<std::string, Value>> entries_;
  std::vector<std::string> asked_;
};

// The document's root, or nothing (reported) when the text is not one YAML document.
[[nodiscard]] std::optional<Value> read_yaml(std::string_view text, Diagnostics& errors);

// A whole file, refused above `most_bytes`. Directories, devices and missing files are errors.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t most_bytes);

// A path as the file that names it means it: seen from the folder of that file.
[[nodiscard]] std::string beside(const std::string& file, const std::string& path);

// The text of a key, or that of the file whose path it is, beside the file of the key. A text has
// several lines, a path has one. Nothing (reported) when there is no such file, or nothing in it:
// then the key would be as if it were not there.
struct TextOfKey {
  std::string text;
  std::string file;  // empty: the text stands in the key itself
};
[[nodiscard]] std::optional<TextOfKey> text_or_file(const Value& value, std::size_t most_bytes,
                                                    std::string_view header, Diagnostics& errors);

using ebb::shown;

// A document as a flat list of its values, to compare two of them or to look one up.
//
//   leaves("policy: {name: epoch, target: 0.5}\n")  ->  policy.name = epoch, policy.target = 0.5
struct Leaf {
  std::string path;   // "traffic.injection.load"
  std::string value;  // a list as "[a, b]"

  bool operator==(const Leaf&) const = default;
};

// In the order of the text.
[[nodiscard]] Result<std::vector<Leaf>> leaves(std::string_view yaml);

// Text as nodes of yaml-cpp, for readers that change a document before they read it; they include
// yaml-cpp themselves. Everything that yaml-cpp would throw at or choke on is reported instead.
// One document, which may be empty.
[[nodiscard]] std::optional<YAML::Node> load_yaml(std::string_view text, Diagnostics& errors);

// The root of a file: one document, not empty.
[[nodiscard]] std::optional<YAML::Node> load_document(std::string_view text, Diagnostics& errors);

}  // namespace ebb::files
