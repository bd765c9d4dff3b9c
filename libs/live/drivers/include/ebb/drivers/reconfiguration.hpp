// SPDX-License-Identifier: Apache-2.0
//
// Brings a fabric of OpenFlow switches from whatever it holds to given programs with some links
// closed, once and without losing a frame: make before break.
//
//   1. links that are to be open come up, at both ends, and those that are to be faster get faster
//   2. every switch gets its program, in one atomic step each
//   3. links that are to be closed have sent nothing for a while, at both ends
//   4. they go down, at both ends, and are seen down; those that are to be slower get slower
//
// What does not happen in time ends it before the next step: nothing is closed that still carries
// frames. Blocks until it is done.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/drivers/openflow_switch.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/transport/loop.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ebb::drivers {

struct TargetState {
  std::vector<Program> programs;  // by switch
  std::vector<bool> open;         // by link; only those between switches are touched
  std::vector<DataRate> rates;    // by link; empty: as they are
};

struct ReconfigurationTimes {
  transport::Milliseconds answer{5000};    // of all switches to one request
  transport::Milliseconds up{10000};       // until links are live
  transport::Milliseconds drain_idle{50};  // without a frame before ports go down
  transport::Milliseconds drain{3000};     // until they have been idle
  // A software switch stands still while its ports change, and what comes in meanwhile has to fit
  // into its buffers: few links at a time, and a pause between.
  std::size_t max_concurrent = 3;
  transport::Milliseconds pause{30};
};

struct ReconfigurationCounts {
  std::uint32_t opened = 0;  // links
  std::uint32_t closed = 0;
  std::uint32_t faster = 0;
  std::uint32_t slower = 0;
};

class Reconfiguration {
 public:
  Reconfiguration(transport::Loop& loop, const topology::Graph& graph, RateSetter rates,
                  ReconfigurationTimes times = {});
  Reconfiguration(const Reconfiguration&) = delete;
  Reconfiguration& operator=(const Reconfiguration&) = delete;
  ~Reconfiguration();

  // A stream to each switch, in order: those that listen for a controller.
  [[nodiscard]] Result<void> connect(std::vector<transport::Stream> switches);
  [[nodiscard]] Result<ReconfigurationCounts> apply(const TargetState& target);

 private:
  struct Device;
  using Links = std::vector<topology::LinkId>;

  [[nodiscard]] Result<void> wait(const std::function<bool()>& condition,
                                  transport::Milliseconds limit, const std::string& for_what);
  [[nodiscard]] Result<void> look();
  [[nodiscard]] Result<void> count();
  [[nodiscard]] Result<void> install(const std::vector<Program>& programs);
  [[nodiscard]] Result<void> set_ports(const Links& links, bool up);
  [[nodiscard]] Result<void> set_few_ports(std::span<const topology::LinkId> links, bool up);
  [[nodiscard]] Result<void> drain(const Links& links);
  [[nodiscard]] Result<std::uint32_t> set_rates(const TargetState& target, bool faster);
  [[nodiscard]] Links links_where(const std::function<bool(topology::LinkId)>& is) const;
  [[nodiscard]] PortStatus found(topology::ChannelId end) const;
  [[nodiscard]] bool any_down(topology::LinkId link) const;
  [[nodiscard]] bool both_are(topology::LinkId link, bool live) const;

  transport::Loop& loop_;
  const topology::Graph& graph_;
  RateSetter rates_;
  ReconfigurationTimes times_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::size_t awaited_ = 0;  // replies
  std::string error_;        // the first
};

}  // namespace ebb::drivers
