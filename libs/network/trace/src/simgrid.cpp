// SPDX-License-Identifier: Apache-2.0
//
// Time-independent traces of SimGrid, as smpirun replays them: counts are elements of a datatype,
// the flops of a reduction are computed after it, and a wait names a request by source, destination
// and tag. All collective operations are of all ranks.
#include "mpi_calls.hpp"
#include "simgrid_lines.hpp"

#include "ebb/core/names.hpp"
#include "ebb/core/text_lines.hpp"
#include "ebb/program/check.hpp"
#include "ebb/trace/mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace ebb::trace {
namespace {

using Kind = program::Collective::Kind;

constexpr double kMostActionBytes = 1ULL << 50U;          // of one action
constexpr double kLongestAction = 1e6;                    // seconds, as a program holds at most
constexpr double kMostTag = kFirstCollectiveCallTag - 1;  // and the highest rank

// Bytes of an element, by the number of a datatype; 0 where there is none.
std::uint32_t datatype_size(double number) {
  constexpr std::array<std::uint8_t, 41> kSizes = {8,  4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8,  8,
                                                   16, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32,
                                                   0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 8};
  const bool exists = number >= 0 && number < kSizes.size() && number == std::floor(number);
  return exists ? kSizes[static_cast<std::size_t>(number)] : 0;
}
constexpr std::uint32_t kByteSize = 1;
constexpr std::uint32_t kDoubleSize = 8;

class SimgridReader;

// An action by its name in lower case, with the number of its arguments; `for_each_rank` counts
// lists that have an argument for each rank.
struct ActionType {
  std::string_view name;
  int least;
  int most;
  int for_each_rank;
  void (SimgridReader::*read)(const Words&);
};

class SimgridReader {
 public:
  SimgridReader(std::span<const NamedText> texts, bool one_for_each_rank,
                const Parameters& parameters)
      : texts_(texts),
        one_for_each_rank_(one_for_each_rank),
        parameters_(parameters),
        flops_(static_cast<double>(parameters.integer("flops"))) {}

  Result<Trace> read(const std::string& name) {
    auto actions = actions_by_rank(texts_, one_for_each_rank_);
    if (!actions) return fail(actions.error());
    actions_ = *std::move(actions);
    const auto ranks = static_cast<std::uint32_t>(actions_.size());
    MpiCalls calls(ranks, parameters_);
    calls_ = &calls;
    program::ProgramBuilder program(ranks);
    for (me_ = 0; me_ < ranks && errors_.size() < program::kMostErrors; ++me_) {
      read_rank();
      if (errors_.empty()) program.add(calls.rank());
    }
    if (!errors_.empty()) return fail(std::move(errors_));
    return Trace{std::move(program).build(name), {}, changes_.sentences()};
  }

 private:
  using Request = std::tuple<double, double, double>;  // source, destination, tag, as written

  void report(std::string message) {
    if (errors_.size() < program::kMostErrors)
      errors_.push_back({std::move(message), {texts_[action_.text].name, action_.line}});
  }

  void read_rank() {
    calls_->begin(me_);
    default_size_ = kByteSize;
    requests_.clear();
    for (const Action& action : actions_[me_]) {
      action_ = action;
      read_action();
      if (errors_.size() >= program::kMostErrors) return;
      if (calls_->has_too_many()) {
        report(fmt::format("the program would have more than {} operations", kMostMpiOperations));
        return;
      }
    }
  }

  void read_action();

  // Of an operation: a program has the lines of one text only.
  [[nodiscard]] int line() const { return one_for_each_rank_ ? 0 : action_.line; }
  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(actions_.size()); }

