// SPDX-License-Identifier: Apache-2.0
//
// A process by itself, and the choice between that and MPI.
#include "ebb/mpi/communicator.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#ifdef EBB_HAVE_MPI
#include "mpi_communicator.hpp"
#endif

namespace ebb::mpi {
namespace {

// Whether a launcher started this process as one of several, by what it left in the environment.
// Asking MPI itself takes half a second, even where there is only one process.
bool is_one_of_several() {
  // Open MPI's mpirun; PMIx (srun --mpi=pmix, prun); PMI-1 and PMI-2 (srun --mpi=pmi2).
  constexpr std::array kSigns = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [](const char* sign) { return std::getenv(sign) != nullptr; });
}

class SerialPointToPoint final : public PointToPoint {
 public:
  void send(std::uint32_t /*to*/, const Bytes& /*bytes*/) override {
    EBB_CHECK(false, "a message to no rank");
  }
  [[nodiscard]] std::optional<Message> try_receive() override { return std::nullopt; }
};

}  // namespace

void SerialCommunicator::fail(std::string_view why) {
  fmt::print(stderr, "ebb: {}\n", why);
  std::exit(70);  // a bug in ebb; docs/exit-codes.md
}

Communicator& serial_communicator() {
  static SerialCommunicator process;
  return process;
}

Result<std::unique_ptr<Communicator>> mpi_init() {
  if (!is_one_of_several()) return std::make_unique<SerialCommunicator>();
#ifdef EBB_HAVE_MPI
  return std::make_unique<MpiCommunicator>();
#else
  return fail("started as one of several processes, but this ebb was built without MPI");
#endif
}

std::unique_ptr<PointToPoint> point_to_point([[maybe_unused]] Communicator& communicator) {
#ifdef EBB_HAVE_MPI
  if (!communicator.is_serial()) return std::make_unique<MpiPointToPoint>(communicator);
#endif
  return std::make_unique<SerialPointToPoint>();
}

}  // namespace ebb::mpi
