// SPDX-License-Identifier: Apache-2.0
//
// Texts `a.b=value` that change a document before it is read. The value is YAML, so a list or a map
// can be given; keys on the way that are not there are added. Whether a key means anything is left
// to the reader of the document: its errors about what was set so are placed at "--set".
//
//   Overrides overrides(texts, {"policy"});
//   Errors errors = overrides.apply(root);
//   ... read the document ...
//   return fail(overrides.placed(errors.take()));
#pragma once

#include "ebb/core/result.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

namespace ebb::config {

class Overrides {
 public:
  // A single value at one of `short_forms` stands for the map {name: value}.
  Overrides(std::span<const std::string> texts, std::vector<std::string> short_forms)
      : texts_(texts.begin(), texts.end()), short_forms_(std::move(short_forms)) {}

  // Changes the document; returns what is wrong with the texts themselves.
  [[nodiscard]] Errors apply(YAML::Node& root);

  // The given place, or "--set" for a path that was set.
  [[nodiscard]] Location placed(Location where) const;
  [[nodiscard]] Errors placed(Errors errors) const;

 private:
  void apply(const std::string& text, YAML::Node& root, Errors& errors);
  void set(const std::vector<std::string>& keys, const YAML::Node& value, YAML::Node& root,
           Errors& errors);

  std::vector<std::string> texts_;
  std::vector<std::string> short_forms_;
  std::vector<std::string> touched_;  // paths whose whole content comes from the texts
};

}  // namespace ebb::config
