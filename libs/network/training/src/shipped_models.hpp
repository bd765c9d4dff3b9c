// SPDX-License-Identifier: Apache-2.0
//
// The texts of the files of share/models, which the build makes a part of the library
// (shipped_models.cpp.in): a model is found by its name wherever the library is used, with no
// folder of data.
#pragma once

#include <span>
#include <string_view>

namespace ebb::training {

struct ShippedModel {
  std::string_view name;  // of the file, without ".yaml"
  std::string_view text;
};

[[nodiscard]] std::span<const ShippedModel> shipped_models();

}  // namespace ebb::training
