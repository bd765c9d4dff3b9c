// SPDX-License-Identifier: Apache-2.0
//
// The controller of `ebb fabric run` in the process of Python, with a policy of Python. The
// controller has a thread of its own, which never takes the GIL: whatever Python does or does not
// do, switches are answered, probes are sent and links are woken. The policy decides in the thread
// of the caller.
#include "ebb/simulated/control.hpp"

#include "errors.hpp"
#include "input.hpp"
#include "live_half.hpp"
#include "policy.hpp"

#include "ebb/runtime/decision_queue.hpp"
#include "ebb/runtime/run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <pybind11/stl.h>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace ebb::python {
namespace {

namespace py = pybind11;
using runtime::RunOptions;

// How long a call of Python may leave signals unseen.
constexpr std::chrono::milliseconds kLookAgain(50);

runtime::PolicyTraits traits_of(const policy::Made& made) {
  const policy::Policy& policy = *made.policy;
  return {.name = made.name,
          .parameters = made.parameters,
          .sample_period = policy.sample_period(),
          .acts_by = policy.acts_by(),
          .shortest_idle = policy.shortest_idle(),
          .needs_next_hops = policy.needs_next_hops()};
}

void print(std::FILE* people, TimePoint at, const std::string& line) {
  fmt::print(people, "{}", runtime::timed_line(at, line));
  std::fflush(people);
}

class ControllerRun {
 public:
  // Begins. `policy` is None for the policy of the fabric file; it is never asked itself.
  ControllerRun(RunOptions options, std::string data_folder, const py::object& policy)
      : options_(std::move(options)), data_folder_(std::move(data_folder)) {
    if (const auto made = python_policy(policy)) queue_.emplace(traits_of(*made));
    options_.state.path =
        std::filesystem::absolute(options_.state.path).lexically_normal().string();
    if (options_.persist.empty()) options_.persist = runtime::default_persist(options_);
    thread_ = std::thread([this] { run(); });
  }
  ControllerRun(const ControllerRun&) = delete;
  ControllerRun& operator=(const ControllerRun&) = delete;
  ~ControllerRun() {
    stop();
    join();
  }

  // Every link is woken, then the controller ends. True: a decision was under way, and the
  // controller waits for it no more. A question that the policy has not begun to answer it still
  // answers, so that transcripts end with a whole decision.
  bool stop() {
    stop_ = true;
    if (!deciding_ || !question_) return false;
    queue_->answer(*std::exchange(question_, std::nullopt), {});
    return true;
  }
  [[nodiscard]] bool is_running() const { return !ended_; }

  // The number of the session that asks for a decision; nothing after a while without a question.
  [[nodiscard]] std::optional<std::uint64_t> wait() {
    const py::gil_scoped_release no_gil;
    if (queue_) {
      question_ = queue_->wait(kLookAgain);
    } else {
      std::this_thread::sleep_for(kLookAgain);
    }
    return question_ ? std::optional(question_->session) : std::nullopt;
  }
  // Lets the policy of the session answer the question. What it raises is raised here.
  void decide(PythonPolicy& policy) {
    const runtime::Question question = *question_;
    deciding_ = true;
    for (const policy::Outcome& outcome : question.outcomes) policy.on_outcome(outcome);
    queue_->answer(question, policy.decide(question.sample()));
    question_.reset();
    deciding_ = false;
  }
  // The policy cannot answer. False: there is nothing to answer any more.
  bool fail(const std::string& why) {
    deciding_ = false;
    if (!question_) return false;
    queue_->fail(*std::exchange(question_, std::nullopt), why);
    return true;
  }

  // A decision took longer than the controller waits.
  [[nodiscard]] bool given_up() const { return queue_ && queue_->given_up(); }
  // When the controller has ended: raises why it could not run.
  void finish() {
    join();
    if (end_.kind == runtime::RunEnd::Kind::bad_input) raise_input_error(end_.errors);
    if (end_.kind == runtime::RunEnd::Kind::outside) raise_os_error(to_string(end_.errors));
  }

