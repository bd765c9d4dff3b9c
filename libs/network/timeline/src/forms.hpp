// SPDX-License-Identifier: Apache-2.0
//
// The two forms of a timeline, and what they have in common: bytes that are gathered and then
// written in large pieces.
#pragma once

#include "ebb/timeline/timeline.hpp"

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

namespace ebb::timeline {

class Output {
 public:
  explicit Output(std::shared_ptr<std::ostream> out) : out_(std::move(out)) {}

  [[nodiscard]] std::string& text() { return text_; }
  void write_when_large() {
    if (text_.size() >= kLarge) write();
  }
  [[nodiscard]] bool finish() {
    write();
    return static_cast<bool>(out_->flush());
  }

 private:
  static constexpr std::size_t kLarge = std::size_t{1} << 16U;

  void write() {
    out_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  std::shared_ptr<std::ostream> out_;
  std::string text_;
};

[[nodiscard]] std::unique_ptr<Timeline> make_perfetto(std::shared_ptr<std::ostream> out,
                                                      const Settings& settings);
[[nodiscard]] std::unique_ptr<Timeline> make_chrome(std::shared_ptr<std::ostream> out,
                                                    const Settings& settings);

}  // namespace ebb::timeline
