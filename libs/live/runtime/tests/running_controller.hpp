// SPDX-License-Identifier: Apache-2.0
//
// A controller that runs in a thread of the test, with switches that another thread plays: they
// connect over TCP and speak OpenFlow 1.3. Everything is gone when the object is.
//
//   RunningController running(kTriangle);
//   ASSERT_TRUE(running.wait_until([&] { return running.all_here(); }));
//   EXPECT_EQ(running.ask("drain s1-s2"), "done");
#pragma once

#include "support/fake_openflow_switches.hpp"
#include "support/temporary_folder.hpp"

#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/run.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::runtime {

// Three switches with a host on each. Of the three links between them one may sleep: s1-s2.
inline constexpr const char* kTriangle =
    "schema_version: 1\nname: triangle\n"
    "topology: {family: complete, switches: 3, hosts: 1}\n"
    "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 0s}\n";

// A box whose ports draw 3 W awake and 1 W asleep, as its maker says: `parts: {switch: a-box}`.
inline power::Library a_library() {
  power::Library library;
  const std::uint32_t sheet = library.add_source(
      {.id = "sheet", .title = "A sheet", .evidence = power::Evidence::datasheet});
  power::Box box{.ports = 8, .base = {watts(100), sheet}};
  box.setups.push_back({.name = "a module",
                        .medium = "optical",
                        .rate = gigabits_per_second(100),
                        .port = {watts(1), sheet},
                        .plugged = {watts(1), sheet},
                        .up = {watts(1), sheet}});
  library.add_part({.name = "a-box", .body = std::move(box)});
  return library;
}

class RunningController {
 public:
  explicit RunningController(const std::string& fabric, RunOptions options = {},
                             std::function<policy::Made()> make_policy = nullptr)
      : options_(std::move(options)) {
    options_.file = folder_.file("fabric.yaml");
    std::ofstream(options_.file) << fabric;
    options_.state.path = folder_.file("state");
    options_.remote.listen = "tcp:127.0.0.1:0";
    file_ = *fabric_config::read_fabric(options_.file);
    controller_ = std::thread([this, make_policy = std::move(make_policy)] {
      end_ = run_controller(options_,
                            {.load_parts = a_library,
                             .stop_requested = [this] { return stop_.load(); },
                             .reload_requested = [] { return false; },
                             .say = [this](TimePoint, const std::string& line) { said(line); },
                             .make_policy = make_policy});
      ended_ = true;
    });
  }
  RunningController(const RunningController&) = delete;
  RunningController& operator=(const RunningController&) = delete;
  ~RunningController() {
    static_cast<void>(stop());
    if (!switches_) return;
    switch_loop_.stop();
    player_.join();
  }

  // Waits until the controller listens, and lets all switches connect to it.
  bool connect_switches() {
    if (!wait_until([this] { return port_.load() != 0; })) return false;
    const auto address = transport::parse_address("tcp:127.0.0.1:" + std::to_string(port_));
    switches_.emplace(switch_loop_, file_->graph, *address, [this] { return load_.load(); });
    player_ = std::thread([this] { switch_loop_.run(); });
    return true;
  }

  // Share of its rate that every channel sends from now on.
  void set_load(double share) { load_ = share; }

  // Runs that in the thread of the switches, and waits until it is done.
  template <class Task>
  auto with_switches(Task task) {
    std::promise<decltype(task(*switches_))> promise;
    auto done = promise.get_future();
    switch_loop_.post([&] {
      if constexpr (std::is_void_v<decltype(task(*switches_))>) {
        task(*switches_);
        promise.set_value();
      } else {
        promise.set_value(task(*switches_));
      }
    });
    return done.get();
  }

  [[nodiscard]] std::string control_path() const { return options_.state.control(file_->name); }
  // An order of an operator over the control socket; an error starts with "error:".
  [[nodiscard]] std::string ask(const std::string& line) const {
    const auto answer = ask_controller(control_path(), line);
    return answer ? *answer : "error: " + to_string(answer.error());
  }

  [[nodiscard]] nlohmann::ordered_json status() const {
    std::ifstream in(options_.state.controller(file_->name) + "/status.json");
    auto status = nlohmann::ordered_json::parse(in, nullptr, false);
    return status.is_discarded() ? nlohmann::ordered_json::object() : status;
  }
  [[nodiscard]] bool all_here() const {
    const auto now = status();
    return now.contains("switches_away") && now["switches_away"].empty();
  }
  [[nodiscard]] std::string state_of(const std::string& link) const {
    const auto now = status();
    if (!now.contains("links")) return "unknown";
    for (const auto& one : now["links"])
      if (one["link"] == link) return one["state"].get<std::string>();
    return "unknown";
  }

  // Every line of JSON of a file of the controller's folder that has this "event".
  [[nodiscard]] std::vector<nlohmann::json> events(const std::string& file,
                                                   const std::string& event) const {
    std::vector<nlohmann::json> found;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      auto json = nlohmann::json::parse(line, nullptr, false);
      if (!json.is_discarded() && json["event"] == event) found.push_back(std::move(json));
    }
    return found;
  }

  [[nodiscard]] bool has_said(const std::string& text) {
    const std::lock_guard guard(mutex_);
    return said_.find(text) != std::string::npos;
  }

  [[nodiscard]] std::string said() {
    const std::lock_guard guard(mutex_);
    return said_;
  }

  // Waits for at most 20 seconds.
  template <class Condition>
  bool wait_until(Condition condition) {
    constexpr auto kLimit = std::chrono::seconds(20);
    for (const auto end = transport::Clock::now() + kLimit; transport::Clock::now() < end;) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return condition();
  }

  // Asks the controller to end, as SIGTERM does, and waits for it.
  [[nodiscard]] RunEnd stop() {
    stop_ = true;
    if (controller_.joinable()) controller_.join();
    return end_;
  }
  [[nodiscard]] bool has_ended() const { return ended_; }
  // Waits for an end that nobody asked for.
  [[nodiscard]] RunEnd end() {
    if (controller_.joinable()) controller_.join();
    return end_;
  }
  // Where switches connect.
  [[nodiscard]] std::string address() const { return "tcp:127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] const topology::Graph& graph() const { return file_->graph; }
  [[nodiscard]] const RunOptions& options() const { return options_; }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  void said(const std::string& line) {
    constexpr std::string_view kListens = "listens at tcp:127.0.0.1:";
    // A dry run says before that it is one.
    if (const auto at = line.find(kListens); at != std::string::npos)
      port_ = std::stoi(line.substr(at + kListens.size()));
    const std::lock_guard guard(mutex_);
    said_ += line + "\n";
  }

  test::TemporaryFolder folder_;
  RunOptions options_;
  std::optional<fabric_config::FabricFile> file_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> ended_ = false;
  std::atomic<double> load_ = 0;
  std::atomic<int> port_ = 0;
  std::mutex mutex_;
  std::string said_;
  RunEnd end_;
  transport::Loop switch_loop_;
  std::optional<test::FakeOpenFlowSwitches> switches_;
  std::thread player_;
  std::thread controller_;
};

}  // namespace ebb::runtime
