// SPDX-License-Identifier: Apache-2.0
#include "ns3_schedulers.hpp"

#include <ns3/calendar-scheduler.h>
#include <ns3/heap-scheduler.h>
#include <ns3/map-scheduler.h>
#include <ns3/priority-queue-scheduler.h>

namespace ebb::bench {
namespace {

template <class Kind>
Ns3Scheduler scheduler(std::string name) {
  struct State {
    ns3::Ptr<Kind> queue = ns3::CreateObject<Kind>();
    std::uint32_t uid = 4;  // ns-3 keeps the first few for itself
    void push(std::int64_t time) {
      ns3::Scheduler::Event event;
      event.impl = nullptr;
      event.key.m_ts = static_cast<std::uint64_t>(time);
      event.key.m_uid = ++uid;
      event.key.m_context = 0;
      queue->Insert(event);
    }
  };
  auto state = std::make_shared<State>();
  return {std::move(name), [state](std::int64_t time) { state->push(time); },
          [state](std::size_t steps, const std::function<std::int64_t()>& increment) {
            for (std::size_t i = 0; i < steps; ++i) {
              const auto event = state->queue->RemoveNext();
              state->push(static_cast<std::int64_t>(event.key.m_ts) + increment());
            }
          }};
}

}  // namespace

std::vector<Ns3Scheduler> ns3_schedulers() {
  return {scheduler<ns3::MapScheduler>("ns-3 MapScheduler (default)"),
          scheduler<ns3::HeapScheduler>("ns-3 HeapScheduler"),
          scheduler<ns3::CalendarScheduler>("ns-3 CalendarScheduler"),
          scheduler<ns3::PriorityQueueScheduler>("ns-3 PriorityQueueScheduler")};
}

}  // namespace ebb::bench