  // Arguments. Each reports what is wrong and gives something to go on with.
  double number(std::string_view word, std::string_view what, double least, double most) {
    const auto value = number_of_word(word);
    if (value && *value >= least && *value <= most) return *value;
    report(fmt::format("{} is a number from {} to {}, not '{}'", what, least, most, shown(word)));
    return least;
  }
  // The size of an element: that of the datatype at a place, if it is given.
  std::uint32_t element(const Words& words, std::size_t at) {
    if (at >= words.size()) return default_size_;
    const auto value = number_of_word(words[at]);
    const std::uint32_t size = value ? datatype_size(*value) : 0;
    if (size == 0) report(fmt::format("there is no datatype '{}'", shown(words[at])));
    return size;
  }
  DataSize size(std::string_view word, std::uint32_t element) {
    const double count = number(word, "a count", 0, kMostActionBytes / 32);
    return bytes(static_cast<std::int64_t>(count) * element);
  }
  std::vector<DataSize> sizes(const Words& words, std::size_t first, std::uint32_t element) {
    std::vector<DataSize> all;
    all.reserve(ranks());
    for (std::size_t i = 0; i < ranks(); ++i) all.push_back(size(words[first + i], element));
    return all;
  }
  Duration time_of(double seconds) {
    if (seconds > kLongestAction) {
      report(fmt::format("the action takes {} s, and at most {} s are possible", seconds,
                         kLongestAction));
      return {};
    }
    return std::chrono::nanoseconds(std::llround(seconds * 1e9));
  }
  Duration computing(std::string_view word) {
    return time_of(number(word, "a number of flops", 0, 1e30) / flops_);
  }
  std::uint32_t rank_at(const Words& words, std::size_t at) {
    if (at >= words.size()) return 0;
    return static_cast<std::uint32_t>(number(words[at], "a rank", 0, ranks() - 1.0));
  }
  // A negative rank or tag of a receive is any.
  std::uint32_t rank_or_tag(std::string_view word, std::string_view what, bool may_be_any) {
    const double value = number(word, what, may_be_any ? -kMostTag : 0, kMostTag);
    return value < 0 ? program::kAny : static_cast<std::uint32_t>(value);
  }

  void read_init(const Words& words) { default_size_ = words.empty() ? kByteSize : kDoubleSize; }
  void read_nothing(const Words&) {}
  void read_communicator(const Words&) {
    changes_.add("communicators are not told apart: collective operations are of all ranks",
                 texts_[action_.text].name, action_.line);
  }
  void read_compute(const Words& words) { calls_->compute(computing(words[0]), line()); }
  void read_sleep(const Words& words) {
    calls_->compute(time_of(number(words[0], "a time in seconds", 0, 1e30)), line());
  }

  struct Message {
    std::uint32_t peer;
    std::uint32_t tag;
    DataSize size;
  };
  Message message_of(const Words& words, bool is_send) {
    return {rank_or_tag(words[0], "a rank", !is_send), rank_or_tag(words[1], "a tag", !is_send),
            size(words[2], element(words, 3))};
  }
  void read_send(const Words& words) {
    const Message message = message_of(words, true);
    calls_->send(message.peer, message.tag, message.size, line());
  }
  void read_receive(const Words& words) {
    const Message message = message_of(words, false);
    calls_->receive(message.peer, message.tag, message.size, line());
  }
  void read_isend(const Words& words) {
    const Message message = message_of(words, true);
    requests_[request(me_, words[0], words[1])].push_back(
        calls_->isend(message.peer, message.tag, message.size, line()));
  }
  void read_ireceive(const Words& words) {
    const Message message = message_of(words, false);
    const auto source = number_of_word(words[0]).value_or(0);
    const auto tag = number_of_word(words[1]).value_or(0);
    requests_[{source, me_, tag}].push_back(
        calls_->ireceive(message.peer, message.tag, message.size, line()));
  }
  static Request request(std::uint32_t source, std::string_view destination, std::string_view tag) {
    return {source, number_of_word(destination).value_or(0), number_of_word(tag).value_or(0)};
  }

