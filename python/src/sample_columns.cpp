// SPDX-License-Identifier: Apache-2.0
#include "sample_columns.hpp"

#include "ebb/units/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace ebb::python {

using policy::ChannelSample;

std::span<const ChannelSample> SampleColumns::channels() const {
  if (!channels_) {
    throw py::value_error(
        "the sample has ended with decide(): take the columns that you keep, and give the orders, "
        "before it returns");
  }
  return *channels_;
}

Mask::Mask(const py::object& where, std::size_t size) : all_(where.is_none()) {
  if (all_) return;
  const auto array = py::array::ensure(where);
  if (!array || array.dtype().kind() != 'b' || array.ndim() != 1 ||
      static_cast<std::size_t>(array.size()) != size) {
    throw py::value_error(
        fmt::format("'where' is a mask: one truth value for each of the {} channels", size));
  }
  values_ = array;
}

namespace {

// One rate level for all channels, or one for each.
class RateLevels {
 public:
  RateLevels(const py::object& levels, std::span<const ChannelSample> channels)
      : channels_(channels) {
    const auto array = py::array::ensure(levels);
    const char kind = array ? array.dtype().kind() : 'O';
    const bool fits =
        array && (array.ndim() == 0 ||
                  (array.ndim() == 1 && static_cast<std::size_t>(array.size()) == channels.size()));
    if ((kind != 'i' && kind != 'u') || !fits) {
      throw py::value_error(fmt::format(
          "a rate level is a whole number, one for all or one for each of the {} channels",
          channels.size()));
    }
    values_ = array;
    each_ = array.ndim() == 1;
  }

  [[nodiscard]] std::int64_t at(std::size_t at) const { return values_.data()[each_ ? at : 0]; }
  // Refuses a level that the rate table of the channel does not have.
  [[nodiscard]] policy::RateLevel checked(std::size_t at) const {
    const std::int64_t level = this->at(at);
    if (level < 0 || level >= channels_[at].rate_levels) {
      throw py::value_error(fmt::format("channel {} has the rate levels 0 to {}, not {}",
                                        index(channels_[at].id), channels_[at].rate_levels - 1,
                                        level));
    }
    return policy::RateLevel{static_cast<std::uint8_t>(level)};
  }

 private:
  std::span<const ChannelSample> channels_;
  py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> values_;
  bool each_ = false;
};

}  // namespace

void Orders::set_rate_level(const py::object& levels, const py::object& where) {
  const auto channels = sample_->channels();
  const RateLevels wanted(levels, channels);
  const bool only_changes = where.is_none();
  const Mask mask(where, channels.size());
  for (std::size_t at = 0; at < channels.size(); ++at) {
    if (only_changes && wanted.at(at) == index(channels[at].state.rate_level)) continue;
    if (mask[at]) actions_.push_back({channels[at].id, policy::SetRateLevel{wanted.checked(at)}});
  }
}

std::vector<policy::Action> Orders::take() {
  const auto before = [](const policy::Action& a, const policy::Action& b) {
    return a.channel < b.channel;
  };
  if (!std::is_sorted(actions_.begin(), actions_.end(), before))
    std::stable_sort(actions_.begin(), actions_.end(), before);
  return std::exchange(actions_, {});
}

namespace {

// Where the reverse of each channel stands in the sample; -1: it is not there.
py::object reverse_indices(const SampleColumns& sample) {
  const auto channels = sample.channels();
  const policy::Sample whole{sample.at(), channels};
  return column<std::int64_t>(channels, [&](const ChannelSample& channel) {
    const std::uint32_t guess = index(channel.reverse);  // ids without a gap
    if (guess < channels.size() && channels[guess].id == channel.reverse)
      return static_cast<std::int64_t>(guess);
    const auto at = find(whole, channel.reverse);
    return at ? static_cast<std::int64_t>(*at) : std::int64_t{-1};
  });
}

class ColumnBinder {
 public:
  explicit ColumnBinder(py::class_<SampleColumns, std::shared_ptr<SampleColumns>>& type)
      : type_(type) {}

  // Adds a property whose array has the value of each channel.
  template <class T, class Value>
  void add(const char* name, Value value) {
    const std::size_t slot = slot_++;
    type_.def_property_readonly(name, [slot, value](SampleColumns& sample) {
      return sample.column(slot, [&](std::span<const ChannelSample> channels) -> py::object {
        return column<T>(channels, value);
      });
    });
  }
  void add_reverse_index() {
    const std::size_t slot = slot_++;
    type_.def_property_readonly("reverse_index", [slot](SampleColumns& sample) {
      return sample.column(slot, [&](auto /*channels*/) { return reverse_indices(sample); });
    });
  }

