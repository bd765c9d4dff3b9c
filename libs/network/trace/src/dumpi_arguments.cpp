// SPDX-License-Identifier: Apache-2.0
#include "dumpi_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::trace {
namespace {

using program::Operation;

constexpr std::int64_t kMostCallBytes = std::int64_t{1} << 50;  // of one argument
constexpr std::uint32_t kMostDumpiTag = 0x3fff'ffff;  // higher ones are of other communicators
constexpr std::uint32_t kSelf = 0xffff'fffe;          // the communicator of the rank alone

}  // namespace

void DumpiArguments::report(std::string message, int line) {
  if (errors_.size() < program::kMostErrors)
    errors_.push_back({std::move(message), {texts_[me_].name, line}});
}

// Communicators are made in the order of calls; `is_first` when nobody knows yet who is in them.
void DumpiArguments::find_communicator(bool is_first) {
  const bool splits = call_.name == "MPI_Comm_split";
  if (!splits && call_.name != "MPI_Comm_dup" && call_.name != "MPI_Cart_create") {
    if (is_first && call_.name == "MPI_Comm_size") check_size();
    return;
  }
  const auto parent = communicator("oldcomm");
  const std::int64_t number = argument("newcomm");
  const bool is_none = call_.label("newcomm") == "MPI_COMM_NULL";
  const std::int64_t colour = splits ? argument("color") : (is_none ? 1 : 0);
  if (!parent) return;
  numbers_[number] = is_first
                         ? communicators_.make(me_, *parent, colour, splits ? argument("key") : 0)
                         : communicators_.made(me_, *parent, colour);
}

void DumpiArguments::check_size() {
  if (call_.label("comm") != "MPI_COMM_WORLD") return;
  const std::int64_t size = argument("size");
  if (size != static_cast<std::int64_t>(texts_.size()))
    report(fmt::format("MPI_COMM_WORLD has {} ranks, and there are {} files", size, texts_.size()));
}

std::optional<std::uint32_t> DumpiArguments::communicator(std::string_view name) {
  if (call_.label(name) == "MPI_COMM_WORLD") return Communicators::kWorld;
  const auto found = numbers_.find(argument(name));
  if (found != numbers_.end()) return found->second;
  report(
      fmt::format("communicator {} comes from no MPI_Comm_dup, MPI_Comm_split or "
                  "MPI_Cart_create, and others are not followed",
                  call_.text(name).value_or("").substr(0, 40)));
  return std::nullopt;
}

// The group of the call's communicator; nothing when it is not known.
std::optional<DumpiArguments::Group> DumpiArguments::group() {
  if (call_.label("comm") == "MPI_COMM_SELF") return Group{kSelf, {&me_, 1}, 0};
  const auto which = communicator("comm");
  if (!which) return std::nullopt;
  const auto place = communicators_.place(*which, me_);
  if (!place) {
    report("the rank is not in this communicator");
    return std::nullopt;
  }
  return Group{*which, communicators_.ranks(*which), *place};
}

std::int64_t DumpiArguments::argument(std::string_view name) {
  const auto value = call_.number(name);
  if (!value) report(fmt::format("{} has no number '{}'", call_.name, name));
  return value.value_or(0);
}

DataSize DumpiArguments::size_of(std::int64_t count, std::string_view type) {
  const auto each = types_.size(call_, type);
  if (!each) {
    report(fmt::format("the size of datatype {} is not known",
                       call_.text(type).value_or("").substr(0, 40)));
    return {};
  }
  if (count < 0 || count > kMostCallBytes / std::max<std::int64_t>(*each, 1)) {
    report(fmt::format("{} elements of {} bytes are not possible", count, *each));
    return {};
  }
  return bytes(count * *each);
}
// A size for each rank of a group.
std::vector<DataSize> DumpiArguments::sizes(std::string_view counts, std::string_view type,
                                            const Group& group) {
  std::vector<DataSize> all;
  const auto numbers = call_.numbers(counts);
  if (!numbers || numbers->size() != group.ranks.size()) {
    report(
        fmt::format("{} has no list '{}' of {} numbers", call_.name, counts, group.ranks.size()));
    all.resize(group.ranks.size());
    return all;
  }
  all.reserve(numbers->size());
  for (const std::int64_t count : *numbers) all.push_back(size_of(count, type));
  return all;
}

// The message of a call; nothing when it goes to or comes from nobody (MPI_PROC_NULL).
std::optional<Operation> DumpiArguments::message(Operation::Kind kind, std::string_view peer,
                                                 std::string_view tag, DataSize size) {
  const auto which = group();
  const std::int64_t place = argument(peer);
  const bool is_send = kind == Operation::Kind::send;
  const bool is_any = !is_send && call_.label(peer) == "MPI_ANY_SOURCE";
  if (!which || (place < 0 && !is_any)) return std::nullopt;
  if (!is_any && place >= static_cast<std::int64_t>(which->ranks.size())) {
    report(fmt::format("{} is {}, and the communicator has {} ranks", peer, place,
                       which->ranks.size()));
    return std::nullopt;
  }
  Operation made{.kind = kind, .tag = tag_of(tag, *which, is_send), .size = size};
  made.peer = is_any ? program::kAny : which->ranks[static_cast<std::size_t>(place)];
  return made;
}

// Messages of different communicators never meet: those of others than the world have tags of
// their own, in the order in which they are seen.
std::uint32_t DumpiArguments::tag_of(std::string_view name, const Group& group, bool is_send) {
  const std::int64_t tag = argument(name);
  const bool is_world = group.communicator == Communicators::kWorld;
  if (!is_send && call_.label(name) == "MPI_ANY_TAG") {
    if (!is_world) changed("a receive with any tag takes messages of any communicator");
    return program::kAny;
  }
  if (tag < 0 || tag > kMostDumpiTag) {
    report(fmt::format("a tag is from 0 to {}, not {}", kMostDumpiTag, tag));
    return 0;
  }
  if (is_world) return static_cast<std::uint32_t>(tag);
  const auto next = kMostDumpiTag + 1 + static_cast<std::uint32_t>(tags_.size());
  return tags_.try_emplace({group.communicator, tag}, next).first->second;
}

std::vector<std::int64_t> DumpiArguments::list(std::string_view name) {
  const auto numbers = call_.numbers(name);
  if (!numbers) report(fmt::format("{} has no list '{}'", call_.name, name));
  return numbers.value_or(std::vector<std::int64_t>{});
}

std::uint32_t DumpiArguments::root_of(const Group& group) {
  const std::int64_t root = argument("root");
  if (root >= 0 && root < static_cast<std::int64_t>(group.ranks.size()))
    return static_cast<std::uint32_t>(root);
  report(
      fmt::format("the root is {}, and the communicator has {} ranks", root, group.ranks.size()));
  return 0;
}

}  // namespace ebb::trace
