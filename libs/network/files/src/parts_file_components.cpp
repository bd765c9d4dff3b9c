// SPDX-License-Identifier: Apache-2.0
#include "parts_file_components.hpp"

namespace ebb::files::parts {
namespace {

using power::BufferCells;
using power::Components;
using power::Sourced;

// Reads the numbers of one component; one that is missing is reported and stays zero.
class Component {
 public:
  Component(Section& part, const Numbers& numbers, std::string_view key) : numbers_(&numbers) {
    if (const auto value = part.require(key)) section_.emplace(*value, part.errors());
  }

  template <class T>
  void require(std::string_view key, Range<T> range, Sourced<T>& number) {
    if (!section_) return;
    number = numbers_->require(*section_, key, range).value_or(Sourced<T>{});
  }
  [[nodiscard]] Section* section() { return section_ ? &*section_ : nullptr; }
  void finish() {
    if (section_) section_->finish();
  }

 private:
  const Numbers* numbers_;
  std::optional<Section> section_;
};

BufferCells read_buffers(Section& part, const Numbers& numbers) {
  BufferCells cells;
  Component buffers(part, numbers, "buffers");
  buffers.require("write", kEnergiesPerBit, cells.write);
  buffers.require("read", kEnergiesPerBit, cells.read);
  buffers.require("leakage", kPowers, cells.leakage);
  if (Section* section = buffers.section()) {
    cells.cell = require_in_range(*section, "cell", kCells).value_or(bits(1));
    cells.gated = numbers.find(*section, "gated", kShares);
  }
  buffers.finish();
  return cells;
}

void read_switch(Section& part, const Numbers& numbers, Components& components) {
  Component crossbar(part, numbers, "crossbar");
  crossbar.require("per_bit", kEnergiesPerBit, components.crossbar_bit);
  crossbar.require("per_packet", kEnergiesPerPacket, components.crossbar_setup);
  crossbar.finish();
  Component arbiter(part, numbers, "arbiter");
  arbiter.require("per_packet", kEnergiesPerPacket, components.arbitration);
  arbiter.finish();
  Component tables(part, numbers, "tables");
  tables.require("per_packet", kEnergiesPerPacket, components.lookup);
  tables.finish();
  components.logic = numbers.require(part, "logic", kPowers).value_or(Sourced<Power>{});
}

void read_nic(Section& part, const Numbers& numbers, Components& components) {
  Component nic(part, numbers, "nic");
  nic.require("per_bit", kEnergiesPerBit, components.nic_bit);
  nic.require("per_packet", kEnergiesPerPacket, components.nic_packet);
  nic.require("idle", kPowers, components.nic_idle);
  nic.finish();
}

}  // namespace

Body read_components(Section& part, const Numbers& numbers) {
  Components components;
  components.buffers = read_buffers(part, numbers);
  read_switch(part, numbers, components);
  read_nic(part, numbers, components);
  return components;
}

}  // namespace ebb::files::parts
