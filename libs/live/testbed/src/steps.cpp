// SPDX-License-Identifier: Apache-2.0
#include "steps.hpp"

#include "network_namespace.hpp"

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <utility>

namespace ebb::testbed {
namespace {

constexpr std::size_t kAtOnce = 8;  // they wait for the kernel and for daemons more than they work

Result<Child> start(const Step& step) {
  if (step.space.empty()) return Child::start(step.words, step.options);
  const auto visit = NamespaceVisit::enter(step.space);
  if (!visit) return fail(visit.error());
  return Child::start(step.words, step.options);
}

struct Running {
  const Step* step;
  Child child;
};

void finish_first(std::deque<Running>& running, Errors& errors) {
  const Finished done = running.front().child.wait();
  const Step& step = *running.front().step;
  running.pop_front();
  if (done.exit_code == 0) return;
  errors.push_back({fmt::format("{} failed ({}) {}{}{}", step.words[0], done.exit_code, step.space,
                                done.complaints.empty() ? "" : ": ", done.complaints),
                    {}});
}

}  // namespace

Result<void> run_all(const std::vector<Step>& steps) {
  Errors errors;
  std::deque<Running> running;
  for (const Step& step : steps) {
    if (running.size() == kAtOnce) finish_first(running, errors);
    if (!errors.empty()) break;
    auto child = start(step);
    if (!child) {
      errors = child.error();
      break;
    }
    running.push_back({&step, std::move(*child)});
  }
  while (!running.empty()) finish_first(running, errors);
  if (errors.empty()) return {};
  errors.resize(1);  // the others mostly repeat it
  return fail(std::move(errors));
}

}  // namespace ebb::testbed
