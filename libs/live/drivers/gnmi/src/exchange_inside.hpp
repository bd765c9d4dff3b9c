// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/gnmi/exchange.hpp"

#include <grpcpp/completion_queue.h>
#include <memory>
#include <thread>
#include <utility>

namespace ebb::gnmi {

// Something that gRPC does for us and reports when it is done, one thing at a time. It lives until
// then, whoever else has forgotten it.
class Pending : public std::enable_shared_from_this<Pending> {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;

  // In the thread of the loop.
  virtual void happened(bool ok) = 0;
  // The report comes soon.
  virtual void cancel() = 0;

  // What gRPC is given to remember this by.
  [[nodiscard]] void* tag() {
    self_ = shared_from_this();
    return this;
  }
  [[nodiscard]] static std::shared_ptr<Pending> of_tag(void* tag) {
    return std::move(static_cast<Pending*>(tag)->self_);
  }

 private:
  std::shared_ptr<Pending> self_;  // while gRPC has the tag
};

struct Exchange::Inside {
  explicit Inside(transport::Loop& that) : loop(that), thread([this] { hand_over(); }) {}
  ~Inside() {
    queue.Shutdown();
    thread.join();
  }

  void hand_over() {
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok))
      loop.post([one = Pending::of_tag(tag), ok] { one->happened(ok); });
  }

  transport::Loop& loop;
  grpc::CompletionQueue queue;
  std::thread thread;
};

}  // namespace ebb::gnmi
