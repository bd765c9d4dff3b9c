// SPDX-License-Identifier: Apache-2.0
//
// A results file as one HTML file that opens anywhere: figures, tables, links over time, and what
// every run was made of. docs/report.md describes the document inside.
//
//   const auto store = results::Store::open_to_read("runs.db");
//   if (const auto html = report::html(*store, {.title = "runs.db"})) file << *html;
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/results/store.hpp"

#include <cstddef>
#include <string>

namespace ebb::report {

struct Settings {
  std::string title;
  // Time series fill the document up to this size: small enough to send. Runs beyond are left out
  // and the page says so; the first repetition of each experiment comes before the others.
  std::size_t most_bytes = 14'000'000;
  std::string timeline = {};  // file of a timeline in Chrome's form; empty: none
  std::size_t most_timeline_events = 100'000;
};

// Whether this program carries the page: it was built with EBB_REPORT.
[[nodiscard]] bool can_write();

// The document alone, as JSON.
[[nodiscard]] Result<std::string> document(const results::Store& store, const Settings& settings);

// The whole file. Needs can_write(). Without a store the page has the timeline alone.
[[nodiscard]] Result<std::string> html(const results::Store& store, const Settings& settings);
[[nodiscard]] Result<std::string> html(const Settings& settings);

}  // namespace ebb::report
