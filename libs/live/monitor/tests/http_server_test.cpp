// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/http_server.hpp"

#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

namespace ebb::monitor {
namespace {

using transport::Milliseconds;

// A server and its clients on one loop, over real sockets.
class AServer : public testing::Test {
 protected:
  void open(const HttpLimits& limits = {}, const std::string& host = "127.0.0.1") {
    auto made = HttpServer::open(loop, {.kind = transport::Kind::tcp, .host = host}, limits,
                                 [](std::string_view path) -> std::optional<HttpResponse> {
                                   if (path != "/metrics") return std::nullopt;
                                   return HttpResponse{"text/plain", std::string(300'001, 'x')};
                                 });
    if (!made && made.error()[0].message.starts_with("built without"))
      GTEST_SKIP() << made.error()[0].message;
    ASSERT_TRUE(made) << made.error()[0].message;
    server = std::move(*made);
  }

  struct Client {
    std::optional<transport::Stream> stream;
    std::string got;
    bool closed = false;
  };
  std::unique_ptr<Client> client(const std::string& says) {
    auto one = std::make_unique<Client>();
    one->stream = std::move(*transport::Stream::connect(loop, server->address()));
    one->stream->on({.received =
                         [&got = one->got](std::span<const std::byte> bytes) {
                           got.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                         },
                     .closed = [&closed = one->closed](const std::string&) { closed = true; }});
    one->stream->send(std::as_bytes(std::span(says)));
    return one;
  }
  std::string exchange(const std::string& says) {
    const auto one = client(says);
    EXPECT_TRUE(loop.run_until([&] { return one->closed; }, Milliseconds(10'000)));
    return one->got;
  }

  transport::Loop loop;
  std::unique_ptr<HttpServer> server;
};

TEST_F(AServer, AnswersAndCloses) {
  open();
  if (!server) return;
  const std::string got = exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(got.starts_with("HTTP/1.1 200 OK\r\n")) << got.substr(0, 200);
  EXPECT_NE(got.find("Connection: close\r\n"), std::string::npos);
  EXPECT_NE(got.find("Content-Length: 300001\r\n"), std::string::npos);
  EXPECT_TRUE(got.ends_with("xxxx"));
}

TEST_F(AServer, AnswersOverIPv6) {
  open({}, "::1");
  if (!server) return;
  EXPECT_TRUE(exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 200"));
}

TEST_F(AServer, RefusesWhatItDoesNotHaveOrDo) {
  open();
  if (!server) return;
  EXPECT_TRUE(exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 404"));
  const std::string posted =
      exchange("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_TRUE(posted.starts_with("HTTP/1.1 405")) << posted;
  EXPECT_NE(posted.find("Allow: GET, HEAD\r\n"), std::string::npos);
  EXPECT_FALSE(exchange("nonsense\r\n\r\n").starts_with("HTTP/1.1 200"));
}

TEST_F(AServer, CutsRequestsThatAreTooLong) {
  open();
  if (!server) return;
  const std::string got =
      exchange("GET /metrics HTTP/1.1\r\nHost: x\r\nX: " + std::string(20'000, 'y') + "\r\n\r\n");
  EXPECT_FALSE(got.starts_with("HTTP/1.1 200")) << got.substr(0, 200);
}

// A byte now and then would keep a connection open for ever if only silence were limited.
TEST_F(AServer, CutsOffWhoIsTooSlowAlthoughNeverSilent) {
  open({.connection = Milliseconds(400)});
  if (!server) return;
  const auto slow = client("GET /metrics");
  std::function<void()> drip = [&] {
    if (slow->closed) return;
    slow->stream->send(std::as_bytes(std::span("x", 1)));
    loop.after(Milliseconds(50), drip);
  };
  drip();
  EXPECT_TRUE(loop.run_until([&] { return slow->closed; }, Milliseconds(10'000)));
}

TEST_F(AServer, TakesOnlySoManyAtATimeAndServesAgainWhenTheyAreGone) {
  open({.connections = 2, .connection = Milliseconds(500)});
  if (!server) return;
  const auto one = client("GET");
  const auto two = client("GET");
  loop.run_until([] { return false; }, Milliseconds(100));
  const auto third = client("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(loop.run_until([&] { return third->closed; }, Milliseconds(10'000)));
  EXPECT_TRUE(one->closed || two->closed) << "it had to wait for one of them";
  EXPECT_TRUE(third->got.starts_with("HTTP/1.1 200")) << third->got.substr(0, 200);
  EXPECT_TRUE(exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 200"));
}

TEST_F(AServer, SaysWhenTheAddressIsTaken) {
  open();
  if (!server) return;
  const auto second = HttpServer::open(loop, server->address(), {},
                                       [](auto) { return std::optional<HttpResponse>(); });
  ASSERT_FALSE(second);
  EXPECT_NE(second.error()[0].message.find("Address already in use"), std::string::npos)
      << second.error()[0].message;
}

}  // namespace
}  // namespace ebb::monitor
