// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/target.hpp"

#include "messages.hpp"
#include "replies.hpp"

#include <condition_variable>
#include <gnmi.grpc.pb.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_context.h>
#include <mutex>

namespace ebb::gnmi {
namespace {

using std::chrono::steady_clock;

constexpr int kMostThreads = 32;
constexpr int kMostSubscribers = 16;  // each keeps a thread
// Between two looks whether a subscriber is still there.
constexpr auto kLook = std::chrono::milliseconds(100);

grpc::Status status_of(const RequestError& error) {
  switch (error.why) {
    case RequestErrorKind::malformed:
      return {grpc::StatusCode::INVALID_ARGUMENT, error.text};
    case RequestErrorKind::unknown:
      return {grpc::StatusCode::NOT_FOUND, error.text};
    case RequestErrorKind::cannot:
      return {grpc::StatusCode::UNIMPLEMENTED, error.text};
    case RequestErrorKind::failed:
      break;
  }
  return {grpc::StatusCode::ABORTED, error.text};
}

using Stream = grpc::ServerReaderWriter<wire::SubscribeResponse, wire::SubscribeRequest>;

class Service final : public wire::gNMI::Service {
 public:
  explicit Service(Device& device) : device_(device) {}

  grpc::Status Capabilities(grpc::ServerContext* /*context*/,
                            const wire::CapabilityRequest* /*request*/,
                            wire::CapabilityResponse* response) override {
    *response = capabilities();
    return grpc::Status::OK;
  }

  grpc::Status Get(grpc::ServerContext* /*context*/, const wire::GetRequest* request,
                   wire::GetResponse* response) override {
    const std::lock_guard lock(mutex_);
    auto answer = get(*request, device_);
    if (!answer) return status_of(answer.error());
    *response = std::move(*answer);
    return grpc::Status::OK;
  }

  grpc::Status Set(grpc::ServerContext* /*context*/, const wire::SetRequest* request,
                   wire::SetResponse* response) override {
    const std::lock_guard lock(mutex_);
    auto answer = set(*request, device_);
    ++changes_;
    changed_.notify_all();
    if (!answer) return status_of(answer.error());
    *response = std::move(*answer);
    return grpc::Status::OK;
  }

  grpc::Status Subscribe(grpc::ServerContext* context, Stream* stream) override {
    wire::SubscribeRequest request;
    if (!stream->Read(&request) || !request.has_subscribe())
      return {grpc::StatusCode::INVALID_ARGUMENT, "a subscription begins with what is wanted"};
    auto asked = wanted(request.subscribe());
    if (!asked) return status_of(asked.error());
    if (!enter())
      return {grpc::StatusCode::RESOURCE_EXHAUSTED, "no more subscribers at the same time"};
    Subscriber subscriber(std::move(*asked), steady_clock::now());
    grpc::Status status = serve(subscriber, *context, *stream);
    leave();
    return status;
  }

  void changed() {
    const std::lock_guard lock(mutex_);
    ++changes_;
    changed_.notify_all();
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }

 private:
  bool enter() {
    const std::lock_guard lock(mutex_);
    if (subscribers_ == kMostSubscribers) return false;
    ++subscribers_;
    return true;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --subscribers_;
  }

  grpc::Status serve(Subscriber& subscriber, const grpc::ServerContext& context, Stream& stream) {
    std::uint64_t seen = 0;
    {
      const auto leaves = look(seen);
      if (!leaves) return status_of(leaves.error());
      const std::vector<LeafValue> all = subscriber.all(*leaves);
      if (!subscriber.wanted().updates_only) tell(all, subscriber.wanted(), stream);
    }
    wire::SubscribeResponse synchronised;
    synchronised.set_sync_response(true);
    stream.Write(synchronised);
    if (subscriber.wanted().once) return grpc::Status::OK;
    while (wait(subscriber, seen, context)) {
      const auto leaves = look(seen);
      if (!leaves) return status_of(leaves.error());
      tell(subscriber.next(*leaves, steady_clock::now()), subscriber.wanted(), stream);
    }
    return grpc::Status::CANCELLED;
  }

  Reply<std::vector<LeafValue>> look(std::uint64_t& seen) {
    const std::lock_guard lock(mutex_);
    seen = changes_;
    const auto interfaces = device_.look();
    if (!interfaces) {
      return tl::unexpected<RequestError>(
          {RequestErrorKind::failed, interfaces.error().front().message});
    }
    return leaves_of(*interfaces, device_.components());
  }

  // Until there may be something to tell; false when the subscription is over.
  bool wait(const Subscriber& subscriber, std::uint64_t seen, const grpc::ServerContext& context) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (stopping_ || context.IsCancelled()) return false;
      const auto now = steady_clock::now();
      const auto until = subscriber.due(now + kLook);
      if (changes_ != seen || until <= now) return true;
      changed_.wait_until(lock, until);
    }
  }

  // Not under the lock: a subscriber that does not read keeps only its own thread waiting.
  static void tell(const std::vector<LeafValue>& leaves, const Wanted& wanted, Stream& stream) {
    if (leaves.empty()) return;
    wire::SubscribeResponse response;
    write(leaves, wanted.encoding, *response.mutable_update());
    stream.Write(response);
  }

  Device& device_;
  std::mutex mutex_;  // of everything below, and of the device
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  int subscribers_ = 0;
  bool stopping_ = false;
};

Errors check_place(const TargetOptions& options) {
  if (transport::is_local(options.at)) return {};
  if (!options.other_machines)
    return {{to_text(options.at) + " can be reached from other machines; that must be asked for"}};
  if (options.at.kind != transport::Kind::tls)
    return {{to_text(options.at) + ": other machines come by TLS only"}};
  return {};
}

}  // namespace

struct Target::Impl {
  explicit Impl(Device& device) : service(device) {}

  Service service;
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

Target::Target(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Target::~Target() {
  impl_->service.stop();
  impl_->server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
}

Result<std::unique_ptr<Target>> Target::open(Device& device, const TargetOptions& options) {
  if (Errors errors = check_place(options); !errors.empty()) return fail(std::move(errors));
  const auto credentials = server_credentials(options.at.kind, options.tls);
  if (!credentials) return fail(credentials.error());
  auto impl = std::make_unique<Impl>(device);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(grpc_address(options.at), *credentials, &impl->port);
  builder.RegisterService(&impl->service);
  builder.SetMaxReceiveMessageSize(options.largest_request);
  builder.SetResourceQuota(grpc::ResourceQuota().SetMaxThreads(kMostThreads));
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // another one has the address: say so
  impl->server = builder.BuildAndStart();
  if (!impl->server) return fail("cannot listen at " + to_text(options.at));
  return std::unique_ptr<Target>(new Target(std::move(impl)));
}

std::uint16_t Target::port() const { return static_cast<std::uint16_t>(impl_->port); }

void Target::changed() { impl_->service.changed(); }

}  // namespace ebb::gnmi
