// SPDX-License-Identifier: Apache-2.0
//
// A test fabric that is up, with its controller in a thread of this process and hosts that have
// their addresses. It is taken down with the object, whatever happened.
//
//   auto fabric = RunningFabric::start("policy: {name: always-on}\n", load_parts);
//   if (!fabric) return fail(fabric.error());
//   (*fabric)->wait_for("asleep", 10s);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/testbed/manifest.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ebb::experiments {

class RunningFabric {
 public:
  // `topology` and `more` are sections of a fabric file. Says why this machine cannot.
  [[nodiscard]] static Result<std::unique_ptr<RunningFabric>> start(
      const std::string& topology, const std::string& more, const runtime::LoadParts& load_parts);
  RunningFabric(const RunningFabric&) = delete;
  RunningFabric& operator=(const RunningFabric&) = delete;
  ~RunningFabric();

  [[nodiscard]] const testbed::Layout& layout() const { return layout_; }
  [[nodiscard]] const std::string& name() const { return layout_.name; }
  [[nodiscard]] const testbed::StateFolder& state() const { return state_; }
  // Names of the links between switches.
  [[nodiscard]] std::vector<std::string> links() const;
  // The network namespace of a host.
  [[nodiscard]] std::string space(std::size_t host) const;

  // Every host asks its switch for its address and takes it, with the IP address that belongs to
  // it. Gives how many were told the address of their place.
  [[nodiscard]] Result<std::size_t> take_addresses() const;

  // Lines of the controller with that text, since the beginning.
  [[nodiscard]] std::size_t said(const std::string& text) const;
  // Until there are so many of them; false: not within the time.
  [[nodiscard]] bool wait_for(const std::string& text, std::size_t times,
                              std::chrono::seconds longest) const;
  // As an operator.
  [[nodiscard]] Result<void> drain(const std::string& link, bool asleep) const;

 private:
  RunningFabric() = default;
  void run_controller(const runtime::LoadParts& load_parts);

  testbed::StateFolder state_;
  std::string folder_;  // of the fabric file
  testbed::Layout layout_;
  bool is_up_ = false;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable spoke_;
  std::vector<std::string> lines_;
  std::thread controller_;
};

// Calls in a thread that has moved into a network namespace. What it opens there belongs there.
[[nodiscard]] Result<void> in_namespace(const std::string& space,
                                        const std::function<Result<void>()>& call);

}  // namespace ebb::experiments
