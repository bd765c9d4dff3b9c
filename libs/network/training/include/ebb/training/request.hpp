// SPDX-License-Identifier: Apache-2.0
//
// Requests to a language model: when each arrives, how many tokens its prompt has and how many it
// gets. They come from a list, or are drawn.
//
//   arrival_s,prompt_tokens,output_tokens        TIMESTAMP,ContextTokens,GeneratedTokens
//   0,374,44                                     2023-11-16 18:15:46.6805900,374,44
//   4.314579,396,109                             2023-11-16 18:15:50.9951690,396,109
//
// The header on the right is that of the traces of LLM inference in AzurePublicDataset. Their times
// count from the first request.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::training {

struct Request {
  Duration arrival{};  // from the start of the job, in whole nanoseconds
  std::int64_t prompt = 1;
  std::int64_t output = 1;  // tokens, the first of which the prefill makes

  bool operator==(const Request&) const = default;
};

inline constexpr std::int64_t kMostRequests = 1'000'000;
inline constexpr std::int64_t kMostRequestTokens = 1'000'000;
inline constexpr std::string_view kRequestsHeader = "arrival_s,prompt_tokens,output_tokens";

// In order of arrival. All errors are reported with the line; `name` stands in them.
[[nodiscard]] Result<std::vector<Request>> read_requests(std::string_view text,
                                                         const std::string& name);

// The table of drawn requests: they arrive after exponential gaps (a Poisson process), and their
// lengths are exponential, rounded up, or all equal.
[[nodiscard]] std::vector<Parameter> drawn_request_parameters();
[[nodiscard]] Result<std::vector<Request>> draw_requests(const Parameters& given);

}  // namespace ebb::training
