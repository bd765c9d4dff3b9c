// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include "bindings.hpp"

#include "ebb/files/parts_file.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace ebb::python {
namespace {

Result<Parts> read(const std::string& folder, const std::vector<std::string>& more_files) {
  auto files = files::part_files(folder + "/parts");
  if (!files) return fail(files.error());
  files->insert(files->end(), more_files.begin(), more_files.end());
  auto library = files::read_parts(*files);
  if (!library) return fail(library.error());
  return std::make_shared<const power::Library>(std::move(*library));
}

// Several threads of Python may call at once.
class ShippedParts {
 public:
  [[nodiscard]] Result<Parts> of(const std::string& folder) {
    const std::lock_guard lock(mutex_);
    const auto known = by_folder_.find(folder);
    if (known != by_folder_.end()) return known->second;
    auto parts = read(folder, {});
    if (parts) by_folder_[folder] = *parts;
    return parts;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Parts> by_folder_;
};

}  // namespace

Result<Parts> load_parts(const std::string& folder, const std::vector<std::string>& more_files) {
  static ShippedParts shipped;  // NOLINT: a cache, guarded by its mutex
  return more_files.empty() ? shipped.of(folder) : read(folder, more_files);
}

void bind_input(pybind11::module_& module) {
  namespace py = pybind11;
  module.attr("INSTALLED_DATA") = EBB_INSTALL_DATA_DIR;
  module.attr("SOURCE_DATA") = EBB_BUILD_DATA_DIR;
  py::class_<Document>(module, "Document")
      .def(py::init<std::string, std::string>(), py::arg("path"), py::arg("text"));
}

}  // namespace ebb::python
