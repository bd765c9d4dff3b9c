// SPDX-License-Identifier: Apache-2.0
//
// A program on LogGOPS, a network without a topology: six numbers say what a message costs
// (T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim: simulating large-scale applications in the
// LogGOPS model", 2010). What it gives can be worked out by hand and has been published, so it
// checks the engine of programs apart from any network with switches.
//
//   const auto times = loggops::run(program, {}).value();
//   times.end[3];  // when rank 3 has ended
//
// Of a message of s bytes:
//   the sender's CPU is busy for o + (s - 1) O and its NIC for g + (s - 1) G;
//   it arrives o + L after the send began;
//   the receiver's CPU is busy for o + (s - 1) max(O, G) and its NIC for g + (s - 1) G, from when
//   the message is there, its receive is posted and both are free;
//   with s <= S the send has ended when it has begun (eager), else when the receive takes the
//   message (rendezvous).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace ebb::loggops {

struct Parameters {                                     // the defaults of LogGOPSim
  Duration latency = std::chrono::nanoseconds(2500);    // L
  Duration overhead = std::chrono::nanoseconds(1500);   // o
  Duration gap = std::chrono::nanoseconds(1000);        // g, between messages
  Duration gap_per_byte = std::chrono::nanoseconds(6);  // G
  Duration overhead_per_byte{};                         // O
  DataSize rendezvous_above = bytes(65'535);            // S
};

struct Times {
  std::vector<Duration> end;  // by rank: when its CPUs were busy for the last time
  Duration last{};            // of all ranks
  std::uint64_t messages = 0;
};

// A program that stalls is an error: it says which ranks wait, and for what. Sends to ranks that do
// not exist cost the sender what others cost, and go nowhere.
[[nodiscard]] Result<Times> run(const program::Program& program, const Parameters& parameters);

}  // namespace ebb::loggops
