// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/preflight.hpp"

#include "ebb/core/process.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/runtime/switch_access.hpp"
#include "ebb/testbed/preflight.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ebb::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using testbed::preflight::CheckResult;
using testbed::preflight::CheckResults;
using testbed::preflight::Verdict;

constexpr auto kStepTimeout = std::chrono::seconds(30);
constexpr const char* kLink = "s1-s2";  // the one of a triangle that may sleep
constexpr const char* kFarHost = "10.0.0.2";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A small fabric that is brought up, controlled and taken down again by this very program: three
// switches, a host on each; one link sleeps and wakes. It stops at the first failure, and nothing
// of it is left. Root.
class Trial {
 public:
  explicit Trial(std::function<bool()> stop_requested)
      : name_(fmt::format("d{}", getpid())),
        stop_requested_(std::move(stop_requested)) {  // no other process has that name
    std::string folder = "/tmp/ebb-doctor-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return;
    folder_ = folder;
    std::ofstream(file())
        << "schema_version: 1\nname: " << name_
        << "\ntopology: {family: complete, switches: 3, hosts: 1}\n"
           "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 0s}\n";
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    if (up_) static_cast<void>(take_down());
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  CheckResults run() {
    if (folder_.empty())
      return {{"trial", Verdict::fail, "cannot make a folder in /tmp", "make it writable"}};
    CheckResults results;
    for (const auto step : {&Trial::bring_up, &Trial::control, &Trial::sleep, &Trial::reach,
                            &Trial::wake, &Trial::reach, &Trial::take_down}) {
      results.push_back((this->*step)());
      if (results.back().verdict == Verdict::fail) break;
    }
    return results;
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

  static CheckResult failed(std::string subject, const std::string& said) {
    return {std::move(subject), Verdict::fail, first_line(said),
            "`ebb fabric up` and `run` of examples/fabric-3x3.yaml say more; so does dmesg"};
  }

  // Until it is so, or the time is over, or somebody asks for the end.
  [[nodiscard]] bool wait_until(const std::function<bool()>& so) const {
    constexpr auto kPause = std::chrono::milliseconds(100);
    for (const auto end = Clock::now() + kStepTimeout; Clock::now() < end && !stop_requested_();) {
      if (so()) return true;
      std::this_thread::sleep_for(kPause);
    }
    return false;
  }

  CheckResult bring_up() {
    const auto start = Clock::now();
    up_ = true;  // or half of it
    const Finished done = ask({"up", file()});
    if (done.exit_code != 0) return failed("trial: up", done.stderr_text);
    return {"trial: up", Verdict::ok,
            fmt::format("3 switches, 3 hosts in {:.1f} s", seconds_since(start))};
  }

  CheckResult control() {
    constexpr const char* kLongest = "180";  // seconds, should nobody end it
    const auto start = Clock::now();
    auto child = Child::start(words({"run", file(), "--seconds", kLongest}));
    if (!child) return failed("trial: controller", to_string(child.error()));
    controller_.emplace(std::move(*child));
    // It drains links only when every switch and cable is known.
    Finished said;
    const bool taken = wait_until([&] {
      said = ask({"drain", kLink});
      return said.exit_code == 0;
    });
    if (!taken) return failed("trial: controller", said.stderr_text);
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

  CheckResult become(const std::string& state, const std::string& subject) {
    const auto start = Clock::now();
    if (!wait_until([&] { return state_of_link() == state; }))
      return failed(subject, fmt::format("{} is {}, not {}", kLink, state_of_link(), state));
    return {subject, Verdict::ok,
            fmt::format("{} {} within {:.1f} s", kLink, state, seconds_since(start))};
  }

  CheckResult sleep() { return become("asleep", "trial: sleep"); }

  CheckResult wake() {
    const Finished done = ask({"undrain", kLink});
    if (done.exit_code != 0) return failed("trial: wake", done.stderr_text);
    return become("active", "trial: wake");
  }

  CheckResult reach() {
    if (!program_path("fping")) {
      return {"trial: reach", Verdict::warn, "not tried: there is no fping",
              "Debian: apt-get install fping"};
    }
    const Finished done = ask(
        {"exec", "h1", "--fabric", name_, "--", "fping", "-q", "-c", "5", "-p", "50", kFarHost});
    // "10.0.0.2 : xmt/rcv/%loss = 5/5/0%, ..."
    if (done.stderr_text.find("= 5/5/0%") == std::string::npos)
      return failed("trial: reach", done.stderr_text);
    return {"trial: reach", Verdict::ok, "5 of 5 answers of h2 to h1"};
  }

  CheckResult take_down() {
    const auto start = Clock::now();
    const Finished done = ask({"down", name_});
    up_ = false;
    // It sees that its fabric has gone.
    if (controller_) static_cast<void>(controller_->wait());
    controller_.reset();
    if (done.exit_code != 0) return failed("trial: down", done.stderr_text);
    return {"trial: down", Verdict::ok,
            fmt::format("nothing is left after {:.1f} s", seconds_since(start))};
  }

  std::string name_;
  std::function<bool()> stop_requested_;
  std::string folder_;
  bool up_ = false;
  std::optional<Child> controller_;
};

// ---- examinations that change nothing

void append(CheckResults& results, CheckResults more) {
  results.insert(results.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

// What a fabric of this machine needs.
CheckResults check_machine() {
  CheckResults results;
  for (const testbed::preflight::Program& program : testbed::preflight::fabric_programs())
    results.push_back(testbed::preflight::check_program(program));
  results.push_back(testbed::preflight::check_user());
  // Without ip, tc or root it would fail for that reason.
  if (!any_failed(results)) append(results, testbed::preflight::check_kernel());
  return results;
}

// What a controller of switches elsewhere needs.
CheckResults check_listener(const PreflightOptions& options, const transport::Address& address) {
  CheckResults results = {testbed::preflight::check_listen_address(address)};
  if (address.kind == transport::Kind::tls) {
    append(results, testbed::preflight::check_certificates(options.tls));
  } else if (!transport::is_local(address)) {
    results.push_back({"TLS", Verdict::warn, "off: who reaches the port controls the network",
                       "--listen ssl:..., with certificates"});
  }
  return results;
}

// What the controller of the fabric last wrote down; nothing when none has run.
std::optional<CheckResult> check_controller(const std::string& status_file) {
  std::ifstream in(status_file);
  const auto status = nlohmann::json::parse(in, nullptr, false);
  if (status.is_discarded()) return std::nullopt;
  std::string missing;
  for (const auto& name : status["switches_away"]) missing += " " + name.get<std::string>();
  if (!missing.empty()) {
    return CheckResult{
        "controller", Verdict::fail, "switches that are not here:" + missing,
        "look at their power, their path to the controller and their set-controller"};
  }
  if (!status["wrong_cables"].empty()) {
    return CheckResult{"controller", Verdict::fail, status["wrong_cables"][0].get<std::string>(),
                       "plug the cable as the file says, or change the file"};
  }
  return CheckResult{
      "controller", Verdict::ok,
      fmt::format("had all {} switches and their cables", status["switches"].dump())};
}

}  // namespace

Result<CheckResults> examine(const PreflightOptions& options,
                             const std::function<bool()>& stop_requested) {
  std::optional<fabric_config::FabricFile> file;
  if (!options.file.empty()) {
    auto read = fabric_config::read_fabric(options.file, options.listen.empty()
                                                             ? fabric_config::Site::test_fabric
                                                             : fabric_config::Site::elsewhere);
    if (!read) return fail(read.error());
    file = std::move(*read);
  }
  CheckResults results;
  if (options.listen.empty()) {
    results = check_machine();
  } else {
    const auto address = parse_listen_address(options.listen);
    if (!address) return fail(address.error());
    results = check_listener(options, *address);
  }
  results.push_back(testbed::preflight::check_clock());
  constexpr std::uint32_t kTrialSwitches = 3;
  results.push_back(
      testbed::preflight::check_descriptors(file ? file->graph.switch_count() : kTrialSwitches));
  results.push_back(testbed::preflight::check_folder(options.state.path));
  if (file) {
    auto found = check_controller(options.state.controller(file->name) + "/status.json");
    if (found) results.push_back(std::move(*found));
  }
  if (options.live && !any_failed(results)) append(results, Trial(stop_requested).run());
  return results;
}

bool any_failed(const CheckResults& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const CheckResult& one) { return one.verdict == Verdict::fail; });
}

Result<std::string> agent_program() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> folders = {here, here.parent_path() / "ebb-agent"};
  const char* path = std::getenv("PATH");
  std::istringstream more(path == nullptr ? "" : path);
  for (std::string folder; std::getline(more, folder, ':');) folders.emplace_back(folder);
  for (const fs::path& folder : folders) {
    const fs::path program = folder / "ebb-agent";
    if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0)
      return program.string();
  }
  return fail("there is no 'ebb-agent'; it is built where libmnl is found (Debian: libmnl-dev)");
}

}  // namespace ebb::runtime
