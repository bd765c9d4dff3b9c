// SPDX-License-Identifier: Apache-2.0
//
// GET over HTTP and HTTPS by libcurl, one request after the other over one connection where the
// server allows it. Proxies are those of the environment (http_proxy, no_proxy), certificates are
// checked against those of the system.
#pragma once

#include "ebb/core/result.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace ebb::prometheus {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

struct HttpBounds {
  std::chrono::seconds connecting{};
  std::chrono::seconds silence{};
  std::size_t most_bytes = 0;
};

class HttpConnection {
 public:
  // Fails where ebb was built without libcurl.
  [[nodiscard]] static Result<std::unique_ptr<HttpConnection>> open(const HttpBounds& bounds);
  virtual ~HttpConnection() = default;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Any status is an answer.
  [[nodiscard]] virtual Result<HttpAnswer> get(const std::string& url) = 0;

 protected:
  HttpConnection() = default;
};

}  // namespace ebb::prometheus
