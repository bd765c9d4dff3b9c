// SPDX-License-Identifier: Apache-2.0
//
// A gNMI client over one channel, and the completion queue through which gRPC reports to the loop.
#pragma once

#include "messages.hpp"

#include "ebb/gnmi/gnmi_ports.hpp"

#include <functional>
#include <gnmi.grpc.pb.h>
#include <grpcpp/channel.h>
#include <grpcpp/completion_queue.h>
#include <memory>
#include <set>
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

struct Exchange::Impl {
  explicit Impl(transport::Loop& that) : loop(that), thread([this] { hand_over(); }) {}
  ~Impl() {
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

// A gNMI client over one channel: requests that are answered once, and a subscription. Everything
// is called in the thread of the loop, and nothing after the client has gone.
class Client {
 public:
  using Deadline = std::chrono::system_clock::time_point;
  using Got = std::function<void(const grpc::Status&, const wire::GetResponse&)>;
  using WasSet = std::function<void(const grpc::Status&)>;

  Client(Exchange::Impl& exchange, std::shared_ptr<grpc::Channel> channel);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  void get(const wire::GetRequest& request, Deadline deadline, Got got);
  void set(const wire::SetRequest& request, Deadline deadline, WasSet was_set);

  struct EventSink {
    std::function<void(const wire::Notification&)> notified;
    std::function<void(const grpc::Status&)> ended;
  };
  // Until it ends. One at a time.
  void subscribe(const wire::SubscribeRequest& request, EventSink told);
  void end_subscription();

 private:
  void begin(const std::shared_ptr<Pending>& one) { pending_.insert(one); }

  Exchange::Impl& exchange_;
  std::unique_ptr<wire::gNMI::Stub> stub_;
  // Whoever is called back finds out here whether there still is somebody to tell.
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  std::set<std::shared_ptr<Pending>> pending_;
  std::weak_ptr<Pending> subscription_;
};

[[nodiscard]] std::shared_ptr<grpc::Channel> open_channel(
    const transport::Address& target, const ClientOptions& options,
    const std::shared_ptr<grpc::ChannelCredentials>& credentials);

// "it did not answer in time", or what the target said.
[[nodiscard]] std::string reason_of(const grpc::Status& status);

}  // namespace ebb::gnmi
