// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/outlets.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace ebb::snmp {
namespace {

class Outlets final : public drivers::PowerDriver {
 public:
  Outlets(transport::Loop& loop, std::map<std::uint32_t, Outlet> outlets)
      : loop_(loop), outlets_(std::move(outlets)) {}

  void set_power(std::uint32_t device, bool on, const Done& done) override {
    const auto found = outlets_.find(device);
    if (found == outlets_.end()) return later([done] { done(false, drivers::kNoOutlet); });
    const Outlet& outlet = found->second;
    const Binding binding{outlet.object, Value(on ? outlet.on : outlet.off)};
    session(outlet).set({binding}, [done](const Reply& answer) {
      done(answer.has_value(), answer ? "" : answer.error());
    });
  }

  void read_power(std::uint32_t device, const Found& found) override {
    const auto known = outlets_.find(device);
    if (known == outlets_.end()) return later([found] { found(std::nullopt, drivers::kNoOutlet); });
    const Outlet& outlet = known->second;
    session(outlet).get({outlet.object}, [found, outlet](const Reply& answer) {
      if (!answer) return found(std::nullopt, answer.error());
      const Value value = answer->empty() ? Value{} : answer->front().value;
      const auto number = static_cast<std::int64_t>(number_of(value));
      if (is_there(value) && number == outlet.on) return found(true, "");
      if (is_there(value) && number == outlet.off) return found(false, "");
      found(std::nullopt, is_there(value) ? fmt::format("{} is neither on nor off", number)
                                          : "there is no object " + to_text(outlet.object));
    });
  }

 private:
  Session& session(const Outlet& outlet) {
    auto& one = sessions_[outlet.agent.address];
    if (!one) one = std::make_unique<Session>(loop_, outlet.agent);
    return *one;
  }
  void later(std::function<void()> what) {
    loop_.post([what = std::move(what), here = std::weak_ptr(here_)] {
      if (!here.expired()) what();
    });
  }

  transport::Loop& loop_;
  std::map<std::uint32_t, Outlet> outlets_;
  std::map<std::string, std::unique_ptr<Session>> sessions_;  // by address
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
};

}  // namespace

Result<drivers::PowerOn> outlets_on(std::map<std::uint32_t, Outlet> outlets) {
  return [outlets =
              std::move(outlets)](transport::Loop& loop) -> std::unique_ptr<drivers::PowerDriver> {
    return std::make_unique<Outlets>(loop, outlets);
  };
}

}  // namespace ebb::snmp
