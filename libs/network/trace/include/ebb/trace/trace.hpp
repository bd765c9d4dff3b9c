// SPDX-License-Identifier: Apache-2.0
//
// Traces: what parallel jobs did or will do, in the formats of the field, read as programs. A file
// says by its content which format it has.
//
//   const auto trace = read_trace("allreduce.goal", {}).value();
//   for (const std::string& repair : trace.repairs) print(repair);
//   check(trace.program, program::Markers::refuse);
#pragma once

#include "ebb/core/mapped_file.hpp"
#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::trace {

// How many of what a file holds, in the words of its format.
using Contents = std::vector<std::pair<std::string, std::uint64_t>>;

struct Trace {
  program::Program program;
  std::string_view format;  // its name
  // What a reader left out, added or changed to make a program of it, as sentences.
  std::vector<std::string> repairs;
  Contents contents = {};
};

// What a reader is given. A trace of many files is named by one of them.
struct Input {
  std::string path;
  std::shared_ptr<const MappedFile> file;
  std::string addresses;  // a file that maps addresses to ranks, or empty
};

struct Format {
  std::string_view name;
  std::string_view description;
  std::vector<Parameter> parameters;
  bool (*recognizes)(const Input&);
  Result<Trace> (*read)(const Input&, const Parameters&);
};

// All formats, in the order in which a file is held against them.
[[nodiscard]] std::span<const Format> formats();
[[nodiscard]] Result<const Format*> find_format(std::string_view name);

struct Reading {
  std::string format;  // empty: the first that recognizes the file
  ParameterTexts parameters;
  std::string addresses;
};
[[nodiscard]] Result<Trace> read_trace(const std::string& path, const Reading& reading);

}  // namespace ebb::trace
