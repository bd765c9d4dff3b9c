// SPDX-License-Identifier: Apache-2.0
//
// Decides which links of a live fabric sleep: the policy asks, safety rules answer, a machine for
// each link carries it out. Values in, orders out: no socket, clock or log, so that a test, a fake
// fabric and real switches run the same code.
//
//   Controller controller(graph, detours, facts, safety, policy);
//   controller.counted(now, counts);            // port counters, whenever they are read
//   controller.port(now, end, live);            // a port went up or down
//   controller.tick(now);                       // at next_tick() or later
//   for (const Order& order : controller.take_orders()) driver.give(order);
//   controller.answered(now, order, ok, why);   // when the switch has answered
#pragma once

#include "ebb/fabric/link_machine.hpp"
#include "ebb/fabric/reach.hpp"
#include "ebb/fabric/safety.hpp"
#include "ebb/fabric/sampler.hpp"
#include "ebb/fabric/sleepers.hpp"
#include "ebb/policy/policy.hpp"

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::fabric {

// What happened to a link, and why.
struct Entry {
  TimePoint at{};
  topology::LinkId link{};
  LinkState state{};
  std::string why;
};

// A dry run asks the policy and applies the safety rules, writes down what it would do, and gives
// no orders.
enum class Doing : std::uint8_t { acts, only_says };

class Controller {
 public:
  // Begins with all links active. `graph`, `reach` and `policy` outlive it.
  Controller(const topology::Graph& graph, const Reach& reach, Sleepers sleepers,
             std::vector<ChannelFacts> facts, const Safety& safety, policy::Policy& policy,
             Doing doing = Doing::acts);

  void counted(TimePoint now, std::span<const PortCount> counts);
  void port(TimePoint now, End end, bool live);
  void answered(TimePoint now, const Order& order, bool ok, const std::string& why = {});
  void tick(TimePoint now);
  // A switch that cannot be reached is neither asked nor trusted: its links stay as they are.
  void joined(TimePoint now, std::uint32_t device);
  void left(TimePoint now, std::uint32_t device);
  // Whether every switch is here and its cables run as described. Nothing sleeps before.
  void wiring_is(bool known) { wiring_known_ = known; }
  // A link whose ports are down on purpose, at the start: `both`, or one end alone.
  void found_asleep(TimePoint now, topology::LinkId link, bool both);
  // An operator asks, for maintenance: any link without which everyone is still reached may sleep,
  // whatever the policy thinks, until it is asked to wake. The answer is why not.
  [[nodiscard]] std::optional<std::string> take_out(TimePoint now, topology::LinkId link);
  [[nodiscard]] std::optional<std::string> put_back(TimePoint now, topology::LinkId link);

  // The controller is about to go: everything is woken, and nothing sleeps any more.
  void retire(TimePoint now);

  [[nodiscard]] std::vector<Order> take_orders();
  [[nodiscard]] std::vector<Entry> take_journal();
  [[nodiscard]] TimePoint next_tick() const;

  [[nodiscard]] const LinkMachine& link(topology::LinkId link) const {
    return machines_[index(link)];
  }
  [[nodiscard]] double utilisation(topology::ChannelId channel) const {
    return sampler_.utilisation(channel);
  }
  // Why the link may not go to sleep now; nothing: it may.
  [[nodiscard]] std::optional<std::string> objection(TimePoint now, topology::LinkId link) const;

 private:
  void wake_all(TimePoint now, const std::string& why);
  void decide(TimePoint now);
  [[nodiscard]] policy::Outcome apply(TimePoint now, const policy::Action& action);
  [[nodiscard]] policy::Reason sleep(TimePoint now, topology::ChannelId channel);
  [[nodiscard]] policy::Reason wake(TimePoint now, topology::ChannelId channel);
  [[nodiscard]] policy::State state_of(topology::ChannelId channel) const;
  [[nodiscard]] std::vector<policy::State> states() const;
  [[nodiscard]] std::optional<std::string> unsafe(TimePoint now, topology::LinkId link) const;
  [[nodiscard]] std::optional<std::string> too_busy(topology::LinkId link) const;
  [[nodiscard]] bool reaches_everyone_without(topology::LinkId link) const;
  void after(TimePoint now, topology::LinkId link, LinkState before);
  template <class Change>
  void change(TimePoint now, topology::LinkId link, const Change& change);

  const topology::Graph& graph_;
  const Reach& reach_;
  Sleepers sleepers_;
  Safety safety_;
  policy::Policy& policy_;
  Doing doing_;
  Sampler sampler_;
  std::vector<LinkMachine> machines_;               // by link
  std::vector<bool> wishes_;                        // by channel: the policy wants it asleep
  std::vector<std::deque<TimePoint>> transitions_;  // by link, of the last hour
  std::vector<bool> taken_out_;                     // by link
  std::vector<bool> here_;                          // by switch
  std::optional<TimePoint> last_failure_;
  bool retired_ = false;
  bool wiring_known_ = false;
  TimePoint next_sample_{};
  std::vector<Order> orders_;
  std::vector<Entry> journal_;
};

}  // namespace ebb::fabric
