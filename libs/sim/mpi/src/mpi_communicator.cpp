// SPDX-License-Identifier: Apache-2.0

#include "mpi_communicator.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mpi.h>

namespace ebb::mpi {
namespace {

constexpr int kExchangeTag = 1;
constexpr std::size_t kLargest = std::numeric_limits<int>::max();  // MPI counts in int

}  // namespace

MpiCommunicator::MpiCommunicator() {
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

// MPI_Finalize waits for all ranks; a rank that ends by an exception would wait for ever.
MpiCommunicator::~MpiCommunicator() {
  if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Finalize();
}

std::int64_t MpiCommunicator::exchange(std::span<const std::uint32_t> peers,
                                       std::span<const Bytes> out, std::span<Bytes> in,
                                       std::int64_t number) {
  sending_.resize(peers.size());
  for (std::size_t i = 0; i < peers.size(); ++i) {
    if (out[i].size() > kLargest) fail("more than 2 GiB in one window for one rank");
    MPI_Isend(out[i].data(), static_cast<int>(out[i].size()), MPI_BYTE, static_cast<int>(peers[i]),
              kExchangeTag, MPI_COMM_WORLD, &sending_[i]);
  }
  std::int64_t least = 0;
  MPI_Allreduce(&number, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Mprobe(static_cast<int>(peers[i]), kExchangeTag, MPI_COMM_WORLD, &handle, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    in[i].resize(static_cast<std::size_t>(size));
    MPI_Mrecv(in[i].data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(sending_.size()), sending_.data(), MPI_STATUSES_IGNORE);
  return least;
}

MpiCommunicator::Sizes MpiCommunicator::sizes(const Bytes& mine) {
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

std::vector<Bytes> MpiCommunicator::cut(const Bytes& all, const Sizes& sizes) {
  std::vector<Bytes> parts;
  for (std::size_t r = 0; r < sizes.size.size(); ++r) {
    const auto begin = all.begin() + sizes.begin[r];
    parts.emplace_back(begin, begin + sizes.size[r]);
  }
  return parts;
}

std::vector<Bytes> MpiCommunicator::all_gather(const Bytes& mine) {
  const Sizes sizes = this->sizes(mine);
  Bytes all(sizes.all);
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(),
                 sizes.size.data(), sizes.begin.data(), MPI_BYTE, MPI_COMM_WORLD);
  return cut(all, sizes);
}

std::vector<Bytes> MpiCommunicator::gather(const Bytes& mine) {
  const Sizes sizes = this->sizes(mine);
  Bytes all(first() ? sizes.all : 0);
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), sizes.size.data(),
              sizes.begin.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  return first() ? cut(all, sizes) : std::vector<Bytes>();
}

void MpiCommunicator::fail(std::string_view why) {
  fmt::print(stderr, "ebb: rank {} of {}: {}\n", rank_, count_, why);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 70);
  std::abort();  // not reached; MPI does not say so
}

namespace {

constexpr int kMessageTag = 2;  // not that of an exchange

}  // namespace

void MpiPointToPoint::send(std::uint32_t to, const Bytes& bytes) {
  if (bytes.size() > std::numeric_limits<int>::max())
    communicator_.fail("a message of more than 2 GiB");
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to),
           kMessageTag, MPI_COMM_WORLD);
}

std::optional<Message> MpiPointToPoint::try_receive() {
  int arrived = 0;
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, kMessageTag, MPI_COMM_WORLD, &arrived, &handle, &status);
  if (arrived == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{static_cast<std::uint32_t>(status.MPI_SOURCE),
                  Bytes(static_cast<std::size_t>(size))};
  MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
  return message;
}

}  // namespace ebb::mpi
