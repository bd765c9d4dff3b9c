// SPDX-License-Identifier: Apache-2.0
//
// A gNMI client over one channel: questions that are answered once, and a subscription. Everything
// is called in the thread of the loop, and nothing after the client has gone.
#pragma once

#include "credentials.hpp"
#include "exchange_inside.hpp"
#include "messages.hpp"

#include "ebb/gnmi/gnmi_ports.hpp"

#include <functional>
#include <gnmi.grpc.pb.h>
#include <grpcpp/channel.h>
#include <memory>
#include <set>

namespace ebb::gnmi {

class Client {
 public:
  using Deadline = std::chrono::system_clock::time_point;
  using Got = std::function<void(const grpc::Status&, const wire::GetResponse&)>;
  using WasSet = std::function<void(const grpc::Status&)>;

  Client(Exchange::Inside& exchange, std::shared_ptr<grpc::Channel> channel);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  void get(const wire::GetRequest& request, Deadline deadline, Got got);
  void set(const wire::SetRequest& request, Deadline deadline, WasSet was_set);

  struct Told {
    std::function<void(const wire::Notification&)> notified;
    std::function<void(const grpc::Status&)> ended;
  };
  // Until it ends. One at a time.
  void subscribe(const wire::SubscribeRequest& request, Told told);
  void end_subscription();

 private:
  void begin(const std::shared_ptr<Pending>& one) { pending_.insert(one); }

  Exchange::Inside& exchange_;
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
