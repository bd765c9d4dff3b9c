// SPDX-License-Identifier: Apache-2.0
//
// The HTML page that shows a document, made by web/report and linked into the program in pieces.
// The generated source includes this header alone.
#pragma once

#include <span>
#include <string_view>

namespace ebb::report {

// What stands before and after the document. Both are empty in a build without EBB_REPORT.
struct Page {
  std::span<const std::string_view> before;
  std::span<const std::string_view> after;
};

[[nodiscard]] Page page();

}  // namespace ebb::report
