// SPDX-License-Identifier: Apache-2.0
//
// The records of an OTF2 archive to a program. Nothing here knows the library of the format: it
// calls these functions, and so does a fuzzer.
//
// A rank does one thing after the other. What lies between two MPI calls is a computation; a call
// that waits ends when its messages have ended. A receive that is posted, and a collective that
// does not block, are there from their request on, and are what the record of their end says.
//
//   Otf2Records records(definitions, "traces.otf2");
//   Otf2Rank& rank = records.rank(0);
//   rank.enter_mpi(1000); rank.send({.communicator = 0, .peer = 1, .size = 64});
//   rank.leave_mpi(1100); const auto trace = records.program();
#pragma once

#include "collective_groups.hpp"

#include "ebb/program/builder.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/trace/trace.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ebb::trace {

// Of MPI, without a communicator's name.
struct Otf2Communicator {
  std::vector<std::uint32_t> ranks;   // of MPI_COMM_WORLD, in its order; empty: the rank itself
  std::vector<std::uint32_t> remote;  // of a communicator between two groups: the other one
  bool has_world_ranks = false;       // records name ranks of MPI_COMM_WORLD
};

struct Otf2Definitions {
  std::uint64_t ticks_per_second = 0;
  std::uint32_t ranks = 0;
  std::map<std::uint32_t, Otf2Communicator> communicators;
};

// A send or a receive, as a record has it.
struct Otf2Message {
  std::uint32_t communicator = 0;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint64_t size = 0;
};

struct Otf2Collective {
  // In the order of the format, from 0 on.
  enum class Kind : std::uint8_t {
    barrier,
    broadcast,
    gather,
    gather_v,
    scatter,
    scatter_v,
    all_gather,
    all_gather_v,
    all_to_all,
    all_to_all_v,
    all_to_all_w,
    all_reduce,
    reduce,
    reduce_scatter,
    scan,
    exclusive_scan,
    reduce_scatter_block,
    handles,  // and above: creates or frees communicators, windows, files
  };
  Kind kind = Kind::barrier;
  std::uint32_t communicator = 0;
  std::uint32_t root = 0;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

class Otf2Rank {
 public:
  explicit Otf2Rank(std::uint64_t ticks_per_second) : ticks_per_second_(ticks_per_second) {}

  // Before each record: its time in ticks.
  void at(std::uint64_t time);
  // A call within a call is a part of the outer one.
  void enter_mpi();
  void leave_mpi();

  void send(const Otf2Message& message, std::optional<std::uint64_t> request = std::nullopt);
  void send_completed(std::uint64_t request);
  void receive_requested(std::uint64_t request);
  void receive(const Otf2Message& message, std::optional<std::uint64_t> request = std::nullopt);
  void collective_requested(std::uint64_t request);
  void collective(const Otf2Collective& collective,
                  std::optional<std::uint64_t> request = std::nullopt);
  void one_sided() { ++one_sided_; }

 private:
  friend class Otf2Records;
  struct Step {
    enum class Kind : std::uint8_t { requested, compute, send, receive, collective };
    Kind kind = Kind::requested;  // what is requested and never ends is left out
    std::uint64_t nanoseconds = 0;
    Otf2Message message;
    Otf2Collective collective;
    std::size_t first_after = 0;  // the steps that it waits for, in after_
    std::size_t after = 0;
  };
  // After all that it waits for.
  std::uint32_t add(Step::Kind kind);
  std::uint32_t append(Step::Kind kind);
  // The step of a request, or a new one where there was none.
  std::uint32_t completed(std::optional<std::uint64_t> request, Step::Kind kind);
  void compute_until_now();

  std::uint64_t ticks_per_second_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> after_;
  std::vector<std::uint32_t> last_;  // what the next step waits for
  std::unordered_map<std::uint64_t, std::uint32_t> requests_;
  std::optional<std::uint64_t> computing_since_;  // while in no call
  std::uint64_t now_ = 0;
  std::uint32_t depth_ = 0;  // of calls
  std::uint64_t backwards_ = 0;
  std::uint64_t unrequested_ = 0;
  std::uint64_t one_sided_ = 0;
};

class Otf2Records {
 public:
  Otf2Records(Otf2Definitions definitions, std::string name);

  [[nodiscard]] Otf2Rank& rank(std::uint32_t which) { return ranks_[which]; }
  // After all records.
  [[nodiscard]] Result<Trace> program(std::string_view all_reduce);

 private:
  struct Part {
    CollectiveGroups::Index group = 0;
    std::size_t which = 0;
    std::uint32_t root = 0;  // place in the group
  };

  void report(std::string message, std::uint32_t rank);
  [[nodiscard]] const Otf2Communicator* find(std::uint32_t communicator, std::uint32_t rank);
  [[nodiscard]] std::optional<std::uint32_t> peer(const Otf2Message& message, std::uint32_t rank);
  [[nodiscard]] std::uint32_t tag(const Otf2Message& message);
  void resolve(std::uint32_t rank);
  [[nodiscard]] std::optional<CollectiveGroups::Index> group_of(std::uint32_t number,
                                                                std::uint32_t rank);
  [[nodiscard]] std::uint32_t root_of(const Otf2Collective& collective, std::uint32_t rank) const;
  void meet(const Otf2Collective& collective, std::uint32_t rank,
            std::unordered_map<CollectiveGroups::Index, std::size_t>& next);
  [[nodiscard]] program::RankBuilder build(std::uint32_t rank, std::string_view all_reduce);
  [[nodiscard]] std::uint32_t append_collective(program::RankBuilder& builder, std::uint32_t rank,
                                                const Otf2Collective& collective, const Part& part,
                                                std::optional<std::uint32_t> after,
                                                std::string_view all_reduce);
  [[nodiscard]] std::vector<std::string> repairs() const;

  Otf2Definitions definitions_;
  std::string name_;
  std::vector<Otf2Rank> ranks_;
  std::vector<std::vector<Part>> parts_;
  CollectiveGroups groups_;
  std::map<std::uint32_t, std::optional<CollectiveGroups::Index>> group_of_communicator_;
  std::vector<std::uint64_t> numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> tags_;  // communicator, tag
  std::unordered_map<std::uint32_t, std::uint32_t> tag_owner_;             // communicator
  std::uint32_t next_tag_;
  std::uint64_t operations_ = 0;  // of collectives, at most about
  std::uint64_t handles_ = 0;
  std::uint64_t uneven_ = 0;
  Errors errors_;
};

}  // namespace ebb::trace
