// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what a gNMI client sends to our target, and as what a target sends to our driver.
// The first byte says which message it is.
#include "memory_device.hpp"
#include "replies.hpp"

#include "ebb/core/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace ebb::gnmi;
using ebb::gnmi::test::MemoryDevice;

template <class Message>
Message parsed(const std::string& bytes) {
  Message message;
  if (!message.ParseFromString(bytes)) message.Clear();  // gRPC would have refused it
  return message;
}

void ask(const std::string& bytes) {
  MemoryDevice device(2);
  const auto response = get(parsed<wire::GetRequest>(bytes), device);
  EBB_CHECK(response || !response.error().text.empty(), "refused in words");
  if (!response) return;
  for (const auto& one : response->notification())
    EBB_CHECK(read(one).size() == static_cast<std::size_t>(one.update_size()),
              "what the target writes the driver reads");
}

void change(const std::string& bytes) {
  MemoryDevice device(2);
  const auto before = leaves_of(*device.look());
  const auto response = set(parsed<wire::SetRequest>(bytes), device);
  if (!response) EBB_CHECK(leaves_of(*device.look()) == before, "refused: nothing has changed");
}

void subscribe(const std::string& bytes) {
  auto asked = wanted(parsed<wire::SubscribeRequest>(bytes).subscribe());
  if (!asked) return;
  MemoryDevice device(2);
  Subscriber one(std::move(*asked), SteadyTime{});
  const auto all = one.all(leaves_of(*device.look()));
  EBB_CHECK(one.next(leaves_of(*device.look()), SteadyTime{}).size() <= all.size(),
            "nobody is told what he did not want");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 4 == 0) ask(bytes);
  if (data[0] % 4 == 1) change(bytes);
  if (data[0] % 4 == 2) subscribe(bytes);
  if (data[0] % 4 == 3) static_cast<void>(read(parsed<wire::Notification>(bytes)));
  return 0;
}
