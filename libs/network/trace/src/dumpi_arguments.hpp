// SPDX-License-Identifier: Apache-2.0
//
// What the arguments of a call mean on its rank: communicators, datatypes, sizes, peers and tags,
// with everything that is wrong with them. The numbers that a DUMPI trace gives to communicators
// and datatypes mean something on one rank only.
#pragma once

#include "dumpi_calls.hpp"
#include "dumpi_communicators.hpp"
#include "dumpi_types.hpp"
#include "mpi_calls.hpp"

#include "ebb/core/result.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/mpi.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::trace {

class DumpiArguments {
 public:
  explicit DumpiArguments(std::span<const NamedText> texts)
      : texts_(texts), communicators_(static_cast<std::uint32_t>(texts.size())) {}

 protected:
  // The ranks of a communicator, and the place of this one.
  struct Group {
    std::uint32_t communicator = Communicators::kWorld;
    std::span<const std::uint32_t> ranks;
    std::uint32_t place = 0;
  };

  // Sets call_ to each call of the rank me_ in turn.
  template <class Use>
  void for_each_call(const Use& use) {
    numbers_.clear();
    types_ = {};
    DumpiCalls calls(texts_[me_].text);
    while (auto call = calls.next()) {
      call_ = *std::move(call);
      types_.learn(call_);
      use();
      if (has_enough_errors()) return;
    }
    if (calls.error()) report(calls.error()->first, calls.error()->second);
  }
  // A communicator that call_ makes becomes known; `is_first` while nobody knows who is in it.
  void find_communicator(bool is_first);

  void report(std::string message) { report(std::move(message), call_.line); }
  void changed(std::string_view what) { changes_.add(what, texts_[me_].name, call_.line); }
  [[nodiscard]] bool has_enough_errors() const { return errors_.size() >= program::kMostErrors; }

  // Of call_. Each reports what is wrong.
  [[nodiscard]] std::int64_t argument(std::string_view name);
  [[nodiscard]] std::vector<std::int64_t> list(std::string_view name);
  [[nodiscard]] std::optional<Group> group();
  [[nodiscard]] DataSize size(std::string_view count, std::string_view type) {
    return size_of(argument(count), type);
  }
  // A size for each rank of a group.
  [[nodiscard]] std::vector<DataSize> sizes(std::string_view counts, std::string_view type,
                                            const Group& group);
  // The root of the call, as a place in its group.
  [[nodiscard]] std::uint32_t root_of(const Group& group);
  // The message of a call; nothing when it goes to or comes from nobody (MPI_PROC_NULL).
  [[nodiscard]] std::optional<program::Operation> message(program::Operation::Kind kind,
                                                          std::string_view peer,
                                                          std::string_view tag, DataSize size);

  std::span<const NamedText> texts_;
  Communicators communicators_;
  std::uint32_t me_ = 0;
  DumpiCall call_;
  ChangeCounts changes_;
  Errors errors_;

 private:
  void report(std::string message, int line);
  void check_size();
  [[nodiscard]] std::optional<std::uint32_t> communicator(std::string_view name);
  [[nodiscard]] DataSize size_of(std::int64_t count, std::string_view type);
  [[nodiscard]] std::uint32_t tag_of(std::string_view name, const Group& group, bool is_send);

  std::map<std::int64_t, std::uint32_t> numbers_;  // communicators of the rank, by its numbers
  DumpiTypes types_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> tags_;  // by communicator, tag
};

}  // namespace ebb::trace
