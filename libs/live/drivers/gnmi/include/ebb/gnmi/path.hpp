// SPDX-License-Identifier: Apache-2.0
//
// Places in the tree of a gNMI target: /interfaces/interface[name=p1]/state/oper-status.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ebb::gnmi {

struct Element {
  std::string name;
  std::map<std::string, std::string> keys;

  bool operator==(const Element&) const = default;
};

struct Path {
  std::vector<Element> elements;

  bool operator==(const Path&) const = default;
};

[[nodiscard]] std::string to_text(const Path& path);

// Whether whoever asks for `asked` gets `leaf`: it is the place itself or one below it. A name or
// the value of a key may be "*", and a key that is not mentioned may have any value.
[[nodiscard]] bool covers(const Path& asked, const Path& leaf);

}  // namespace ebb::gnmi
