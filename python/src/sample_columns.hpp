// SPDX-License-Identifier: Apache-2.0
//
// What a policy in Python sees and says. A sample has a column for each thing that it tells of
// channels, in the order of their ids. A column is copied into an array of its own when it is first
// asked for, so a policy may keep it: the memory of the sample is written again before the next
// decision, and a view into it would change under the policy. What is not asked for costs nothing.
// Orders are recorded for many channels at once.
#pragma once

#include "arrays.hpp"

#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ebb::python {

class SampleColumns {
 public:
  explicit SampleColumns(const policy::Sample& sample)
      : at_(sample.at), channels_(sample.channels), size_(sample.channels.size()) {}

  [[nodiscard]] TimePoint at() const { return at_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // The memory of the sample belongs to the world and is its own again after the decision.
  void end() { channels_.reset(); }
  // Raises an exception of Python when the sample has ended.
  [[nodiscard]] std::span<const policy::ChannelSample> channels() const;

  // The array of a slot, made by `make` when it is asked for the first time.
  static constexpr std::size_t kSlots = 18;
  template <class Make>
  [[nodiscard]] py::object column(std::size_t slot, Make&& make) {
    if (!columns_[slot]) columns_[slot] = make(channels());
    return columns_[slot];
  }

 private:
  TimePoint at_;
  std::optional<std::span<const policy::ChannelSample>> channels_;
  std::size_t size_;
  std::array<py::object, kSlots> columns_;
};

class Orders {
 public:
  explicit Orders(std::shared_ptr<SampleColumns> sample) : sample_(std::move(sample)) {}

  // `where` is None for all channels, or a mask with a truth value for each.
  template <class Order>
  void give(const Order& order, const py::object& where) {
    give_each(where, [&](std::size_t /*at*/) { return order; });
  }
  // `levels` is one rate level or one for each channel. With None for `where` the order goes to
  // those channels whose rate level differs.
  void set_rate_level(const py::object& levels, const py::object& where);

  [[nodiscard]] bool is_of(const SampleColumns& sample) const { return sample_.get() == &sample; }
  [[nodiscard]] std::size_t size() const { return actions_.size(); }
  // As the contract of Policy::decide wants them: by channel, those of one channel as they were
  // given. Nothing is left.
  [[nodiscard]] std::vector<policy::Action> take();

 private:
  template <class MakeOrder>
  void give_each(const py::object& where, MakeOrder&& make);

  std::shared_ptr<SampleColumns> sample_;
  std::vector<policy::Action> actions_;
};

// A mask over `size` channels. Refuses what is no array of truth values of that size.
class Mask {
 public:
  Mask(const py::object& where, std::size_t size);
  [[nodiscard]] bool operator[](std::size_t at) const { return all_ || values_.data()[at]; }

 private:
  bool all_;
  py::array_t<bool, py::array::c_style> values_;
};

template <class MakeOrder>
void Orders::give_each(const py::object& where, MakeOrder&& make) {
  const auto channels = sample_->channels();
  const Mask mask(where, channels.size());
  for (std::size_t at = 0; at < channels.size(); ++at) {
    if (mask[at]) actions_.push_back({channels[at].id, make(at)});
  }
}

void bind_samples(py::module_& module);

}  // namespace ebb::python
