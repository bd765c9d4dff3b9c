// SPDX-License-Identifier: Apache-2.0
//
// Programs of applications, and what their ranks send.
#pragma once

#include "ebb/applications/application.hpp"
#include "ebb/program/check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace ebb::applications {

// Checked: every message has its partner.
inline program::Program made(const std::string& name, const ParameterTexts& parameters) {
  auto program = make_application(name, parameters);
  EXPECT_TRUE(program) << name << (program ? "" : to_string(program.error()));
  EXPECT_EQ(to_string(program::check(*program, program::Markers::refuse)), "") << name;
  return std::move(*program);
}

inline std::string refused(const std::string& name, const ParameterTexts& parameters) {
  const auto program = make_application(name, parameters);
  return program ? "accepted" : to_string(program.error());
}

// How many messages of how many bytes a rank sends.
using Sent = std::map<std::int64_t, int>;

inline Sent sent_by(const program::Program& program, std::uint32_t rank) {
  Sent sent;
  const program::RankOperations operations = program.rank(rank);
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const program::Operation operation = operations[i];
    if (operation.kind == program::Operation::Kind::send) ++sent[operation.size.count() / 8];
  }
  return sent;
}

inline int messages(const Sent& sent) {
  return std::accumulate(sent.begin(), sent.end(), 0,
                         [](int sum, const auto& one) { return sum + one.second; });
}

inline std::int64_t bytes_of(const Sent& sent) {
  return std::accumulate(
      sent.begin(), sent.end(), std::int64_t{0},
      [](std::int64_t sum, const auto& one) { return sum + one.first * one.second; });
}

}  // namespace ebb::applications
