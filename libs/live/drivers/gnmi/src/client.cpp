// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include "messages.hpp"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>

namespace ebb::gnmi {
namespace {

template <class Reply>
class Call final : public Pending {
 public:
  using Callback = std::function<void(const grpc::Status&, const Reply&)>;

  explicit Call(Callback then) : then_(std::move(then)) {}
  void happened(bool /*ok*/) override { then_(status_, reply_); }
  void cancel() override { context_.TryCancel(); }

  template <class Ask>
  void begin(Client::Deadline deadline, Ask ask) {
    context_.set_deadline(deadline);
    reader_ = ask(&context_);
    reader_->Finish(&reply_, &status_, tag());
  }

 private:
  grpc::ClientContext context_;
  Reply reply_;
  grpc::Status status_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Reply>> reader_;
  Callback then_;
};

// Begins, says what it wants, and reads until the end.
class Subscription final : public Pending {
 public:
  Subscription(wire::SubscribeRequest request, Client::EventSink told)
      : request_(std::move(request)), told_(std::move(told)) {}

  void begin(wire::gNMI::Stub& stub, grpc::CompletionQueue& queue) {
    context_.set_wait_for_ready(true);  // a target that comes back is heard at once
    stream_ = stub.AsyncSubscribe(&context_, &queue, tag());
  }

  void cancel() override { context_.TryCancel(); }

  void happened(bool ok) override {
    if (step_ == Step::finished) return told_.ended(status_);
    if (!ok) {
      step_ = Step::finished;
      return stream_->Finish(&status_, tag());
    }
    if (step_ == Step::begun) {
      step_ = Step::asked;
      return stream_->Write(request_, tag());
    }
    if (step_ == Step::reading && response_.has_update()) told_.notified(response_.update());
    step_ = Step::reading;
    stream_->Read(&response_, tag());
  }

 private:
  enum class Step : std::uint8_t { begun, asked, reading, finished };

  wire::SubscribeRequest request_;
  Client::EventSink told_;
  Step step_ = Step::begun;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientAsyncReaderWriter<wire::SubscribeRequest, wire::SubscribeResponse>>
      stream_;
  wire::SubscribeResponse response_;
  grpc::Status status_;
};

}  // namespace

Client::Client(Exchange::Impl& exchange, std::shared_ptr<grpc::Channel> channel)
    : exchange_(exchange), stub_(wire::gNMI::NewStub(std::move(channel))) {}

Client::~Client() {
  here_.reset();
  for (const auto& one : pending_) one->cancel();
}

void Client::get(const wire::GetRequest& request, Deadline deadline, Got got) {
  const std::weak_ptr<bool> here = here_;
  const auto self = std::make_shared<std::weak_ptr<Pending>>();
  const auto call = std::make_shared<Call<wire::GetResponse>>(
      [here, self, got = std::move(got), this](const auto& status, const auto& reply) {
        if (here.expired()) return;
        pending_.erase(self->lock());
        got(status, reply);
      });
  *self = call;
  pending_.insert(call);
  call->begin(deadline,
              [&](auto* context) { return stub_->AsyncGet(context, request, &exchange_.queue); });
}

void Client::set(const wire::SetRequest& request, Deadline deadline, WasSet was_set) {
  const std::weak_ptr<bool> here = here_;
  const auto self = std::make_shared<std::weak_ptr<Pending>>();
  const auto call = std::make_shared<Call<wire::SetResponse>>(
      [here, self, was_set = std::move(was_set), this](const auto& status, const auto& /*reply*/) {
        if (here.expired()) return;
        pending_.erase(self->lock());
        was_set(status);
      });
  *self = call;
  pending_.insert(call);
  call->begin(deadline,
              [&](auto* context) { return stub_->AsyncSet(context, request, &exchange_.queue); });
}

void Client::subscribe(const wire::SubscribeRequest& request, EventSink told) {
  const std::weak_ptr<bool> here = here_;
  const auto kept = std::make_shared<EventSink>(std::move(told));
  EventSink guarded;
  guarded.notified = [here, kept](const auto& message) {
    if (!here.expired()) kept->notified(message);
  };
  guarded.ended = [here, kept, this](const auto& status) {
    if (here.expired()) return;
    pending_.erase(subscription_.lock());
    kept->ended(status);
  };
  const auto one = std::make_shared<Subscription>(request, std::move(guarded));
  subscription_ = one;
  pending_.insert(one);
  one->begin(*stub_, exchange_.queue);
}

void Client::end_subscription() {
  if (const auto one = subscription_.lock()) one->cancel();
}

std::shared_ptr<grpc::Channel> open_channel(
    const transport::Address& target, const ClientOptions& options,
    const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(options.largest_answer);
  constexpr int kTryAgain = 100;      // ms after a failure, then longer
  constexpr int kTryAgainMax = 1000;  // ms
  constexpr int kConnecting = 2000;   // ms that one attempt may take, whatever its name says
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kTryAgain);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kTryAgainMax);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnecting);
  // Of this driver alone: gRPC would share the connection with others to the same address.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (!options.tls.peer_name.empty()) arguments.SetSslTargetNameOverride(options.tls.peer_name);
  return grpc::CreateCustomChannel(grpc_address(target), credentials, arguments);
}

std::string reason_of(const grpc::Status& status) {
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return "it did not answer in time";
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE)
    return "it cannot be reached: " + status.error_message();
  return status.error_message();
}

Exchange::Exchange(transport::Loop& loop) : impl_(std::make_unique<Impl>(loop)) {}
Exchange::~Exchange() = default;

}  // namespace ebb::gnmi
