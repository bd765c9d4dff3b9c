// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as frames that come up from a switch as probes of its cables: refused, or a place that
// the cabling of a fabric can hold and name, however wrong. A fuzzer does not guess the code of a
// probe: each piece of 60 bytes is what a right probe says, and is laid over that probe as well.
#include "ebb/controller/cabling_check.hpp"
#include "ebb/core/check.hpp"
#include "ebb/topology/family.hpp"

#include <algorithm>

namespace {

using namespace ebb;

constexpr controller::ProbeKey kKey{1, 2, 3};
constexpr std::size_t kCodeEnd = 54;

topology::Graph four_switches() {
  return *topology::build("complete", {{"switches", "4"}, {"hosts", "1"}},
                          {megabits_per_second(100)});
}

std::uint64_t number(std::span<const std::uint8_t> piece, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = at; i < at + bytes && i < piece.size(); ++i) value = value << 8U | piece[i];
  return value;
}

void check(const controller::ProbeSeal& seal, std::span<const std::uint8_t> frame,
           const controller::Place& at, controller::CablingCheck& cabling) {
  const auto probe = seal.open(frame);
  if (!probe) return;
  const controller::ProbeFrame again = seal.seal(*probe);
  EBB_CHECK(frame.size() >= kCodeEnd &&
                std::equal(again.begin() + 12, again.begin() + kCodeEnd, frame.begin() + 12),
            "a probe survives its own bytes");
  cabling.heard(at, probe->from);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const topology::Graph graph = four_switches();
  static const controller::ProbeSeal seal(kKey);
  controller::CablingCheck cabling(graph);
  const std::span<const std::uint8_t> input(data, size);
  check(seal, input, {0, 1}, cabling);
  std::uint32_t port = 0;
  for (std::size_t begin = 0; begin < size; begin += 60, ++port) {
    const auto piece = input.subspan(begin, std::min<std::size_t>(60, size - begin));
    const controller::Place from{static_cast<std::uint32_t>(number(piece, 0, 1) % 5),
                                 static_cast<forwarding::PortNumber>(number(piece, 1, 4))};
    controller::ProbeFrame frame = seal.seal({from, number(piece, 5, 8)});
    check(seal, frame, {piece[0] % 4U, port}, cabling);
    for (std::size_t i = 0; i < piece.size(); ++i) frame[i] ^= piece[i];
    check(seal, frame, {piece[0] % 4U, port}, cabling);
    check(seal, std::span(frame).first(piece.size()), {0, port}, cabling);
  }
  for (const std::string& line : cabling.wrong()) EBB_CHECK(!line.empty(), "both ends are named");
  EBB_CHECK(cabling.silent().size() <= 12, "ports between four switches");
  cabling.lost({0, 1});
  cabling.forget(0);
  return 0;
}
