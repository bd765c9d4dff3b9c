// SPDX-License-Identifier: Apache-2.0
//
// High availability: several controllers of one fabric share a folder. One of them leads, the
// others stand by.
//
//   Lease             which process leads
//   PersistedState    what a leader leaves to the next one, on disk
//   StandbyRegistry   whether a controller stands by
//   HighAvailability  the three together, and the generation of the leader
//
// Each term of a leader has a generation that is newer than all before. Switches compare
// generations (OpenFlow roles), so of two controllers that both believe to lead a switch obeys only
// the newer.
//
//   HighAvailability ha(folder, "tour");
//   if (*ha.lease().take(now)) {                 // asked again and again by a standby controller
//     const auto restored = ha.begin_term(wall_now);
//     ...
//     if (!ha.lease().is_ours()) ...             // before every order
//     ha.lease().renew();                        // several times within kLeaseTimeout
//   }
#pragma once

#include "ebb/controller/link_machine.hpp"
#include "ebb/controller/switch_state.hpp"
#include "ebb/core/process.hpp"
#include "ebb/core/result.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ebb::controller {

// The leader is the process that holds the lock on the file at `path`. The system drops the lock
// when the process ends, however it ends. A holder that hangs is replaced: another controller puts
// a locked file of its own in the place of the holder's file, and the holder sees that when it
// looks.
//
// The lease alone does not prevent that two controllers give orders for a moment; the switches do.
// What the lease gives is that a controller knows soon.
class Lease {
 public:
  using Clock = std::chrono::steady_clock;

  // `timeout`: how long the holder may hang before another controller takes over.
  Lease(std::string path, Clock::duration timeout);
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease();

  // Whether it is ours from now on.
  [[nodiscard]] Result<bool> take(Clock::time_point now);
  [[nodiscard]] bool is_ours() const;
  // Shows others that we do not hang.
  void renew();
  void leave();
  // The process that has it or had it last, for people.
  [[nodiscard]] std::string holder() const;

 private:
  [[nodiscard]] bool lock(UniqueFd file);
  [[nodiscard]] bool hangs(Clock::time_point now);
  [[nodiscard]] Result<bool> take_over();
  [[nodiscard]] std::string read() const;

  std::string path_;
  Clock::duration timeout_;
  std::unique_ptr<UniqueFd> file_;  // while it is ours
  std::uint64_t renewals_ = 0;
  std::string seen_;             // what its holder wrote last ...
  Clock::time_point seen_at_{};  // ... and since when
};

// What a leader leaves to the next one, on disk: FOLDER/state.G.json, where G is the generation.
// Each leader writes its own file, so one that does not know yet that it has been replaced spoils
// nothing. Written in one step, and on disk before the call returns: a reader finds the old file
// or the new one, also after the machine lost its power.

// The clock of this machine and of others: transitions are counted by the hour, a few ms do not
// matter.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

struct PersistedState {
  std::uint64_t generation = 0;
  std::map<std::string, PersistedLink> links;  // by name; a link that is missing was never touched
  std::map<std::string, PersistedSwitch> switches = {};  // by name, those that are not in use

  bool operator==(const PersistedState&) const = default;
};

struct RestoredState {
  PersistedState state;      // of the newest valid file; empty when there is none
  std::uint64_t newest = 0;  // generation that a file has in its name, whatever is in it
  Errors problems;           // of files that are not valid
};

// A clock that went backwards makes changes younger, never older, than they are.
[[nodiscard]] RestoredState restore(const std::string& folder, const std::string& fabric,
                                    WallTime now);

// Begins a generation: an error when there is such a file, because somebody else began it.
[[nodiscard]] Result<void> begin(const PersistedState& state, const std::string& folder,
                                 const std::string& fabric, WallTime now);
// Writes it again.
[[nodiscard]] Result<void> save(const PersistedState& state, const std::string& folder,
                                const std::string& fabric, WallTime now);
// Removes older generations. A file that was not valid is kept as state.G.json.bad.
void remove_older(const std::string& folder, const RestoredState& restored, std::uint64_t than);

// Whether a controller stands by: every standby controller holds a shared lock on one file. A
// leader that ends wakes all links, unless a standby controller takes the fabric over as it is.
class StandbyRegistry {
 public:
  explicit StandbyRegistry(std::string path);
  StandbyRegistry(const StandbyRegistry&) = delete;
  StandbyRegistry& operator=(const StandbyRegistry&) = delete;
  ~StandbyRegistry();

  [[nodiscard]] Result<void> join();
  void leave();
  // A controller other than this one.
  [[nodiscard]] bool has_standby() const;

 private:
  std::string path_;
  std::unique_ptr<UniqueFd> file_;  // while this controller stands by
};

// A leader that has not renewed its lease for so long is taken over.
inline constexpr std::chrono::seconds kLeaseTimeout{2};

class HighAvailability {
 public:
  HighAvailability(std::string folder, std::string fabric);

  [[nodiscard]] Lease& lease() { return lease_; }
  [[nodiscard]] StandbyRegistry& standby_registry() { return standby_; }

  // A generation that a switch has seen: the next term is newer.
  void observe_generation(std::uint64_t generation);
  // The lease is ours: a new generation begins, with what the last leader left.
  [[nodiscard]] Result<RestoredState> begin_term(WallTime now);
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  // For the next leader. Nothing is written when the lease is no longer ours.
  [[nodiscard]] Result<void> save(std::map<std::string, PersistedLink> links,
                                  std::map<std::string, PersistedSwitch> switches,
                                  WallTime now) const;

 private:
  std::string folder_;
  std::string fabric_;
  Lease lease_;
  StandbyRegistry standby_;
  std::uint64_t generation_ = 0;
};

}  // namespace ebb::controller