  // The oldest request of this source, destination and tag.
  void read_wait(const Words& words) {
    const auto found = requests_.find({number(words[0], "a rank", -kMostTag, kMostTag),
                                       number(words[1], "a rank", -kMostTag, kMostTag),
                                       number(words[2], "a tag", -kMostTag, kMostTag)});
    if (found == requests_.end()) {
      changes_.add("a wait for a request that is not open was left out", texts_[action_.text].name,
                   action_.line);
      return;
    }
    const std::uint32_t one = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) requests_.erase(found);
    calls_->wait({&one, 1});
  }
  void read_test(const Words&) {
    changes_.add("a test was left out: its request stays open until it is waited for",
                 texts_[action_.text].name, action_.line);
  }
  void read_wait_all(const Words&) {
    std::vector<std::uint32_t> open;
    for (const auto& [key, requests] : requests_)
      open.insert(open.end(), requests.begin(), requests.end());
    requests_.clear();
    std::ranges::sort(open);
    calls_->wait(open);
  }

  // sendcount destination recvcount source datatype datatype; its messages have tag 0.
  void read_send_receive(const Words& words) {
    using program::Operation;
    calls_->send_receive({.kind = Operation::Kind::send,
                          .peer = rank_or_tag(words[1], "a rank", false),
                          .size = size(words[0], element(words, 4))},
                         {.kind = Operation::Kind::receive,
                          .peer = rank_or_tag(words[3], "a rank", true),
                          .size = size(words[2], element(words, 5))},
                         line());
  }

  void read_barrier(const Words&) { calls_->collective(Kind::barrier, {}, 0); }
  void read_broadcast(const Words& words) {
    const std::uint32_t root = rank_at(words, 1);
    calls_->collective(Kind::broadcast, size(words[0], element(words, 2)), root);
  }
  void read_reduce(const Words& words) {
    const std::uint32_t root = rank_at(words, 2);
    calls_->collective(Kind::reduce, size(words[0], element(words, 3)), root);
    calls_->compute(computing(words[1]), line());
  }
  void read_all_reduce(const Words& words) {
    calls_->collective(Kind::all_reduce, size(words[0], element(words, 2)), 0);
    calls_->compute(computing(words[1]), line());
  }
  void read_all_to_all(const Words& words) {
    calls_->collective(Kind::all_to_all, size(words[0], element(words, 2)), 0);
  }
  void read_all_gather(const Words& words) {
    calls_->collective(Kind::all_gather, size(words[0], element(words, 2)), 0);
  }
  void read_gather(const Words& words) {
    const std::uint32_t root = rank_at(words, 2);
    calls_->collective(Kind::gather, size(words[0], element(words, 3)), root);
  }
  // What each rank gets is its second count.
  void read_scatter(const Words& words) {
    const std::uint32_t root = rank_at(words, 2);
    calls_->collective(Kind::scatter, size(words[1], element(words, 4)), root);
  }
  void read_scan(const Words& words) {
    calls_->scan(size(words[0], element(words, 2)), computing(words[1]), line());
  }

  // Those that have counts for each rank.
  void read_all_to_all_v(const Words& words) {
    const std::size_t types = 2 + 2 * std::size_t{ranks()};
    const auto to = sizes(words, 1, element(words, types));
    const auto from = sizes(words, 2 + std::size_t{ranks()}, element(words, types + 1));
    calls_->all_to_all(to, from, line());
  }
  void read_gather_v(const Words& words) {
    const std::size_t root = 1 + std::size_t{ranks()};
    const DataSize own = size(words[0], element(words, root + 1));
    calls_->gather(rank_at(words, root), own, sizes(words, 1, element(words, root + 2)), line());
  }
  void read_scatter_v(const Words& words) {
    const std::size_t root = 1 + std::size_t{ranks()};
    const DataSize own = size(words[ranks()], element(words, root + 2));
    calls_->scatter(rank_at(words, root), own, sizes(words, 0, element(words, root + 1)), line());
  }
  // Two datatypes, displacements of each rank, or both.
  void read_all_gather_v(const Words& words) {
    const std::size_t more = words.size() - 1 - ranks();
    const bool has_types = more == 2 || more == 2 + std::size_t{ranks()};
    const std::uint32_t type = has_types ? element(words, words.size() - 1) : default_size_;
    calls_->collective(Kind::all_gather, sizes(words, 1, type));
  }
  void read_reduce_scatter(const Words& words) {
    const std::size_t flops = ranks();
    calls_->collective(Kind::reduce_scatter, sizes(words, 0, element(words, flops + 1)));
    calls_->compute(computing(words[flops]), line());
  }

  friend std::span<const ActionType> action_types();

  std::span<const NamedText> texts_;
  bool one_for_each_rank_;
  const Parameters& parameters_;
  double flops_;
  std::vector<std::vector<Action>> actions_;  // by rank
  MpiCalls* calls_ = nullptr;
  std::uint32_t me_ = 0;
  Action action_;
  std::uint32_t default_size_ = kByteSize;
  std::map<Request, std::deque<std::uint32_t>> requests_;  // that are open
  ChangeCounts changes_;
  Errors errors_;
};

