// SPDX-License-Identifier: Apache-2.0
#include "ebb/gnmi/gnmi_power.hpp"

#include "client.hpp"
#include "messages.hpp"

#include "ebb/gnmi/openconfig.hpp"

#include <memory>
#include <utility>

namespace ebb::gnmi {
namespace {

using Components = std::map<std::uint32_t, PoweredComponent>;
using Credentials = std::map<transport::Kind, std::shared_ptr<grpc::ChannelCredentials>>;

wire::Encoding encoding_of_power(const ClientOptions& options) {
  return options.form == ValueForm::proto ? wire::PROTO : wire::JSON_IETF;
}

class PowerOfComponents final : public drivers::PowerDriver {
 public:
  PowerOfComponents(transport::Loop& loop, const Components& components, ClientOptions options,
                    const Credentials& credentials)
      : loop_(loop), exchange_(loop), options_(std::move(options)) {
    for (const auto& [device, one] : components) {
      const auto channel = open_channel(one.target, options_, credentials.at(one.target.kind));
      powered_.emplace(device,
                       Powered{one.component, std::make_unique<Client>(exchange_.impl(), channel)});
    }
  }

  void set_power(std::uint32_t device, bool on, const Done& done) override {
    const auto found = powered_.find(device);
    if (found == powered_.end()) return later([done] { done(false, drivers::kNoOutlet); });
    wire::SetRequest request;
    write({leaf(found->second), Value(std::string(on ? kPowerEnabled : kPowerDisabled))},
          encoding_of_power(options_), *request.add_update());
    found->second.client->set(request, deadline(), [done](const grpc::Status& status) {
      done(status.ok(), status.ok() ? "" : reason_of(status));
    });
  }

  void read_power(std::uint32_t device, const Found& found) override {
    const auto known = powered_.find(device);
    if (known == powered_.end()) return later([found] { found(std::nullopt, drivers::kNoOutlet); });
    wire::GetRequest request;
    request.set_encoding(encoding_of_power(options_));
    write(path_of(leaf(known->second)), *request.add_path());
    known->second.client->get(
        request, deadline(),
        [found](const grpc::Status& status, const wire::GetResponse& response) {
          if (!status.ok()) return found(std::nullopt, reason_of(status));
          for (const wire::Notification& message : response.notification()) {
            for (const LeafValue& one : read(message)) {
              const auto* text = std::get_if<std::string>(&one.value);
              if (one.leaf.leaf == Leaf::power_admin_state && text != nullptr)
                return found(text->ends_with(kPowerEnabled), "");
            }
          }
          found(std::nullopt, "did not say whether it has power");
        });
  }

 private:
  struct Powered {
    std::string component;
    std::unique_ptr<Client> client;
  };

  static LeafOf leaf(const Powered& one) { return {Leaf::power_admin_state, one.component}; }
  [[nodiscard]] Client::Deadline deadline() const {
    return std::chrono::system_clock::now() + options_.timeout;
  }
  void later(std::function<void()> what) {
    loop_.post([what = std::move(what), here = std::weak_ptr(here_)] {
      if (!here.expired()) what();
    });
  }

  transport::Loop& loop_;
  Exchange exchange_;
  ClientOptions options_;
  std::map<std::uint32_t, Powered> powered_;  // clients end before the exchange
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
};

}  // namespace

Result<drivers::PowerOn> components_on(Components components, const ClientOptions& options) {
  Credentials credentials;
  for (const auto& [device, one] : components) {
    if (credentials.contains(one.target.kind)) continue;
    const auto read = client_credentials(one.target.kind, options.tls);
    if (!read) return fail(read.error());
    credentials[one.target.kind] = *read;
  }
  return [components = std::move(components), options,
          credentials](transport::Loop& loop) -> std::unique_ptr<drivers::PowerDriver> {
    return std::make_unique<PowerOfComponents>(loop, components, options, credentials);
  };
}

}  // namespace ebb::gnmi
