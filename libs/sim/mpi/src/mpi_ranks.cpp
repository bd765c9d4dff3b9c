// SPDX-License-Identifier: Apache-2.0
#include "mpi_ranks.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>

namespace ebb::mpi {
namespace {

constexpr int kExchangeTag = 1;
constexpr std::size_t kLargest = std::numeric_limits<int>::max();  // MPI counts in int

}  // namespace

MpiRanks::MpiRanks() {
  int given = 0;
  // The last thread of a window speaks for its rank: one at a time, not always the same.
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
  if (given < MPI_THREAD_SERIALIZED) fail("this MPI does not let threads call it in turn");
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  rank_ = static_cast<std::uint32_t>(number);
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  count_ = static_cast<std::uint32_t>(number);
}

// Parting waits for all ranks; one that is on its way out by an exception would wait for ever.
MpiRanks::~MpiRanks() {
  if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Finalize();
}

std::int64_t MpiRanks::exchange(std::span<const std::uint32_t> peers, std::span<const Bytes> out,
                                std::span<Bytes> in, std::int64_t number) {
  sending_.resize(peers.size());
  for (std::size_t i = 0; i < peers.size(); ++i) {
    if (out[i].size() > kLargest) fail("more than 2 GiB in one window for one rank");
    MPI_Isend(out[i].data(), static_cast<int>(out[i].size()), MPI_BYTE, static_cast<int>(peers[i]),
              kExchangeTag, MPI_COMM_WORLD, &sending_[i]);
  }
  std::int64_t least = 0;
  MPI_Allreduce(&number, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Mprobe(static_cast<int>(peers[i]), kExchangeTag, MPI_COMM_WORLD, &message, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    in[i].resize(static_cast<std::size_t>(size));
    MPI_Mrecv(in[i].data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(sending_.size()), sending_.data(), MPI_STATUSES_IGNORE);
  return least;
}

MpiRanks::Sizes MpiRanks::sizes(const Bytes& mine) {
  if (mine.size() > kLargest) fail("more than 2 GiB of results on one rank");
  Sizes sizes{std::vector<int>(count_), {}, 0};
  const int my_size = static_cast<int>(mine.size());
  MPI_Allgather(&my_size, 1, MPI_INT, sizes.size.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (const int size : sizes.size) {
    if (sizes.all > kLargest) fail("more than 2 GiB of results on all ranks");
    sizes.begin.push_back(static_cast<int>(sizes.all));
    sizes.all += static_cast<std::size_t>(size);
  }
  return sizes;
}

std::vector<Bytes> MpiRanks::cut(const Bytes& all, const Sizes& sizes) {
  std::vector<Bytes> parts;
  for (std::size_t r = 0; r < sizes.size.size(); ++r) {
    const auto begin = all.begin() + sizes.begin[r];
    parts.emplace_back(begin, begin + sizes.size[r]);
  }
  return parts;
}

std::vector<Bytes> MpiRanks::share(const Bytes& mine) {
  const Sizes sizes = this->sizes(mine);
  Bytes all(sizes.all);
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(),
                 sizes.size.data(), sizes.begin.data(), MPI_BYTE, MPI_COMM_WORLD);
  return cut(all, sizes);
}

std::vector<Bytes> MpiRanks::collect(const Bytes& mine) {
  const Sizes sizes = this->sizes(mine);
  Bytes all(first() ? sizes.all : 0);
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), sizes.size.data(),
              sizes.begin.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  return first() ? cut(all, sizes) : std::vector<Bytes>();
}

void MpiRanks::fail(std::string_view why) {
  fmt::print(stderr, "ebb: rank {} of {}: {}\n", rank_, count_, why);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 70);
  std::abort();  // not reached; MPI does not say so
}

}  // namespace ebb::mpi
