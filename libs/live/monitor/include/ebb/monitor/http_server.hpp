// SPDX-License-Identifier: Apache-2.0
//
// Answers GET and HEAD over HTTP/1.1, in the thread of a Loop and never waiting. Made for few and
// rare askers: a connection carries one request, has a deadline whatever it does meanwhile, and
// there are only so many at a time.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/transport/address.hpp"
#include "ebb/transport/loop.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::monitor {

struct HttpResponse {
  std::string type;  // as "text/plain"
  std::string body;
};

struct HttpLimits {
  unsigned connections = 16;
  std::size_t request_bytes = 8192;            // with all headers
  transport::Milliseconds connection{10'000};  // from its first byte to its last
};

class HttpServer {
 public:
  // By path; nothing: there is no such page.
  using Handler = std::function<std::optional<HttpResponse>(std::string_view path)>;

  // Port 0 takes a free one; `address` has it then. Fails where ebb was built without
  // libmicrohttpd.
  static Result<std::unique_ptr<HttpServer>> open(transport::Loop& loop,
                                                  const transport::Address& address,
                                                  const HttpLimits& limits, Handler answer);
  virtual ~HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] virtual const transport::Address& address() const = 0;

 protected:
  HttpServer() = default;
};

}  // namespace ebb::monitor
