// SPDX-License-Identifier: Apache-2.0
//
// A controller in a process of its own, which a test can stop, continue and kill. What it says goes
// to a file. The process is gone when the object is. Made before the test has threads.
//
//   ForkedController leader(options, folder.file("leader"));
//   ASSERT_TRUE(leader.wait_for("leads, generation 1")) << leader.said();
//   leader.signal(SIGSTOP);
#pragma once

#include "running_controller.hpp"

#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ebb::runtime {

inline std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A TCP port of this machine that nobody has at the moment.
inline std::uint16_t free_port() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  static_cast<void>(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size));
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  close(descriptor);
  return ntohs(address.sin_port);
}

// The page of metrics at that port, with its HTTP headers; empty: nobody answers.
inline std::string get_metrics(std::uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const timeval limit{.tv_sec = 5, .tv_usec = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  std::string page;
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = "GET /metrics HTTP/1.1\r\nHost: test\r\n\r\n";
    static_cast<void>(send(descriptor, request.data(), request.size(), MSG_NOSIGNAL));
    char bytes[4096];
    for (ssize_t got = 0; (got = recv(descriptor, bytes, sizeof bytes, 0)) > 0;)
      page.append(bytes, static_cast<std::size_t>(got));
  }
  close(descriptor);
  return page;
}

class ForkedController {
 public:
  ForkedController(RunOptions options, std::string says)
      : options_(std::move(options)), says_(std::move(says)), process_(fork()) {
    if (process_ == 0) run();
  }
  ForkedController(const ForkedController&) = delete;
  ForkedController& operator=(const ForkedController&) = delete;
  ~ForkedController() {
    if (code_) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  void signal(int number) const { kill(process_, number); }
  [[nodiscard]] std::string said() const { return text_of(says_); }
  [[nodiscard]] bool wait_for(const std::string& text) const {
    return wait_until([&] { return said().find(text) != std::string::npos; });
  }
  // Waits for at most 20 seconds.
  template <class Condition>
  bool wait_until(Condition condition) const {
    for (int turn = 0; turn < 1000; ++turn) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return static_cast<bool>(condition());
  }
  [[nodiscard]] std::string page() const {
    return get_metrics(static_cast<std::uint16_t>(std::stoi(options_.metrics)));
  }
  [[nodiscard]] nlohmann::ordered_json status() const {
    auto status = nlohmann::ordered_json::parse(
        text_of(options_.state.controller("triangle") + "/status.json"), nullptr, false);
    return status.is_discarded() ? nlohmann::ordered_json::object() : status;
  }
  // Waits for its end: the kind of the end.
  [[nodiscard]] int code() {
    int status = 0;
    waitpid(process_, &status, 0);
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return *code_;
  }

 private:
  [[noreturn]] void run() const noexcept {
    static volatile std::sig_atomic_t stop = 0;
    std::signal(SIGTERM, [](int) { stop = 1; });
    std::ofstream out(says_, std::ios::app);
    const RunEnd end = run_controller(
        options_, {.load_parts = [] { return power::Library{}; },
                   .stop_requested = [] { return stop != 0; },
                   .say = [&](TimePoint, const std::string& line) { out << line << std::endl; }});
    out << to_string(end.errors) << std::endl;
    _exit(static_cast<int>(end.kind));
  }

  RunOptions options_;
  std::string says_;
  pid_t process_;
  std::optional<int> code_;
};

}  // namespace ebb::runtime