 private:
  py::class_<SampleColumns, std::shared_ptr<SampleColumns>>& type_;
  std::size_t slot_ = 0;
};

// Whole numbers have 64 bits and a sign, small ones too: a level of 0 minus 1 is -1.
void bind_columns(py::class_<SampleColumns, std::shared_ptr<SampleColumns>>& type) {
  using Channel = const ChannelSample&;
  ColumnBinder columns(type);
  columns.add<std::int64_t>("channel", [](Channel one) { return index(one.id); });
  columns.add<std::int64_t>("reverse", [](Channel one) { return index(one.reverse); });
  columns.add_reverse_index();
  columns.add<std::int64_t>("device", [](Channel one) { return one.device; });
  columns.add<bool>("to_host", [](Channel one) { return one.to_host; });
  columns.add<std::int64_t>("tier", [](Channel one) { return one.tier; });
  columns.add<std::int64_t>("rate_levels", [](Channel one) { return one.rate_levels; });
  columns.add<std::int64_t>("slowest_uw", [](Channel one) { return one.slowest.count(); });
  columns.add<std::int64_t>("full_uw", [](Channel one) { return one.full.count(); });
  columns.add<std::int64_t>("window_ps", [](Channel one) { return one.window.count(); });
  columns.add<std::int64_t>("busy_ps", [](Channel one) { return one.busy.count(); });
  columns.add<std::int64_t>("wake_stall_ps", [](Channel one) { return one.wake_stall.count(); });
  columns.add<std::int64_t>("sent_bits", [](Channel one) { return one.sent.count(); });
  columns.add<std::int64_t>("queued_bits", [](Channel one) { return one.queued.count(); });
  columns.add<bool>("asleep", [](Channel one) { return one.state.mode == policy::Mode::asleep; });
  columns.add<std::int64_t>("rate_level", [](Channel one) { return index(one.state.rate_level); });
  columns.add<bool>("changing", [](Channel one) { return one.state.changing; });
  columns.add<std::int64_t>("changing_until_ps",
                            [](Channel one) { return one.state.until.time_since_epoch().count(); });
}

Duration picoseconds(std::int64_t count) {
  if (count < 0) throw py::value_error("a time is not negative");
  return Duration(count);
}

DataSize positive_bits(std::int64_t count) {
  if (count <= 0) throw py::value_error("an amount of data that wakes a channel is positive");
  return bits(count);
}

policy::RateLevel level_of(std::int64_t level) {
  if (level < 0 || level > std::numeric_limits<std::uint8_t>::max())
    throw py::value_error("a rate level is between 0 and 255");
  return policy::RateLevel{static_cast<std::uint8_t>(level)};
}

void bind_orders(py::module_& module) {
  using py::arg;
  const py::none all;
  py::class_<Orders>(module, "Orders")
      .def(py::init<std::shared_ptr<SampleColumns>>(), arg("sample"))
      .def("__len__", &Orders::size)
      .def("set_rate_level", &Orders::set_rate_level, arg("levels"), arg("where") = all)
      .def(
          "sleep",
          [](Orders& orders, const py::object& where) { orders.give(policy::Sleep{}, where); },
          arg("where") = all)
      .def(
          "wake",
          [](Orders& orders, const py::object& where) { orders.give(policy::Wake{}, where); },
          arg("where") = all)
      .def(
          "disarm",
          [](Orders& orders, const py::object& where) { orders.give(policy::Disarm{}, where); },
          arg("where") = all)
      .def(
          "sleep_when_idle",
          [](Orders& orders, const py::object& where, std::int64_t idle, std::int64_t wake,
             std::int64_t delay) {
            orders.give(
                policy::SleepWhenIdle{picoseconds(idle), positive_bits(wake), picoseconds(delay)},
                where);
          },
          arg("where") = all, py::kw_only(), arg("idle_ps"), arg("wake_bits") = 8,
          arg("max_coalescing_delay_ps") = 0)
      .def(
          "slow_down_when_idle",
          [](Orders& orders, const py::object& where, std::int64_t idle, std::int64_t level) {
            orders.give(policy::SlowDownWhenIdle{picoseconds(idle), level_of(level)}, where);
          },
          arg("where") = all, py::kw_only(), arg("idle_ps"), arg("rate_level") = 0)
      .def(
          "wake_when_queued",
          [](Orders& orders, const py::object& where, std::int64_t queued) {
            orders.give(policy::WakeWhenQueued{positive_bits(queued)}, where);
          },
          arg("where") = all, py::kw_only(), arg("queued_bits") = 8)
      .def(
          "wake_when_announced",
          [](Orders& orders, const py::object& where, std::int64_t hold, bool planned) {
            orders.give(policy::WakeWhenAnnounced{picoseconds(hold), planned}, where);
          },
          arg("where") = all, py::kw_only(), arg("hold_ps") = 0, arg("planned") = false)
      .def(
          "speed_up_when_queued",
          [](Orders& orders, const py::object& where, std::int64_t queued, std::int64_t level) {
            orders.give(policy::SpeedUpWhenQueued{positive_bits(queued), level_of(level)}, where);
          },
          arg("where") = all, py::kw_only(), arg("queued_bits") = 8, arg("rate_level"));
}

}  // namespace

void bind_samples(py::module_& module) {
  py::class_<SampleColumns, std::shared_ptr<SampleColumns>> sample(module, "Sample");
  sample.def("__len__", &SampleColumns::size);
  sample.def_property_readonly(
      "at_ps", [](const SampleColumns& of) { return of.at().time_since_epoch().count(); });
  bind_columns(sample);
  bind_orders(module);
}

}  // namespace ebb::python
