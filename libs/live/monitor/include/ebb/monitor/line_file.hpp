// SPDX-License-Identifier: Apache-2.0
//
// A file that lines are appended to, each in one write: a process that is killed leaves whole
// lines. `sync` gives them to the disk in a thread of its own, because a busy disk takes longer
// than a controller may stand still. A bounded file that is full becomes FILE.1, and the old FILE.1
// goes.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>

namespace ebb::monitor {

class LineFile {
 public:
  // "-" is the standard output. `most_bytes` 0: not bounded.
  static Result<std::unique_ptr<LineFile>> open(const std::string& path,
                                                std::uint64_t most_bytes = 0);
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  ~LineFile();

  // Without its line end.
  void add(std::string_view line);
  // Begins, unless the last has not finished. Nothing to do when nothing was added.
  void sync();
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  struct Open;  // the descriptor, which a sync may need for longer than we do

  LineFile(std::string path, std::uint64_t most_bytes);
  [[nodiscard]] bool reopen();
  void make_room(std::size_t bytes);

  std::string path_;
  std::uint64_t most_bytes_;
  std::shared_ptr<Open> open_;
  std::uint64_t size_ = 0;
  bool dirty_ = false;
  std::uint64_t lost_ = 0;
  std::future<void> syncing_;
};

}  // namespace ebb::monitor