 private:
  // In the thread of the controller.
  void run() {
    // Lines for programs are not mixed with lines for people.
    std::FILE* const people = options_.log == "-" ? stderr : stdout;
    runtime::Environment environment{
        .load_parts = [this]() -> Result<power::Library> {
          const auto parts = load_parts(data_folder_, {});
          if (!parts) return ebb::fail(parts.error());
          return **parts;
        },
        .stop_requested = [this] { return stop_.load(); },
        .say = [people](TimePoint at, const std::string& line) { print(people, at, line); }};
    if (queue_) environment.make_policy = [this] { return queue_->make_policy(); };
    end_ = runtime::run_controller(options_, environment);
    ended_ = true;
    if (queue_) queue_->close();
  }
  void join() {
    const py::gil_scoped_release no_gil;
    if (thread_.joinable()) thread_.join();
  }

  RunOptions options_;
  std::string data_folder_;
  std::optional<runtime::DecisionQueue> queue_;  // nothing: the policy of the file decides
  std::optional<runtime::Question> question_;    // taken and not answered
  bool deciding_ = false;                        // the policy has begun to answer it
  std::atomic<bool> stop_ = false;
  std::atomic<bool> ended_ = false;
  runtime::RunEnd end_;
  std::thread thread_;
};

// An option whose place `field` gives.
template <class Field>
void add_option(py::class_<RunOptions>& type, const char* name, Field field) {
  type.def_property(
      name, [field](RunOptions& options) { return field(options); },
      [field](RunOptions& options, std::decay_t<decltype(field(options))> value) {
        field(options) = std::move(value);
      });
}

// Named as the options of `ebb fabric run` are.
void bind_options(py::module_& module) {
  py::class_<RunOptions> type(module, "RunOptions");
  type.def(py::init([](std::string file) { return RunOptions{.file = std::move(file)}; }))
      .def_readwrite("adopt", &RunOptions::adopt)
      .def_readwrite("audit", &RunOptions::audit)
      .def_readwrite("devices", &RunOptions::devices)
      .def_readwrite("dry_run", &RunOptions::dry_run)
      .def_readwrite("history", &RunOptions::history)
      .def_readwrite("log", &RunOptions::log)
      .def_readwrite("metrics", &RunOptions::metrics)
      .def_readwrite("modules", &RunOptions::modules)
      .def_readwrite("operators", &RunOptions::operators)
      .def_readwrite("persist", &RunOptions::persist)
      .def_readwrite("ports", &RunOptions::ports)
      .def_readwrite("readers", &RunOptions::readers)
      .def_readwrite("seconds", &RunOptions::seconds)
      .def_readwrite("standby", &RunOptions::standby)
      .def_readwrite("transcript", &RunOptions::transcript);
  add_option(
      type, "state", [](RunOptions & all) -> auto& { return all.state.path; });
  add_option(
      type, "listen", [](RunOptions & all) -> auto& { return all.remote.listen; });
  add_option(
      type, "certificate", [](RunOptions & all) -> auto& { return all.remote.tls.certificate; });
  add_option(
      type, "key", [](RunOptions & all) -> auto& { return all.remote.tls.key; });
  add_option(
      type, "ca", [](RunOptions & all) -> auto& { return all.remote.tls.authority; });
  add_option(
      type, "crl", [](RunOptions & all) -> auto& { return all.remote.tls.revoked; });
  add_option(
      type, "other_machines", [](RunOptions & all) -> auto& { return all.remote.other_machines; });
  add_option(
      type, "insecure", [](RunOptions & all) -> auto& { return all.remote.insecure; });
}

}  // namespace

config::PrepareControl fabric_control(const power::Library& parts) {
  return [&parts](const config::Simulation& simulation) {
    const config::SimSpec& spec = simulation.spec;
    return simulated::prepare_control({spec.fabric->safety, spec.switch_part, spec.fabric->setup},
                                      *simulation.graph, simulation.policy, parts);
  };
}

void bind_control(py::module_& module) {
  bind_options(module);
  py::class_<PythonPolicy>(module, "LivePolicy").def(py::init<py::object>());
  py::class_<ControllerRun>(module, "ControllerRun")
      .def(py::init<RunOptions, std::string, const py::object&>(), py::arg("options"),
           py::arg("data_folder"), py::arg("policy"))
      .def("is_running", &ControllerRun::is_running)
      .def("wait", &ControllerRun::wait)
      .def("decide", &ControllerRun::decide, py::arg("policy"))
      .def("fail", &ControllerRun::fail, py::arg("why"))
      .def("stop", &ControllerRun::stop)
      .def("finish", &ControllerRun::finish)
      .def("given_up", &ControllerRun::given_up);
}

}  // namespace ebb::python
