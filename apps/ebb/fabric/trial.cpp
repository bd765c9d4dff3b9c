// SPDX-License-Identifier: Apache-2.0
#include "fabric/trial.hpp"

#include "command_line/interrupt.hpp"

#include "ebb/core/child_process.hpp"
#include "ebb/core/program_path.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ebb::cli {
namespace {

using Clock = std::chrono::steady_clock;
using testbed::preflight::Finding;
using testbed::preflight::Verdict;

constexpr auto kPatience = std::chrono::seconds(30);
constexpr const char* kLink = "s1-s2";  // the one of a triangle that may sleep
constexpr const char* kFarHost = "10.0.0.2";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class Trial {
 public:
  Trial() : name_(fmt::format("d{}", getpid())) {  // no other process has it
    std::string folder = "/tmp/ebb-doctor-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return;
    folder_ = folder;
    std::ofstream(file()) << "schema_version: 1\nname: " << name_
                          << "\ntopology: {family: complete, switches: 3, hosts: 1}\n"
                             "safety: {awake_for: 0s, asleep_for: 0s, calm: 0s}\n";
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    if (up_) static_cast<void>(take_down());
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  testbed::preflight::Findings run() {
    if (folder_.empty())
      return {{"trial", Verdict::fail, "cannot make a folder in /tmp", "make it writable"}};
    testbed::preflight::Findings findings;
    for (const auto step : {&Trial::bring_up, &Trial::control, &Trial::sleep, &Trial::reach,
                            &Trial::wake, &Trial::reach, &Trial::take_down}) {
      findings.push_back((this->*step)());
      if (findings.back().verdict == Verdict::fail) break;
    }
    return findings;
  }

 private:
  [[nodiscard]] std::string file() const { return folder_ + "/fabric.yaml"; }

  // This program, with the trial's own state folder.
  [[nodiscard]] std::vector<std::string> words(std::vector<std::string> verb) const {
    std::vector<std::string> all = {"/proc/self/exe", "fabric"};
    all.insert(all.end(), verb.begin(), verb.end());
    all.insert(all.begin() + 3, {"--state", folder_ + "/state"});
    return all;
  }
  [[nodiscard]] Finished ask(std::vector<std::string> verb) const {
    auto done = run_program(words(std::move(verb)));
    return done ? *done : Finished{127, "", to_string(done.error())};
  }

  static Finding failed(std::string subject, const std::string& said) {
    return {std::move(subject), Verdict::fail, first_line(said),
            "`ebb fabric up` and `run` of examples/fabric-3x3.yaml say more; so does dmesg"};
  }

  // Until it is so, or nobody has the patience, or Ctrl-C.
  static bool wait_until(const std::function<bool()>& so) {
    constexpr auto kPause = std::chrono::milliseconds(100);
    for (const auto end = Clock::now() + kPatience; Clock::now() < end && !interrupted();) {
      if (so()) return true;
      std::this_thread::sleep_for(kPause);
    }
    return false;
  }

  Finding bring_up() {
    const auto start = Clock::now();
    up_ = true;  // or half of it
    const Finished done = ask({"up", file()});
    if (done.exit_code != 0) return failed("trial: up", done.complaints);
    return {"trial: up", Verdict::ok,
            fmt::format("3 switches, 3 hosts in {:.1f} s", seconds_since(start))};
  }

  Finding control() {
    constexpr const char* kLongest = "180";  // seconds, should nobody end it
    const auto start = Clock::now();
    auto child = Child::start(words({"run", file(), "--seconds", kLongest}));
    if (!child) return failed("trial: controller", to_string(child.error()));
    controller_.emplace(std::move(*child));
    // It takes links out only when every switch and cable is known.
    Finished said;
    const bool taken = wait_until([&] {
      said = ask({"take-out", kLink});
      return said.exit_code == 0;
    });
    if (!taken) return failed("trial: controller", said.complaints);
    return {"trial: controller", Verdict::ok,
            fmt::format("has all switches and cables after {:.1f} s", seconds_since(start))};
  }

  [[nodiscard]] std::string state_of_link() const {
    const auto status =
        nlohmann::json::parse(ask({"status", "--fabric", name_, "--json"}).output, nullptr, false);
    if (status.is_discarded()) return "unknown";
    for (const auto& link : status["links"]) {
      if (link["link"] == kLink) return link["state"].get<std::string>();
    }
    return "unknown";
  }

  Finding become(const std::string& state, const std::string& subject) {
    const auto start = Clock::now();
    if (!wait_until([&] { return state_of_link() == state; }))
      return failed(subject, fmt::format("{} is {}, not {}", kLink, state_of_link(), state));
    return {subject, Verdict::ok,
            fmt::format("{} {} within {:.1f} s", kLink, state, seconds_since(start))};
  }

  Finding sleep() { return become("asleep", "trial: sleep"); }

  Finding wake() {
    const Finished done = ask({"put-back", kLink});
    if (done.exit_code != 0) return failed("trial: wake", done.complaints);
    return become("active", "trial: wake");
  }

  Finding reach() {
    if (!program_path("fping")) {
      return {"trial: reach", Verdict::warn, "not tried: there is no fping",
              "Debian: apt-get install fping"};
    }
    const Finished done = ask(
        {"exec", "h1", "--fabric", name_, "--", "fping", "-q", "-c", "5", "-p", "50", kFarHost});
    // "10.0.0.2 : xmt/rcv/%loss = 5/5/0%, ..."
    if (done.complaints.find("= 5/5/0%") == std::string::npos)
      return failed("trial: reach", done.complaints);
    return {"trial: reach", Verdict::ok, "5 of 5 answers of h2 to h1"};
  }

  Finding take_down() {
    const auto start = Clock::now();
    const Finished done = ask({"down", name_});
    up_ = false;
    // It sees that its fabric has gone.
    if (controller_) static_cast<void>(controller_->wait());
    controller_.reset();
    if (done.exit_code != 0) return failed("trial: down", done.complaints);
    return {"trial: down", Verdict::ok,
            fmt::format("nothing is left after {:.1f} s", seconds_since(start))};
  }

  std::string name_;
  std::string folder_;
  bool up_ = false;
  std::optional<Child> controller_;
};

}  // namespace

testbed::preflight::Findings try_fabric() {
  notice_interrupts();
  return Trial().run();
}

}  // namespace ebb::cli
