// SPDX-License-Identifier: Apache-2.0
#include "ebb/core/mapped_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ebb {

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(std::strerror(errno), {path});
  struct stat about {};
  const bool is_file = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  const auto size = static_cast<std::size_t>(about.st_size);
  void* data = nullptr;
  if (is_file && size > 0) data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (!is_file) return fail("is not a file", {path});
  if (data == MAP_FAILED) return fail(std::strerror(errno), {path});
  return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace ebb
