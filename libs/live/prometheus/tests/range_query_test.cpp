// SPDX-License-Identifier: Apache-2.0
#include "ebb/prometheus/range_query.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ebb::prometheus {
namespace {

using namespace std::chrono_literals;

std::string http(int status, const std::string& body, const std::string& more = "") {
  return fmt::format("HTTP/1.1 {} x\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n{}", status,
                     more, body.size(), body);
}

// A server that gives its answers in turn, the last one again and again. An empty answer is none:
// the connection stays open and silent.
class AnsweringServer {
 public:
  explicit AnsweringServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~AnsweringServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    for (const int one : silent_) ::close(one);
  }
  AnsweringServer(const AnsweringServer&) = delete;
  AnsweringServer& operator=(const AnsweringServer&) = delete;

  [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }
  // The first lines of all requests.
  [[nodiscard]] std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void serve() {
    for (std::size_t turn = 0;; ++turn) {
      const int one = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (one < 0) return;
      std::string request;
      std::array<char, 4096> piece{};
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = ::recv(one, piece.data(), piece.size(), 0);
        if (got <= 0) break;
        request.append(piece.data(), static_cast<std::size_t>(got));
      }
      {
        const std::lock_guard lock(mutex_);
        asked_.push_back(request.substr(0, request.find("\r\n")));
      }
      const std::string& answer = answers_[std::min(turn, answers_.size() - 1)];
      if (answer.empty()) {
        silent_.push_back(one);
        continue;
      }
      (void)::send(one, answer.data(), answer.size(), MSG_NOSIGNAL);
      ::close(one);
    }
  }

  std::vector<std::string> answers_;
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<std::string> asked_;
  std::vector<int> silent_;
};

class ARangeQuery : public testing::Test {
 protected:
  ARangeQuery() { ::setenv("no_proxy", "127.0.0.1", 1); }
  void SetUp() override {
    const auto failure = query_range({.url = "http://127.0.0.1:1"}, range_, [](auto) {});
    if (failure && failure->error.message.starts_with("built without"))
      GTEST_SKIP() << failure->error.message;
  }
  std::optional<QueryFailure> ask(const Server& server) {
    return query_range(server, range_,
                       [this](std::string_view body) { bodies_.emplace_back(body); });
  }
  std::string refused(const Server& server) {
    const auto failure = ask(server);
    EXPECT_TRUE(failure);
    return failure ? failure->error.message : "";
  }

  RangeQuery range_{.query = "up{job=\"x y\"}", .from = 300s, .until = 1500s, .step = 300s};
  std::vector<std::string> bodies_;
};

TEST_F(ARangeQuery, IsAskedPieceByPiece) {
  AnsweringServer server({http(200, "{\"a\":1}"), http(200, "{\"b\":2}"), http(200, "{\"c\":3}")});
  range_.points = 2;
  EXPECT_FALSE(ask({.url = server.url() + "/prometheus/"}));
  EXPECT_EQ(bodies_, (std::vector<std::string>{"{\"a\":1}", "{\"b\":2}", "{\"c\":3}"}));
  const std::string begin = "GET /prometheus/api/v1/query_range?query=up%7Bjob%3D%22x%20y%22%7D&";
  EXPECT_EQ(server.asked(), (std::vector<std::string>{
                                begin + "start=300.000&end=600.000&step=300.000 HTTP/1.1",
                                begin + "start=900.000&end=1200.000&step=300.000 HTTP/1.1",
                                begin + "start=1500.000&end=1500.000&step=300.000 HTTP/1.1"}));
}

TEST_F(ARangeQuery, FollowsARedirection) {
  AnsweringServer there({http(200, "{}")});
  AnsweringServer here({http(302, "", "Location: " + there.url() + "/\r\n")});
  EXPECT_FALSE(ask({.url = here.url()}));
  EXPECT_EQ(bodies_.size(), 1U);
  AnsweringServer circle({http(302, "", "Location: /again\r\n")});
  EXPECT_TRUE(refused({.url = circle.url()}).starts_with("the request failed: "));
}

TEST_F(ARangeQuery, ThatIsWrongIsToldFromAServerThatFails) {
  AnsweringServer wrong(
      {http(400, R"({"status":"error","errorType":"bad_data","error":"parse error: no '}'"})")});
  const auto refusal = ask({.url = wrong.url()});
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(refusal->is_bad_query);
  EXPECT_EQ(refusal->error.message, "the server answers HTTP 400: parse error: no '}'");
  EXPECT_EQ(refusal->error.where.file, wrong.url());
  AnsweringServer busy(
      {http(422, R"({"status":"error","errorType":"execution","error":"too many samples"})")});
  const auto failure = ask({.url = busy.url()});
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->is_bad_query);
  EXPECT_EQ(failure->error.message, "the server answers HTTP 422: too many samples");
  EXPECT_TRUE(bodies_.empty());
}

TEST_F(ARangeQuery, NamesWhatIsNoPrometheus) {
  AnsweringServer missing({http(404, "404 page not found\nmore")});
  EXPECT_EQ(refused({.url = missing.url()}), "the server answers HTTP 404: 404 page not found");
  AnsweringServer odd({http(502, "[1,2]")});
  EXPECT_EQ(refused({.url = odd.url()}), "the server answers HTTP 502: [1,2]");
  AnsweringServer page({http(200, "<html>log in</html>")});
  EXPECT_EQ(refused({.url = page.url()}), "the answer is not JSON: is it a Prometheus server?");
  EXPECT_EQ(refused({.url = "http://127.0.0.1:9/graph?g0.expr=up"}),
            "the address of a server has no '?' and no '#'");
}

TEST_F(ARangeQuery, EndsWhenNothingComes) {
  AnsweringServer silent({""});
  EXPECT_TRUE(
      refused({.url = silent.url(), .silence = 1s}).starts_with("the server does not answer: "));
  AnsweringServer cut({"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"});
  EXPECT_TRUE(refused({.url = cut.url()}).starts_with("the request failed: "));
  std::string away;
  {
    const AnsweringServer gone({""});
    away = gone.url();
  }
  EXPECT_TRUE(refused({.url = away}).starts_with("the server cannot be reached: "));
}

TEST_F(ARangeQuery, HasABoundForAnswers) {
  AnsweringServer server({http(200, std::string(3 << 20, '{'))});
  EXPECT_EQ(refused({.url = server.url(), .most_bytes = 2 << 20}),
            "the answer is larger than 2 MiB: ask for fewer series, or for longer steps");
}

TEST(AnAddress, IsShownWithoutItsPassword) {
  EXPECT_TRUE(is_url("https://p:9090"));
  EXPECT_FALSE(is_url("http.csv"));
  EXPECT_EQ(shown_url("https://me:secret@p:9090/x"), "https://p:9090/x");
  EXPECT_EQ(shown_url("http://p/a@b"), "http://p/a@b");
  EXPECT_EQ(shown_url("http://p"), "http://p");
}

}  // namespace
}  // namespace ebb::prometheus
