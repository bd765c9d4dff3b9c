// SPDX-License-Identifier: Apache-2.0
#include "mpi_post.hpp"

#include <limits>
#include <mpi.h>

namespace ebb::mpi {
namespace {

constexpr int kPostTag = 2;  // not that of an exchange

}  // namespace

void MpiPost::send(std::uint32_t to, const Bytes& bytes) {
  if (bytes.size() > std::numeric_limits<int>::max()) ranks_.fail("a letter of more than 2 GiB");
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to), kPostTag,
           MPI_COMM_WORLD);
}

std::optional<Letter> MpiPost::look() {
  int arrived = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, kPostTag, MPI_COMM_WORLD, &arrived, &message, &status);
  if (arrived == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Letter letter{static_cast<std::uint32_t>(status.MPI_SOURCE),
                Bytes(static_cast<std::size_t>(size))};
  MPI_Mrecv(letter.bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return letter;
}

}  // namespace ebb::mpi
