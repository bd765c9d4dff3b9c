// SPDX-License-Identifier: Apache-2.0
#include "command_line/together.hpp"

#include "ebb/mpi/join.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

namespace ebb::cli {

Obstacle bad_input(const Errors& errors) { return {ExitCode::bad_input, to_string(errors)}; }

ExitCode together(const std::function<ExitCode(mpi::Ranks&)>& work) {
  const Result<std::unique_ptr<mpi::Ranks>> joined = mpi::join();
  if (!joined) return refuse(joined.error());
  mpi::Ranks& ranks = **joined;
  if (ranks.alone()) return work(ranks);
  try {
    return work(ranks);
  } catch (const std::exception& problem) {
    ranks.fail(fmt::format("internal error: {}", problem.what()));
  }
  return ExitCode::internal_bug;  // not reached; g++ does not believe it of a virtual function
}

std::optional<ExitCode> told(mpi::Ranks& ranks, const Obstacle& here) {
  Bytes mine;
  append(mine, here.code);
  append_text(mine, here.text);
  const std::vector<Bytes> all = ranks.share(mine);
  for (std::size_t r = 0; r < all.size(); ++r) {
    ByteReader reader(all[r]);
    const auto code = reader.take<ExitCode>();
    if (code == ExitCode::done) continue;
    const std::string who = r == 0 ? "" : fmt::format("rank {} of {}: ", r, ranks.count());
    if (ranks.first()) fmt::print(stderr, "{}{}", who, reader.take_text());
    return code;
  }
  return std::nullopt;
}

Obstacle differences(mpi::Ranks& ranks, const std::string& what, const std::string& text) {
  Bytes mine;
  append_text(mine, text);
  const std::vector<Bytes> all = ranks.share(mine);
  std::string others;
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r] != all.front()) others += fmt::format("{}{}", others.empty() ? "" : ", ", r);
  }
  if (others.empty()) return {};
  return {ExitCode::bad_input,
          fmt::format("error: {} differs between ranks: not as on rank 0 on {}\n", what, others)};
}

}  // namespace ebb::cli
