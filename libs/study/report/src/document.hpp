// SPDX-License-Identifier: Apache-2.0
//
// The parts of a report as JSON: runs, figures, drawings of networks, time series. Objects keep the
// order in which they are written: same input, same bytes.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/files/topology_file.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/results/run.hpp"
#include "ebb/results/store.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::report {

using Json = nlohmann::ordered_json;

// All that is known of a run, for the list of runs.
// Without the id, which depends on the order in which runs ended: the key names a run.
[[nodiscard]] Json run_json(const results::Run& run);

// The experiments that the rows of figures are about: runs that differ only in their seed, by
// series and load; `runs` are those of the document.
[[nodiscard]] Json experiments_json(const plots::RunSet& set,
                                    const std::vector<results::Run>& runs);

// What all of it is about: the networks and the traffic of the runs, each with the number of runs.
[[nodiscard]] Json subject_json(const std::vector<results::Run>& runs);

// The tables behind the plots, and what is drawn of them: every figure of a results file by its
// name.
[[nodiscard]] Json figures_json(const plots::RunSet& runs);

// Drawings of the networks of runs, each network once.
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

// Which runs show their time series: as many as the file may hold.
struct SeriesChoice {
  std::vector<std::size_t> runs;  // positions, ascending
  std::size_t left_out = 0;       // runs that have a series and no place
};

// The first repetition of every experiment comes before the second of any.
[[nodiscard]] Result<SeriesChoice> choose_series(const results::Store& store,
                                                 const std::vector<results::Run>& runs,
                                                 std::size_t most_bytes);

// About as many characters as a time series takes in the document.
[[nodiscard]] std::size_t document_size(const results::Series& series);

// A time series in bytes: what a colour of a heat map can show. `run` is its position in the
// document, `start` where its first frame begins. `states` are of all classes of the run,
// `channels` by number.
[[nodiscard]] Json series_json(std::size_t run, const results::Series& series, TimePoint start,
                               const std::vector<results::Channel>& channels,
                               const std::vector<results::StateTime>& states);

// A timeline (docs/timeline.md) in Chrome's form. Of one with more events those are shown that
// begin first.
[[nodiscard]] Result<Json> timeline_json(const std::string& path, std::size_t most_events);
// Reads it twice. Errors are of a file `name`.
[[nodiscard]] Result<Json> timeline_json(std::istream& file, const std::string& name,
                                         std::size_t most_events);

}  // namespace ebb::report
