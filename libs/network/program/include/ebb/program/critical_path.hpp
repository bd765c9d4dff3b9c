// SPDX-License-Identifier: Apache-2.0
//
// The critical path of a job: the chain of operations and messages, each of which began when the
// one before it had ended, that leads from its start to its end. Nothing beside the path made the
// job longer; the parts of the path add up to the time of the job.
//
// It is found backwards. A moment is the start or the end of an operation of some rank, or a
// message that has come from it; what happened before that moment is known at that rank. A network
// that is divided among processes walks from one to the other (Jobs::step_back).
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>

namespace ebb::program {

// What a message between ranks is.
enum class Envelope : std::uint8_t { data, request, answer };

// The number by which a network knows it: `send` is the operation of the sending rank of the data.
[[nodiscard]] constexpr std::uint32_t number_of(Envelope envelope, std::uint32_t send) {
  return 4 * send + static_cast<std::uint32_t>(envelope);
}

struct Moment {
  enum class Kind : std::uint8_t {
    start,          // of the operation
    end,            // of the operation
    data_there,     // of the send, at the rank that receives it
    answer_there,   // to the request of `other` for its send `operation`
    request_there,  // of the send, whose receive had been posted; its answer came back by `at`
  };
  std::uint32_t rank = 0;
  std::uint32_t operation = 0;
  Kind kind = Kind::end;
  std::uint32_t other = 0;  // the other rank of a message
  TimePoint at{};

  bool operator==(const Moment&) const = default;
};

// A message on the path, or a request and its answer.
struct PathMessage {
  std::uint32_t source = 0;  // ranks
  std::uint32_t destination = 0;
  std::uint32_t number = 0;
  DataSize size{};
  Duration time{};  // from when it was created until it was there
  // Of a request: its answer came back in `time`, too.
  bool answered = false;

  bool operator==(const PathMessage&) const = default;
};

// The part of the path that ends with a moment, and the moment it begins with; none: the start of
// the job.
struct PathStep {
  Duration computing{};
  Duration overhead{};
  std::optional<PathMessage> message;
  std::optional<Moment> before;
};

}  // namespace ebb::program
