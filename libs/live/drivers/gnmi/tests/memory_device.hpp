// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/gnmi/target.hpp"

#include <condition_variable>
#include <mutex>

namespace ebb::gnmi::test {

// A device with ports p1, p2, ... that are cabled to something that is always up.
class MemoryDevice final : public Device {
 public:
  explicit MemoryDevice(int ports) {
    for (int port = 1; port <= ports; ++port) {
      interfaces_.push_back({.name = "p" + std::to_string(port), .enabled = true});
      cabled_.push_back(true);
    }
  }

  Result<std::vector<Interface>> look() override {
    std::unique_lock lock(mutex_);
    heard_.wait(lock, [this] { return !silent_; });
    auto found = interfaces_;
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i].running = found[i].enabled && cabled_[i];
    return found;
  }
  Result<void> set_enabled(const std::string& name, bool enabled) override {
    return change(name, [=](Interface& one) { one.enabled = enabled; });
  }
  Result<void> set_speed(const std::string& name, DataRate speed) override {
    return change(name, [=](Interface& one) { one.speed = speed; });
  }
  Result<void> set_access_vlan(const std::string& name, std::uint16_t vlan) override {
    return change(name, [=](Interface& one) { one.access_vlan = vlan; });
  }
  Result<void> set_module(const std::string& name, bool enabled) override {
    if (modules_fail) return fail("the module does not apply");
    return change(name, [=](Interface& one) { one.module_enabled = enabled; });
  }

  std::vector<Component> components() override {
    std::unique_lock lock(mutex_);
    heard_.wait(lock, [this] { return !silent_; });
    return components_;
  }
  Result<void> set_power(const std::string& name, bool on) override {
    const std::lock_guard lock(mutex_);
    for (Component& one : components_) {
      if (one.name == name) one.has_power = on;
    }
    return {};
  }

  // From outside.
  void send(std::size_t port, std::uint64_t frames, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    interfaces_[port - 1].out_pkts += frames;
    interfaces_[port - 1].out_octets += bytes;
  }
  void cable(std::size_t port, bool whole) {
    const std::lock_guard lock(mutex_);
    cabled_[port - 1] = whole;
  }
  void be_silent(bool silent) {
    const std::lock_guard lock(mutex_);
    silent_ = silent;
    heard_.notify_all();
  }
  Interface interface(std::size_t port) {
    const std::lock_guard lock(mutex_);
    return interfaces_[port - 1];
  }

  bool modules_fail = false;

 private:
  template <class Do>
  Result<void> change(const std::string& name, Do what) {
    const std::lock_guard lock(mutex_);
    for (Interface& one : interfaces_) {
      if (one.name == name) what(one);
    }
    return {};
  }

  std::mutex mutex_;
  std::condition_variable heard_;
  std::vector<Interface> interfaces_;
  std::vector<bool> cabled_;
  std::vector<Component> components_{{"card1"}, {"card2"}};
  bool silent_ = false;
};

}  // namespace ebb::gnmi::test
