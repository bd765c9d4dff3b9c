// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as frames that come up from a switch as probes of its cables: refused, or a place that
// the cabling of a fabric can hold and name, however wrong. Each piece of 60 bytes is laid over a
// right probe, which a fuzzer would not guess.
#include "ebb/controller/cabling_check.hpp"
#include "ebb/core/check.hpp"
#include "ebb/topology/family.hpp"

#include <algorithm>

namespace {

using namespace ebb;

constexpr std::uint64_t kFabric = 0x0123456789abcdefU;

topology::Graph four_switches() {
  return *topology::build("complete", {{"switches", "4"}, {"hosts", "1"}},
                          {megabits_per_second(100)});
}

void check(std::span<const std::uint8_t> frame, const controller::Place& at,
           controller::CablingCheck& cabling) {
  const auto from = controller::read_probe(frame, kFabric);
  if (!from) return;
  const controller::ProbeFrame again = controller::discovery_probe(*from, kFabric);
  EBB_CHECK(
      frame.size() >= 38 && std::equal(again.begin() + 12, again.begin() + 38, frame.begin() + 12),
      "a probe survives its own bytes");
  cabling.heard(at, *from);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const topology::Graph graph = four_switches();
  controller::CablingCheck cabling(graph);
  const std::span<const std::uint8_t> input(data, size);
  check(input, {0, 1}, cabling);
  std::uint32_t port = 0;
  for (std::size_t begin = 0; begin < size; begin += 60, ++port) {
    const auto piece = input.subspan(begin, std::min<std::size_t>(60, size - begin));
    controller::ProbeFrame frame = controller::discovery_probe({port % 4, port / 4}, kFabric);
    for (std::size_t i = 0; i < piece.size(); ++i) frame[i] ^= piece[i];
    check(frame, {piece[0] % 4U, port}, cabling);
    check(std::span(frame).first(piece.size()), {0, port}, cabling);
  }
  for (const std::string& line : cabling.wrong()) EBB_CHECK(!line.empty(), "both ends are named");
  EBB_CHECK(cabling.silent().size() <= 12, "ports between four switches");
  cabling.forget(0);
  return 0;
}
