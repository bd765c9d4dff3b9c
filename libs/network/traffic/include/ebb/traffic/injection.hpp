// SPDX-License-Identifier: Apache-2.0
//
// Injections: when a host sends, and how much. An injection is built once from the rate of a host
// link and its parameters and is constant from then on; all hosts share it. What differs between
// hosts is a small Progress and the host's own random stream.
//
// Load is the share of the host rate that the messages take over a long run: mean gap =
// size / (load * rate). Gaps that are not whole picoseconds are carried as fractions, so a periodic
// source has no drift; only times drawn from a continuous distribution are rounded, to the nearest.
// Adding one: a source under src/injections/, its declaration in
// kinds.hpp and its line in injections.cpp, a test.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/core/result.hpp"
#include "ebb/traffic/message.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::traffic {

// How far one host has come: `at`, and the fraction of a picosecond beyond it, as a numerator whose
// denominator the injection knows. What an injection does not use stays 0.
struct Progress {
  TimePoint at;
  std::uint32_t left = 0;  // messages of a burst, this one included
  Int128 part = 0;
};

class Injection {
 public:
  explicit Injection(DataSize mean_size) : mean_size_(mean_size) {}
  Injection(const Injection&) = delete;
  Injection& operator=(const Injection&) = delete;
  virtual ~Injection() = default;

  // The first message of a host, at time 0 or later.
  [[nodiscard]] virtual Progress first(RandomStream& stream) const = 0;

  // From a message to the next one. Time never goes back; two messages may share a picosecond.
  virtual void advance(Progress& progress, RandomStream& stream) const = 0;

  // Of the message that a host has come to: the mean, unless the injection draws sizes.
  [[nodiscard]] virtual DataSize size(RandomStream& /*stream*/) const { return mean_size_; }
  [[nodiscard]] DataSize mean_size() const { return mean_size_; }
  // Of all sizes that it draws.
  [[nodiscard]] virtual MessageSizes sizes() const {
    return {mean_size_, bits(mean_size_.count() / 2)};
  }

 private:
  DataSize mean_size_;
};

struct InjectionKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  // Refuses what time cannot hold. May rely on a positive rate.
  Result<std::unique_ptr<Injection>> (*make)(DataRate host_rate, const Parameters&) = nullptr;
};

// Every injection, in the order `ebb list` prints them.
[[nodiscard]] std::span<const InjectionKind> injection_kinds();
[[nodiscard]] Result<const InjectionKind*> find_injection_kind(std::string_view name);

// Resolves, checks and builds; refuses with all errors.
[[nodiscard]] Result<std::unique_ptr<Injection>> make_injection(std::string_view name,
                                                                DataRate host_rate,
                                                                const ParameterTexts& parameters);

}  // namespace ebb::traffic
