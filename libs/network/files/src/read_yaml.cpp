// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

namespace ebb::files {
namespace {

// No file of ours nests deeper; yaml-cpp recurses per level.
constexpr int kDeepest = 64;

struct Refused : YAML::ParserException {
  using ParserException::ParserException;
};

// Walks the document before any of it is built, and refuses by throwing what yaml-cpp would choke
// on: deep nesting, and more than one document. A stray ',' or ']' between documents makes yaml-cpp
// find empty documents for ever, so YAML::LoadAll must not be asked.
class Inspector final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) throw Refused(mark, "expected one YAML document, and this follows it");
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    enter(mark);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    enter(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapEnd() override { --depth_; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}

 private:
  void enter(const YAML::Mark& mark) {
    if (++depth_ > kDeepest)
      throw Refused(mark, fmt::format("nested deeper than {} levels", kDeepest));
  }

  int documents_ = 0;
  int depth_ = 0;
};

void inspect(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Inspector inspector;
  while (parser.HandleNextDocument(inspector)) {
  }
}

void report(const YAML::Exception& problem, std::string message, Diagnostics& errors) {
  errors.add(std::move(message), problem.mark.line + 1, problem.mark.column + 1);
}

}  // namespace

std::optional<YAML::Node> load_yaml(std::string_view text, Diagnostics& errors) {
  if (text.find('\0') != std::string_view::npos) {
    errors.add("not UTF-8 text: it contains a zero byte");
    return std::nullopt;
  }
  try {
    const std::string whole(text);
    inspect(whole);
    return YAML::Load(whole);
  } catch (const Refused& problem) {
    report(problem, problem.msg, errors);
  } catch (const YAML::Exception& problem) {
    report(problem, fmt::format("not valid YAML: {}", problem.msg), errors);
  }
  return std::nullopt;
}

std::optional<YAML::Node> load_document(std::string_view text, Diagnostics& errors) {
  auto root = load_yaml(text, errors);
  if (root && (!root->IsDefined() || root->IsNull())) {
    errors.add("the file is empty", 1);
    return std::nullopt;
  }
  return root;
}

std::optional<Value> read_yaml(std::string_view text, Diagnostics& errors) {
  const auto root = load_document(text, errors);
  if (!root) return std::nullopt;
  return Value(*root, "");
}

std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).string();
}

std::optional<TextOfKey> text_or_file(const Value& value, std::size_t most_bytes,
                                      std::string_view header, Diagnostics& errors) {
  auto text = value.text(errors);
  if (!text) return std::nullopt;
  if (text->find('\n') != std::string::npos) return TextOfKey{std::move(*text), {}};
  std::string path = beside(errors.file(), *text);
  auto found = read_file(path, most_bytes);
  if (found && !found->empty()) return TextOfKey{std::move(*found), std::move(path)};
  value.report(errors, found ? fmt::format("{}: no line '{}'", path, header)
                             : path + ": " + found.error().front().message);
  return std::nullopt;
}

Result<std::string> read_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return fail("no such file", {path});
  if (!std::filesystem::is_regular_file(status)) return fail("not a regular file", {path});
  const auto size = std::filesystem::file_size(path, error);
  if (error) return fail(error.message(), {path});
  if (size > most_bytes)
    return fail(fmt::format("{} bytes is larger than the {} ebb reads", size, most_bytes), {path});
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("cannot be opened for reading", {path});
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream.bad() || static_cast<std::size_t>(stream.gcount()) != size)
    return fail("could not be read to its end", {path});
  return text;
}

}  // namespace ebb::files
