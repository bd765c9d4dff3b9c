// SPDX-License-Identifier: Apache-2.0
#include "ebb/testbed/preflight/door.hpp"

#include "ebb/transport/listener.hpp"
#include "ebb/transport/loop.hpp"

namespace ebb::testbed::preflight {

Finding try_door(const transport::Address& address) {
  // Whether the port is free has nothing to do with TLS.
  transport::Address plain = address;
  if (plain.kind == transport::Kind::tls) plain.kind = transport::Kind::tcp;
  transport::Loop loop;
  const auto door =
      transport::Listener::open(loop, plain, {.other_machines = true}, [](transport::Stream) {});
  if (door) return {"listening", Verdict::ok, to_text(address) + " is free"};
  return {"listening", Verdict::fail, door.error().front().message,
          "end what listens there, or choose another address; `ss -ltnp` lists them"};
}

}  // namespace ebb::testbed::preflight
