// SPDX-License-Identifier: Apache-2.0
#include "ebb/mpi/communicator.hpp"

#include "ebb/core/bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace ebb::mpi {
namespace {

TEST(SerialCommunicator, HasOnlyItself) {
  Communicator& communicator = serial_communicator();
  EXPECT_TRUE(communicator.is_serial());
  EXPECT_TRUE(communicator.first());
  EXPECT_EQ(all_reduce(communicator, 7), 7);
  Bytes mine;
  append(mine, 5);
  ASSERT_EQ(communicator.all_gather(mine).size(), 1U);
  EXPECT_EQ(communicator.gather(mine).front(), mine);
  EXPECT_EQ(communicator.exchange({}, {}, {}, 42), 42);
}

TEST(SerialCommunicator, ReceivesNoMessage) {
  const auto messages = point_to_point(serial_communicator());
  EXPECT_FALSE(messages->try_receive());
}

}  // namespace
}  // namespace ebb::mpi
