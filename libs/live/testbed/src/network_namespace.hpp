// SPDX-License-Identifier: Apache-2.0
//
// Network namespaces that have a name, as `ip netns` keeps them.
#pragma once

#include "ebb/core/descriptor.hpp"
#include "ebb/core/result.hpp"

#include <string>

namespace ebb::testbed {

// While it lives, this thread and what it starts are in another network namespace.
class NamespaceVisit {
 public:
  [[nodiscard]] static Result<NamespaceVisit> enter(const std::string& name);
  NamespaceVisit(NamespaceVisit&&) noexcept = default;
  NamespaceVisit& operator=(NamespaceVisit&&) = delete;
  NamespaceVisit(const NamespaceVisit&) = delete;
  NamespaceVisit& operator=(const NamespaceVisit&) = delete;
  ~NamespaceVisit();

 private:
  explicit NamespaceVisit(Descriptor home) : home_(std::move(home)) {}

  Descriptor home_;
};

// This process moves there for good.
[[nodiscard]] Result<void> move_into_namespace(const std::string& name);

[[nodiscard]] bool namespace_exists(const std::string& name);
// Nothing happens when there is none. What still runs inside keeps it alive without its name.
[[nodiscard]] Result<void> delete_namespace(const std::string& name);

}  // namespace ebb::testbed