std::span<const ActionType> action_types() {
  using R = SimgridReader;
  static constexpr std::array kTypes = {
      ActionType{"init", 0, 1, 0, &R::read_init},
      ActionType{"finalize", 0, 0, 0, &R::read_nothing},
      ActionType{"location", 0, 2, 0, &R::read_nothing},
      ActionType{"comm_size", 0, 9, 0, &R::read_nothing},
      ActionType{"comm_split", 0, 9, 0, &R::read_communicator},
      ActionType{"comm_dup", 0, 9, 0, &R::read_communicator},
      ActionType{"compute", 1, 1, 0, &R::read_compute},
      ActionType{"sleep", 1, 1, 0, &R::read_sleep},
      ActionType{"send", 3, 4, 0, &R::read_send},
      ActionType{"isend", 3, 4, 0, &R::read_isend},
      ActionType{"recv", 3, 4, 0, &R::read_receive},
      ActionType{"irecv", 3, 4, 0, &R::read_ireceive},
      ActionType{"sendrecv", 4, 6, 0, &R::read_send_receive},
      ActionType{"wait", 3, 3, 0, &R::read_wait},
      ActionType{"test", 3, 3, 0, &R::read_test},
      ActionType{"waitall", 0, 0, 0, &R::read_wait_all},
      ActionType{"barrier", 0, 0, 0, &R::read_barrier},
      ActionType{"bcast", 1, 3, 0, &R::read_broadcast},
      ActionType{"reduce", 2, 4, 0, &R::read_reduce},
      ActionType{"allreduce", 2, 3, 0, &R::read_all_reduce},
      ActionType{"alltoall", 2, 4, 0, &R::read_all_to_all},
      ActionType{"allgather", 2, 4, 0, &R::read_all_gather},
      ActionType{"gather", 2, 5, 0, &R::read_gather},
      ActionType{"scatter", 2, 5, 0, &R::read_scatter},
      ActionType{"scan", 2, 3, 0, &R::read_scan},
      ActionType{"exscan", 2, 3, 0, &R::read_scan},
      ActionType{"alltoallv", 2, 4, 2, &R::read_all_to_all_v},
      ActionType{"gatherv", 1, 4, 1, &R::read_gather_v},
      ActionType{"scatterv", 1, 4, 1, &R::read_scatter_v},
      ActionType{"allgatherv", 1, 3, 1, &R::read_all_gather_v},
      ActionType{"reducescatter", 1, 2, 1, &R::read_reduce_scatter},
  };
  return kTypes;
}

// Older versions of SimGrid write some names with capitals.
std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

void SimgridReader::read_action() {
  const auto type =
      find_named("action", action_types(), lower_case(action_.name), &ActionType::name);
  if (!type) return report(type.error().front().message);
  const Words words = action_words(action_.arguments);
  const std::size_t lists = (*type)->for_each_rank * std::size_t{ranks()};
  std::size_t most = lists + static_cast<std::size_t>((*type)->most);
  if ((*type)->name == "allgatherv") most += ranks();  // displacements
  const std::size_t least = lists + static_cast<std::size_t>((*type)->least);
  if (words.size() >= least && words.size() <= most) return (this->*(*type)->read)(words);
  report(least == most
             ? fmt::format("{} has {} arguments, not {}", (*type)->name, least, words.size())
             : fmt::format("{} has {} to {} arguments, not {}", (*type)->name, least, most,
                           words.size()));
}

}  // namespace

bool is_simgrid_action(std::string_view name) {
  return std::ranges::any_of(action_types(), [lower = lower_case(name)](const ActionType& type) {
    return type.name == lower;
  });
}

std::vector<Parameter> simgrid_parameters() {
  std::vector<Parameter> parameters = {{"flops", Range<std::int64_t>{1, 1'000'000'000'000'000'000},
                                        "1000000000", "what a rank computes in a second"}};
  for (Parameter& parameter : algorithm_parameters()) parameters.push_back(std::move(parameter));
  return parameters;
}

Result<Trace> read_simgrid(std::span<const NamedText> texts, bool one_for_each_rank,
                           const std::string& name, const Parameters& parameters) {
  return SimgridReader(texts, one_for_each_rank, parameters).read(name);
}

}  // namespace ebb::trace
