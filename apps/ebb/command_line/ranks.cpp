// SPDX-License-Identifier: Apache-2.0
#include "command_line/ranks.hpp"

#include "ebb/mpi/communicator.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

namespace ebb::cli {

StartError bad_input(const Errors& errors) { return {ExitCode::bad_input, error_text(errors)}; }

ExitCode run_on_ranks(const std::function<ExitCode(mpi::Communicator&)>& work) {
  const Result<std::unique_ptr<mpi::Communicator>> joined = mpi::mpi_init();
  if (!joined) return refuse(joined.error());
  mpi::Communicator& ranks = **joined;
  if (ranks.is_serial()) return work(ranks);
  try {
    return work(ranks);
  } catch (const std::exception& problem) {
    ranks.fail(fmt::format("internal error: {}", problem.what()));
  }
  return ExitCode::internal_bug;  // not reached; g++ does not believe it of a virtual function
}

std::optional<ExitCode> report_start_error(mpi::Communicator& ranks, const StartError& here) {
  Bytes mine;
  append(mine, here.code);
  append_text(mine, here.text);
  const std::vector<Bytes> all = ranks.all_gather(mine);
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

StartError difference_between_ranks(mpi::Communicator& ranks, const std::string& what,
                                    const std::string& text) {
  Bytes mine;
  append_text(mine, text);
  const std::vector<Bytes> all = ranks.all_gather(mine);
  std::string others;
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r] != all.front()) others += fmt::format("{}{}", others.empty() ? "" : ", ", r);
  }
  if (others.empty()) return {};
  return {ExitCode::bad_input,
          fmt::format("error: {} differs between ranks: not as on rank 0 on {}\n", what, others)};
}

}  // namespace ebb::cli
