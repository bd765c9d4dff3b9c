// SPDX-License-Identifier: Apache-2.0
#include "running_fabric.hpp"

#include "ebb/runtime/control_socket.hpp"
#include "ebb/runtime/description.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <unistd.h>

namespace ebb::experiments {

using namespace std::chrono_literals;

namespace {

// Nobody else's: a fabric has the name of this process.
std::string own_name() { return fmt::format("repro{}", ::getpid()); }

Result<std::string> own_folder() {
  std::string made = (std::filesystem::temp_directory_path() / "ebb-repro-XXXXXX").string();
  if (::mkdtemp(made.data()) == nullptr) return fail(made + ": " + std::strerror(errno));
  return made;
}

}  // namespace

Result<std::unique_ptr<RunningFabric>> RunningFabric::start(const std::string& topology,
                                                            const std::string& more,
                                                            const runtime::LoadParts& load_parts) {
  if (Errors errors = testbed::validate_machine(); !errors.empty()) {
    for (Error& error : errors) error.message = "cannot run here: " + error.message;
    return fail(std::move(errors));
  }
  auto folder = own_folder();
  if (!folder) return fail(folder.error());
  std::unique_ptr<RunningFabric> made(new RunningFabric());
  made->folder_ = *folder;
  const std::string path = made->folder_ + "/fabric.yaml";
  std::ofstream(path) << fmt::format("schema_version: 1\nname: {}\ntopology: {}\n{}", own_name(),
                                     topology, more);
  auto layout = runtime::layout_of(path);
  if (!layout) return fail(layout.error());
  made->layout_ = std::move(*layout);
  if (auto up = testbed::bring_up(made->layout_, {}); !up) return fail(up.error());
  made->is_up_ = true;
  made->controller_ =
      std::thread([self = made.get(), load_parts] { self->run_controller(load_parts); });
  if (!made->wait_for("all switches are here", 1, 30s))
    return fail("the controller did not find its switches within 30 s");
  return made;
}

RunningFabric::~RunningFabric() {
  stop_ = true;
  if (controller_.joinable()) controller_.join();
  if (is_up_) (void)testbed::take_down(layout_.name, state_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void RunningFabric::run_controller(const runtime::LoadParts& load_parts) {
  runtime::RunOptions options;
  options.file = folder_ + "/fabric.yaml";
  const runtime::Environment environment{.load_parts = load_parts,
                                         .stop_requested = [this] { return stop_.load(); },
                                         .say =
                                             [this](TimePoint /*at*/, const std::string& line) {
                                               const std::scoped_lock lock(mutex_);
                                               lines_.push_back(line);
                                               spoke_.notify_all();
                                             }};
  const runtime::RunEnd end = runtime::run_controller(options, environment);
  const std::scoped_lock lock(mutex_);
  for (const Error& error : end.errors) lines_.push_back(error.message);
}

std::string RunningFabric::space(std::size_t host) const {
  return testbed::Manifest::of(layout_).members[layout_.switches + host].space;
}

std::vector<std::string> RunningFabric::links() const {
  std::vector<std::string> names;
  for (const testbed::Cable& cable : layout_.cables) {
    if (cable.a.node < layout_.switches && cable.b.node < layout_.switches)
      names.push_back(layout_.nodes[cable.a.node].name + "-" + layout_.nodes[cable.b.node].name);
  }
  return names;
}

std::size_t RunningFabric::said(const std::string& text) const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(lines_.begin(), lines_.end(),
                    [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

bool RunningFabric::wait_for(const std::string& text, std::size_t times,
                             std::chrono::seconds longest) const {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (said(text) < times) {
    std::unique_lock lock(mutex_);
    if (spoke_.wait_until(lock, std::min(until, std::chrono::steady_clock::now() + 100ms)) ==
            std::cv_status::timeout &&
        std::chrono::steady_clock::now() >= until)
      return false;
  }
  return true;
}

Result<void> RunningFabric::drain(const std::string& link, bool asleep) const {
  const auto answer = runtime::ask_for_role(state_, name(), runtime::Role::operate,
                                            (asleep ? "drain " : "undrain ") + link);
  if (!answer) return fail(answer.error());
  if (*answer != "done") return fail(link + ": " + *answer);
  return {};
}

Result<void> in_namespace(const std::string& space, const std::function<Result<void>()>& call) {
  Result<void> done;
  std::thread inside([&] {
    const int file = ::open(("/var/run/netns/" + space).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || ::setns(file, CLONE_NEWNET) < 0) {
      done = fail(space + ": " + std::strerror(errno));
    } else {
      done = call();
    }
    if (file >= 0) ::close(file);
  });
  inside.join();
  return done;
}

}  // namespace ebb::experiments
