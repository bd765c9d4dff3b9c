// SPDX-License-Identifier: Apache-2.0
//
// A policy that is written in Python, behind the interface of those in C++: worlds, recorders and
// replays cannot tell them apart. It takes the GIL when it is called and only then. What its Python
// raises leaves decide() as an exception, which ends the run.
#pragma once

#include "ebb/policy/policy.hpp"

#include <optional>
#include <pybind11/pybind11.h>
#include <span>
#include <vector>

namespace ebb::python {

class PythonPolicy final : public policy::Policy {
 public:
  // Reads what the object says of itself; called with the GIL.
  explicit PythonPolicy(pybind11::object policy);
  PythonPolicy(const PythonPolicy&) = delete;
  ~PythonPolicy() override;

  [[nodiscard]] Duration sample_period() const override { return period_; }
  [[nodiscard]] policy::Abilities acts_by() const override { return acts_by_; }
  [[nodiscard]] std::optional<Duration> shortest_idle() const override { return shortest_idle_; }
  [[nodiscard]] bool needs_next_hops() const override { return needs_next_hops_; }
  void set_next_hops(std::span<const policy::NextHopSet> next_hops) override;
  [[nodiscard]] std::vector<policy::Action> decide(const policy::Sample& sample) override;
  void on_outcome(const policy::Outcome& outcome) override;

 private:
  pybind11::object policy_;
  pybind11::object decide_;
  Duration period_{};
  std::optional<Duration> shortest_idle_;
  policy::Abilities acts_by_;
  bool needs_next_hops_ = false;
  bool hears_outcomes_ = false;  // its class defines on_outcome
};

// With the name and the parameters that a transcript and a result keep; called with the GIL.
// Nothing for None.
[[nodiscard]] std::optional<policy::Made> python_policy(const pybind11::object& policy);

}  // namespace ebb::python
