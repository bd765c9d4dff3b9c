// SPDX-License-Identifier: Apache-2.0
//
// Colours that people with any colour vision tell apart, and that differ in brightness or shape so
// that a black-and-white print does too.
#pragma once

#include <cstddef>
#include <string>

namespace ebb::plots {

// Of the i-th line: colour (Okabe and Ito's set), dash and shape of its points.
[[nodiscard]] std::string line_style(std::size_t i);

// Of the i-th of n bars side by side, dark and bright in turn.
[[nodiscard]] std::string bar_style(std::size_t i);

// Of the i-th of n layers: from dark to bright as in the cividis map.
[[nodiscard]] std::string layer_style(std::size_t i, std::size_t n);

}  // namespace ebb::plots
