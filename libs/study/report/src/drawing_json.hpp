// SPDX-License-Identifier: Apache-2.0
//
// Drawings of the networks of runs, each network once.
#pragma once

#include "json.hpp"

#include "ebb/files/topology_file.hpp"
#include "ebb/results/run.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ebb::report {

class Drawings {
 public:
  // `position` of the run in the document. Networks that are too large to draw, and graph files
  // that cannot be read any more, have no drawing; the page says so.
  void add(std::size_t position, const results::Run& run);

  [[nodiscard]] Json json() const;

 private:
  struct Drawn {
    files::TopologySpec spec;
    std::vector<std::size_t> runs;
    std::optional<Json> drawing;
  };
  std::vector<Drawn> drawn_;
};

}  // namespace ebb::report
