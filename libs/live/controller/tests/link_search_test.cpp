// SPDX-License-Identifier: Apache-2.0
// Everything that can happen to one link between two switches, in any order, up to a number of
// events; and that the search finds controllers and drivers that are broken on purpose.
#include "played_link.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ebb::controller {
namespace {

struct Found {
  std::string violation;      // empty: none
  std::vector<Event> events;  // that lead there
  std::size_t states = 0;
  std::size_t transitions = 0;
  int depth = 0;  // all sequences of so many events
};

struct Visited {
  PlayedLink link;
  std::uint32_t before;  // its place in the list
  Event event;
};

std::vector<Event> events_to(const std::vector<Visited>& visited, std::uint32_t last, Event event) {
  std::vector<Event> events = {event};
  for (std::uint32_t at = last; at != 0; at = visited[at].before)
    events.insert(events.begin(), visited[at].event);
  return events;
}

// Breadth first, so that what it finds is as short as it can be.
Found search(const PlayedLink& start, int depth) {
  Found found;
  std::vector<Visited> visited = {{start, 0, Event::pass}};
  std::unordered_set<std::size_t> keys = {std::hash<std::string>{}(start.key())};
  std::uint32_t next = 0;
  for (found.depth = 0; found.depth < depth; ++found.depth) {
    const auto end = static_cast<std::uint32_t>(visited.size());
    for (; next < end; ++next) {
      for (std::uint8_t which = 0; which < kEvents; ++which) {
        const Event event{which};
        if (!visited[next].link.can_happen(event)) continue;
        PlayedLink link = visited[next].link;
        link.happen(event);
        ++found.transitions;
        found.violation = link.violation();
        const bool is_new = keys.insert(std::hash<std::string>{}(link.key())).second;
        if (found.violation.empty() && is_new) found.violation = link.wrong_when_quiet();
        if (!found.violation.empty()) {
          found.events = events_to(visited, next, event);
          return found;
        }
        if (is_new) visited.push_back({std::move(link), next, event});
      }
    }
  }
  found.states = visited.size();
  return found;
}

std::string text(const std::vector<Event>& events) {
  static const std::vector<std::string> kNames = {
      "execute_a", "execute_b", "refuse_a", "refuse_b",       "deliver_a",
      "deliver_b", "lose_a",    "lose_b",   "finish_a",       "finish_b",
      "join_a",    "join_b",    "cut",      "mend",           "deafen_a",
      "deafen_b",  "toggle_a",  "toggle_b", "policy_sleep",   "policy_wake",
      "drain",     "undrain",   "pass",     "pass_uncounted", "pass_straggler"};
  std::string all;
  for (const Event event : events) all += kNames.at(static_cast<std::size_t>(event)) + " ";
  return all;
}

// How far links are on their way when the search begins.
struct Start {
  std::string name;
  std::vector<Event> events;
};

std::vector<Start> starts() {
  using enum Event;
  const auto after = [](std::vector<Event> events, std::initializer_list<Event> more) {
    events.insert(events.end(), more);
    return events;
  };
  const std::vector<Event> done = {execute_a, execute_b, deliver_a, deliver_b};
  const std::vector<Event> diverted = {policy_sleep, execute_a, execute_b,
                                       deliver_a,    deliver_b, pass};
  const std::vector<Event> going_down = after(diverted, {pass});
  // Each port says that it has changed, and answers.
  const std::vector<Event> asleep =
      after(going_down, {execute_a, execute_b, deliver_a, deliver_a, deliver_b, deliver_b});
  const std::vector<Event> coming_up = after(asleep, {policy_wake});
  const std::vector<Event> up =
      after(coming_up, {execute_a, execute_b, deliver_a, deliver_a, deliver_b, deliver_b});
  return {{"active", {}},
          {"diverted", diverted},
          {"going down", going_down},
          {"asleep", asleep},
          {"coming up", coming_up},
          {"up", up},
          {"brought back", after(up, {pass})},
          {"drained", after(asleep, {drain})},
          {"cut", {cut, deliver_a, deliver_b, execute_a, execute_b, deliver_a, deliver_b}}};
}

PlayedLink played(const Start& start, Fault fault) {
  PlayedLink link({}, fault);
  for (const Event event : start.events) {
    EXPECT_TRUE(link.can_happen(event)) << start.name << ": " << text({event});
    link.happen(event);
    EXPECT_EQ(link.violation(), "") << start.name;
  }
  return link;
}

// EBB_SEARCH_DEPTH=N searches further: 6 takes minutes.
TEST(LinkSearch, NothingThatCanHappenToALinkBreaksIt) {
  const char* wanted = std::getenv("EBB_SEARCH_DEPTH");
  std::size_t states = 0;
  for (const Start& start : starts()) {
    const Found found =
        search(played(start, Fault::none), wanted == nullptr ? 4 : std::atoi(wanted));
    EXPECT_EQ(found.violation, "") << start.name << ": " << text(found.events);
    std::cout << start.name << ": " << found.states << " states, " << found.transitions
              << " transitions, all sequences of " << found.depth << " events\n";
    states += found.states;
  }
  EXPECT_GT(states, 50'000U);
}

// Longer sequences than can all be tried: events at random.
Found walk(Fault fault, std::uint64_t walks, int length) {
  Found found;
  std::mt19937_64 random(1);
  for (std::uint64_t w = 0; w < walks; ++w) {
    PlayedLink link(
        {.faults = 3, .refusals = 2, .absences = 2, .wishes = 6, .uncounted = 2, .stragglers = 3},
        fault);
    found.events.clear();
    while (static_cast<int>(found.events.size()) < length) {
      const Event event{static_cast<std::uint8_t>(random() % kEvents)};
      if (!link.can_happen(event)) continue;
      link.happen(event);
      found.events.push_back(event);
      found.violation = link.violation();
      if (!found.violation.empty()) return found;
    }
    found.violation = link.wrong_when_quiet();
    if (!found.violation.empty()) return found;
  }
  return found;
}

// EBB_SEARCH_WALKS=N takes more.
TEST(LinkSearch, LongSequencesOfEventsDoNotBreakIt) {
  const char* wanted = std::getenv("EBB_SEARCH_WALKS");
  const Found found =
      walk(Fault::none, wanted == nullptr ? 20'000 : std::strtoull(wanted, nullptr, 10), 60);
  EXPECT_EQ(found.violation, "") << text(found.events);
}

// A search that finds nothing must be able to.
TEST(LinkSearch, FindsControllersAndDriversThatAreBroken) {
  const std::vector<std::pair<Fault, std::string>> faults = {
      {Fault::old_answers_count, "answers to overtaken orders count"},
      {Fault::refusals_count, "refusals count as done"},
      {Fault::absence_not_told, "that a switch went is not told"},
      {Fault::probes_made_up, "every probe is said to come through"},
      {Fault::counters_made_up, "counters are said to stand still"},
      {Fault::drain_forgotten, "a drain is not kept"},
      {Fault::answers_dropped, "refusals are not told"}};
  for (const auto& [fault, name] : faults) {
    const Found found = walk(fault, 20'000, 60);
    EXPECT_NE(found.violation, "") << name;
    std::cout << name << ": " << found.violation << "\n";
  }
}

}  // namespace
}  // namespace ebb::controller
