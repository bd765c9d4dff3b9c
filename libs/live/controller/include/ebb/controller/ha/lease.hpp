// SPDX-License-Identifier: Apache-2.0
//
// Who leads: the process that has the lock on the file that a name leads to. The system drops the
// lock when the process ends, however it ends. A holder that hangs is passed over: somebody else
// puts a locked file of his own in the place of the holder's, who finds that when he looks.
//
// The lease alone does not prevent that two give orders for a moment; the switches do, which obey
// the newest generation only. What the lease gives is that a controller knows soon.
//
//   Lease lease(folder + "/lease", std::chrono::seconds(2));
//   if (*lease.take(now)) ...                    // asked again and again while we wait
//   if (!lease.is_ours()) ...                    // before every order
//   lease.stir();                                // several times within the patience
#pragma once

#include "ebb/core/descriptor.hpp"
#include "ebb/core/result.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace ebb::controller {

class Lease {
 public:
  using Clock = std::chrono::steady_clock;

  // `patience`: how long its holder may hang before others pass him over.
  Lease(std::string path, Clock::duration patience);
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease();

  // Whether it is ours from now on.
  [[nodiscard]] Result<bool> take(Clock::time_point now);
  [[nodiscard]] bool is_ours() const;
  // Shows others that we do not hang.
  void stir();
  void leave();
  // The process that has it or had it last, for people.
  [[nodiscard]] std::string holder() const;

 private:
  [[nodiscard]] bool lock(Descriptor file);
  [[nodiscard]] bool hangs(Clock::time_point now);
  [[nodiscard]] Result<bool> pass_over();
  [[nodiscard]] std::string read() const;

  std::string path_;
  Clock::duration patience_;
  std::unique_ptr<Descriptor> file_;  // while it is ours
  std::uint64_t stirred_ = 0;
  std::string seen_;             // what its holder wrote last ...
  Clock::time_point seen_at_{};  // ... and since when
};

}  // namespace ebb::controller
