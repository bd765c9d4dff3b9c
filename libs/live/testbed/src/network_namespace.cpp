// SPDX-License-Identifier: Apache-2.0
#include "network_namespace.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

namespace ebb::testbed {
namespace {

std::string path_of(const std::string& name) { return "/run/netns/" + name; }

}  // namespace

Result<void> move_into_namespace(const std::string& name) {
  const Descriptor there(::open(path_of(name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!there.open() || setns(there.number(), CLONE_NEWNET) != 0)
    return fail(fmt::format("cannot enter network namespace {}: {}", name, std::strerror(errno)));
  return {};
}

Result<NamespaceVisit> NamespaceVisit::enter(const std::string& name) {
  Descriptor home(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!home.open()) return fail(fmt::format("no own network namespace: {}", std::strerror(errno)));
  if (auto moved = move_into_namespace(name); !moved) return fail(moved.error());
  return NamespaceVisit(std::move(home));
}

NamespaceVisit::~NamespaceVisit() {
  if (!home_.open()) return;  // moved from
  EBB_CHECK(setns(home_.number(), CLONE_NEWNET) == 0, "the way home is open");
}

bool namespace_exists(const std::string& name) { return access(path_of(name).c_str(), F_OK) == 0; }

Result<void> delete_namespace(const std::string& name) {
  const std::string path = path_of(name);
  umount2(path.c_str(), MNT_DETACH);  // not mounted when `ip netns add` was killed
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return fail(fmt::format("cannot delete network namespace: {}", std::strerror(errno)), {path});
}

}  // namespace ebb::testbed
