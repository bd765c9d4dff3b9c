// SPDX-License-Identifier: Apache-2.0
#include "http_get.hpp"

#ifndef EBB_HAVE_CURL

namespace ebb::prometheus {

Result<std::unique_ptr<HttpConnection>> HttpConnection::open(const HttpBounds& /*bounds*/) {
  return fail("built without libcurl, which asks servers: install libcurl4-openssl-dev, build");
}

}  // namespace ebb::prometheus

#else

#include <fmt/format.h>

#include <array>
#include <curl/curl.h>

namespace ebb::prometheus {
namespace {

struct CloseCurl {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

class CurlConnection final : public HttpConnection {
 public:
  CurlConnection(std::unique_ptr<CURL, CloseCurl> handle, const HttpBounds& bounds)
      : handle_(std::move(handle)), bounds_(bounds) {
    constexpr long kMostRedirections = 3;
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMostRedirections);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl can decompress
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(bounds.connecting.count()));
    // Less than a byte in a second for that long.
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(bounds.silence.count()));
    set(CURLOPT_ERRORBUFFER, said_.data());
    set(CURLOPT_WRITEFUNCTION, &CurlConnection::write);
    set(CURLOPT_WRITEDATA, this);
  }

  Result<HttpAnswer> get(const std::string& url) override {
    answer_ = {};
    is_too_large_ = false;
    said_ = {};
    set(CURLOPT_URL, url.c_str());
    const CURLcode code = curl_easy_perform(handle_.get());
    if (is_too_large_) {
      return fail(
          fmt::format("the answer is larger than {} MiB: ask for fewer series, or for "
                      "longer steps",
                      bounds_.most_bytes >> 20U));
    }
    if (code != CURLE_OK) return fail(problem(code));
    long status = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    answer_.status = static_cast<int>(status);
    return std::move(answer_);
  }

 private:
  // An option that this libcurl does not know changes nothing that a query needs.
  template <class Value>
  void set(CURLoption option, Value value) {
    (void)curl_easy_setopt(handle_.get(), option, value);
  }

  [[nodiscard]] std::string problem(CURLcode code) const {
    const std::string said = said_[0] != '\0' ? said_.data() : curl_easy_strerror(code);
    if (code == CURLE_OPERATION_TIMEDOUT) return "the server does not answer: " + said;
    if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST)
      return "the server cannot be reached: " + said;
    return "the request failed: " + said;
  }

  static std::size_t write(char* bytes, std::size_t one, std::size_t count, void* self) {
    auto& connection = *static_cast<CurlConnection*>(self);
    const std::size_t size = one * count;
    if (connection.answer_.body.size() + size > connection.bounds_.most_bytes) {
      connection.is_too_large_ = true;
      return 0;
    }
    connection.answer_.body.append(bytes, size);
    return size;
  }

  std::unique_ptr<CURL, CloseCurl> handle_;
  HttpBounds bounds_;
  HttpAnswer answer_;
  bool is_too_large_ = false;
  std::array<char, CURL_ERROR_SIZE> said_{};
};

}  // namespace

Result<std::unique_ptr<HttpConnection>> HttpConnection::open(const HttpBounds& bounds) {
  std::unique_ptr<CURL, CloseCurl> handle(curl_easy_init());
  if (!handle) return fail("libcurl does not start");
  return std::make_unique<CurlConnection>(std::move(handle), bounds);
}

}  // namespace ebb::prometheus

#endif
