// SPDX-License-Identifier: Apache-2.0
//
// The parts at hand, by name. Names are unique; a part may refer to another (a chip to its rate
// table), and a library that was read without errors has no dangling reference.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/part.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::power {

class Library {
 public:
  // Index of the source in sources(); equal sources are kept once.
  std::uint32_t add_source(Source source);
  void add_part(Part part) { parts_.push_back(std::move(part)); }

  [[nodiscard]] std::span<const Part> parts() const { return parts_; }
  [[nodiscard]] std::span<const Source> sources() const { return sources_; }
  [[nodiscard]] const Source& source(std::uint32_t id) const { return sources_[id]; }

  // The part of that name, or an error that names the nearest one.
  [[nodiscard]] Result<const Part*> find(std::string_view name) const;
  // The same, and it must be of kind T.
  template <class T>
  [[nodiscard]] Result<const T*> find_as(std::string_view name) const {
    const auto part = find(name);
    if (!part) return fail(part.error());
    const T* body = std::get_if<T>(&(*part)->body);
    if (body == nullptr) return fail(wrong_kind(**part));
    return body;
  }
  // The parts of kind T that pass, in their order.
  template <class T, class Passes>
  [[nodiscard]] std::vector<const Part*> parts_where(Passes passes) const {
    std::vector<const Part*> found;
    for (const Part& part : parts_) {
      const T* body = std::get_if<T>(&part.body);
      if (body != nullptr && passes(*body)) found.push_back(&part);
    }
    return found;
  }

 private:
  [[nodiscard]] static std::string wrong_kind(const Part& part);

  std::vector<Part> parts_;
  std::vector<Source> sources_;
};

// "a, b": for messages that list what could be named instead.
[[nodiscard]] std::string names_text(std::span<const Part* const> parts);

}  // namespace ebb::power
