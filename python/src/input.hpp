// SPDX-License-Identifier: Apache-2.0
//
// What every call reads: a document, which is a file or the text of a dict, and the library of
// parts. The shipped parts are read once in a process, because a call may be shorter than reading
// them; files of the user are read with each call.
#pragma once

#include "errors.hpp"

#include "ebb/core/result.hpp"
#include "ebb/power/library.hpp"

#include <functional>
#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace ebb::python {

struct Document {
  std::string path;  // of a file; empty: `text` is a dict as JSON, which is YAML, too
  std::string text;

  [[nodiscard]] bool is_file() const { return !path.empty(); }
};

using Parts = std::shared_ptr<const power::Library>;

// Those of `folder`/parts and then the user's own. Called without the GIL.
[[nodiscard]] Result<Parts> load_parts(const std::string& folder,
                                       const std::vector<std::string>& more_files);

}  // namespace ebb::python
