// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/program.hpp"

#include "layout.hpp"

#include <chrono>
#include <utility>

namespace ebb::program {

using layout::read;

RankOperations::RankOperations(const std::byte* begin)
    : size_(read<std::uint32_t>(begin)),
      roots_(begin + layout::kRankHeader, read<std::uint32_t>(begin + sizeof size_)),
      operations_(begin + layout::kRankHeader + roots_.size() * sizeof(std::uint32_t)),
      successors_(operations_ + size_ * layout::kOperation) {}

Operation RankOperations::operator[](std::uint32_t which) const {
  const std::byte* at = operations_ + which * layout::kOperation;
  Operation operation;
  operation.kind = static_cast<Operation::Kind>(read<std::uint8_t>(at + layout::kKindAt));
  operation.peer = read<std::uint32_t>(at + layout::kPeerAt);
  operation.tag = read<std::uint32_t>(at + layout::kTagAt);
  operation.cpu = read<std::uint8_t>(at + layout::kCpuAt);
  operation.nic = read<std::uint8_t>(at + layout::kNicAt);
  const auto amount = static_cast<std::int64_t>(read<std::uint64_t>(at + layout::kAmountAt));
  if (operation.kind == Operation::Kind::compute) {
    operation.time = std::chrono::nanoseconds(amount);
  } else {
    operation.size = ebb::bytes(amount);
  }
  return operation;
}

std::uint32_t RankOperations::dependencies(std::uint32_t which) const {
  return read<std::uint32_t>(operations_ + which * layout::kOperation + layout::kDependenciesAt);
}

Indices RankOperations::after_end(std::uint32_t which) const {
  const std::byte* at = operations_ + which * layout::kOperation + layout::kEndsAt;
  return {successors_ + std::size_t{4} * read<std::uint32_t>(at + 4), read<std::uint32_t>(at)};
}

Indices RankOperations::after_start(std::uint32_t which) const {
  const std::byte* at = operations_ + which * layout::kOperation + layout::kStartsAt;
  return {successors_ + std::size_t{4} * read<std::uint32_t>(at + 4), read<std::uint32_t>(at)};
}

Program::Program(std::string name, std::shared_ptr<const void> owner,
                 std::span<const std::byte> bytes, std::vector<std::uint32_t> lines)
    : name_(std::move(name)),
      owner_(std::move(owner)),
      bytes_(bytes),
      ranks_(read<std::uint32_t>(bytes.data() + layout::kRanksAt)),
      lines_(std::move(lines)) {
  if (lines_.empty()) return;
  std::size_t first = 0;
  for (std::uint32_t which = 0; which < ranks_; ++which) {
    first_line_.push_back(first);
    first += rank(which).size();
  }
}

RankOperations Program::rank(std::uint32_t which) const {
  const std::byte* entry = bytes_.data() + layout::kTableAt + which * layout::kTableEntry;
  return RankOperations(bytes_.data() + layout::kRanksAt + read<std::uint64_t>(entry));
}

int Program::line(std::uint32_t rank, std::uint32_t operation) const {
  return lines_.empty() ? 0 : static_cast<int>(lines_[first_line_[rank] + operation]);
}

}  // namespace ebb::program
