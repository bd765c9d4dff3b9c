// SPDX-License-Identifier: Apache-2.0
//
// The requests of one rank of a DUMPI trace that are open, by the numbers that the trace gives
// them: sends and receives that have begun, and persistent ones, which begin when they are started.
#pragma once

#include "ebb/program/program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ebb::trace {

class DumpiRequests {
 public:
  // Without an operation there is nothing to wait for: its message goes to nobody.
  void open(std::int64_t number, std::optional<std::uint32_t> operation) {
    open_[number] = {operation, std::nullopt, false};
  }
  void open_persistent(std::int64_t number, const std::optional<program::Operation>& message) {
    open_[number] = {std::nullopt, message, true};
  }
  [[nodiscard]] bool is_open(std::int64_t number) const { return open_.contains(number); }
  // Of a persistent request: its message, and the operation that it became.
  [[nodiscard]] std::optional<program::Operation> message(std::int64_t number) const {
    return open_.at(number).message;
  }
  void started(std::int64_t number, std::optional<std::uint32_t> operation) {
    open_.at(number).operation = operation;
  }
  void close(std::int64_t number) { open_.erase(number); }

  // The operations of requests that end; those that are not persistent are closed. Counts requests
  // that are not open in `unknown`.
  std::vector<std::uint32_t> end(std::span<const std::int64_t> numbers, std::uint32_t& unknown) {
    constexpr std::int64_t kHighestNull = 1;  // numbers up to it are no requests
    std::vector<std::uint32_t> operations;
    for (const std::int64_t number : numbers) {
      const auto found = open_.find(number);
      if (found == open_.end()) {
        unknown += number > kHighestNull ? 1U : 0U;
        continue;
      }
      if (found->second.operation) operations.push_back(*found->second.operation);
      found->second.operation.reset();
      if (!found->second.is_persistent) open_.erase(found);
    }
    return operations;
  }

 private:
  struct Request {
    std::optional<std::uint32_t> operation;
    std::optional<program::Operation> message;
    bool is_persistent = false;
  };
  std::map<std::int64_t, Request> open_;
};

}  // namespace ebb::trace
