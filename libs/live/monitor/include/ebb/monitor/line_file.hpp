// SPDX-License-Identifier: Apache-2.0
//
// A file that lines are appended to, each in one write: a process that is killed leaves whole
// lines. `sync` gives them to the disk in a thread of its own, because a busy disk takes longer
// than a controller may stand still. A bounded file that is full becomes FILE.1, and the old FILE.1
// goes. The lines of a chained file each carry the hash of the line before (audit_chain.hpp), also
// when another process writes to the file as well, as a leader does that hung and was replaced.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>

namespace ebb::monitor {

struct LineFileOptions {
  std::uint64_t most_bytes = 0;  // 0: not bounded
  bool chained = false;          // lines are objects of JSON
};

class LineFile {
 public:
  // "-" is the standard output.
  static Result<std::unique_ptr<LineFile>> open(const std::string& path,
                                                LineFileOptions options = {});
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  ~LineFile();

  // Without its line end.
  void add(std::string_view line);
  // Begins, unless the last has not finished. Nothing to do when nothing was added.
  void sync();
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  // Of a chained file: the hash of its last line.
  [[nodiscard]] const std::string& head() const { return head_; }

 private:
  struct Open;  // the descriptor, which a sync may need for longer than we do

  LineFile(std::string path, LineFileOptions options);
  [[nodiscard]] bool reopen();
  void make_room(std::size_t bytes);
  // The file is as we left it: nobody else has written to it or moved it away.
  [[nodiscard]] bool is_ours() const;

  std::string path_;
  LineFileOptions options_;
  std::string head_;
  std::shared_ptr<Open> open_;
  std::uint64_t size_ = 0;
  bool dirty_ = false;
  std::uint64_t lost_ = 0;
  std::future<void> syncing_;
};

}  // namespace ebb::monitor
