// SPDX-License-Identifier: Apache-2.0
//
// OTF2 archives by the library of the format: definitions first, then the records of each location
// that is a rank of MPI.
#include "formats.hpp"
#include "otf2_records.hpp"

#include "ebb/program/check.hpp"

#include <fmt/format.h>

#if EBB_HAVE_OTF2
#include <otf2/otf2.h>
#endif

#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace ebb::trace {
namespace {

#if EBB_HAVE_OTF2
constexpr std::uint32_t kMostOtf2Ranks = 1'000'000;

struct Otf2ReaderCloser {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Otf2Reader = std::unique_ptr<OTF2_Reader, Otf2ReaderCloser>;

// What the library says of an error, instead of printing it.
class LibraryErrors {
 public:
  LibraryErrors() : before_(OTF2_Error_RegisterCallback(take, this)) {}
  LibraryErrors(const LibraryErrors&) = delete;
  LibraryErrors& operator=(const LibraryErrors&) = delete;
  ~LibraryErrors() { OTF2_Error_RegisterCallback(before_, nullptr); }

  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  static OTF2_ErrorCode take(void* self, const char*, std::uint64_t, const char*,
                             OTF2_ErrorCode code, const char* format, va_list arguments) {
    std::string& first = static_cast<LibraryErrors*>(self)->first_;
    if (!first.empty()) return code;
    std::array<char, 512> text{};
    if (std::vsnprintf(text.data(), text.size(), format, arguments) < 0) text[0] = '\0';
    first = fmt::format("{}: {}", OTF2_Error_GetDescription(code), text.data());
    return code;
  }
  OTF2_ErrorCallback before_;
  std::string first_;
};

// The definitions of an archive.
struct Archive {
  struct Group {
    OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
    bool has_world_ranks = false;
    std::vector<std::uint64_t> members;
  };
  struct Communicator {
    std::uint32_t self = 0;
    std::uint32_t group = 0;
    std::uint32_t remote = OTF2_UNDEFINED_GROUP;
  };
  std::uint64_t ticks_per_second = 0;
  std::unordered_map<std::uint32_t, Group> groups;
  std::vector<Communicator> communicators;
  std::vector<std::uint64_t> locations;  // by rank
  std::uint64_t other_locations = 0;     // all of them, at first
  std::unordered_set<std::uint32_t> mpi_regions;
};

Archive& archive(void* data) { return *static_cast<Archive*>(data); }

OTF2_CallbackCode define_clock(void* data, std::uint64_t resolution, std::uint64_t, std::uint64_t,
                               std::uint64_t) {
  archive(data).ticks_per_second = resolution;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode define_location(void* data, OTF2_LocationRef, OTF2_StringRef, OTF2_LocationType,
                                  std::uint64_t, OTF2_LocationGroupRef) {
  ++archive(data).other_locations;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode define_region(void* data, OTF2_RegionRef self, OTF2_StringRef, OTF2_StringRef,
                                OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm paradigm,
                                OTF2_RegionFlag, OTF2_StringRef, std::uint32_t, std::uint32_t) {
  if (paradigm == OTF2_PARADIGM_MPI) archive(data).mpi_regions.insert(self);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode define_group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                               OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t size,
                               const std::uint64_t* members) {
  if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
  std::vector<std::uint64_t> list(members, members + size);
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) archive(data).locations = list;
  archive(data).groups[self] = {type, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0,
                                std::move(list)};
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode define_communicator(void* data, OTF2_CommRef self, OTF2_StringRef,
                                      OTF2_GroupRef group, OTF2_CommRef, OTF2_CommFlag) {
  archive(data).communicators.push_back({self, group, OTF2_UNDEFINED_GROUP});
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode define_inter_communicator(void* data, OTF2_CommRef self, OTF2_StringRef,
                                            OTF2_GroupRef group, OTF2_GroupRef remote, OTF2_CommRef,
                                            OTF2_CommFlag) {
  archive(data).communicators.push_back({self, group, remote});
  return OTF2_CALLBACK_SUCCESS;
}

bool read_definitions(OTF2_Reader* reader, Archive& into) {
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr) return false;
  OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, define_clock);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, define_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, define_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, define_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, define_communicator);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, define_inter_communicator);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &into);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t read = 0;
  return OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read) == OTF2_SUCCESS;
}

// Members of groups are places in the list of MPI's locations, which are its ranks.
Result<std::vector<std::uint32_t>> ranks_of(const Archive& archive, std::uint32_t group,
                                            const std::string& file) {
  const auto found = archive.groups.find(group);
  if (found == archive.groups.end())
    return fail(fmt::format("group {} of a communicator is not defined", group), {file});
  std::vector<std::uint32_t> ranks;
  if (found->second.type == OTF2_GROUP_TYPE_COMM_SELF) return ranks;
  for (const std::uint64_t member : found->second.members) {
    const bool is_location = found->second.type == OTF2_GROUP_TYPE_COMM_LOCATIONS;
    const std::uint64_t rank = is_location ? ranks.size() : member;
    if (rank >= archive.locations.size())
      return fail(fmt::format("group {} has a rank {} that does not exist", group, rank), {file});
    ranks.push_back(static_cast<std::uint32_t>(rank));
  }
  return ranks;
}

Result<Otf2Definitions> definitions_of(const Archive& archive, const std::string& file) {
  Otf2Definitions all{
      archive.ticks_per_second, static_cast<std::uint32_t>(archive.locations.size()), {}};
  Errors errors;
  if (archive.locations.empty())
    errors.push_back({"has no MPI ranks: no group of MPI locations is defined", {file}});
  if (archive.locations.size() > kMostOtf2Ranks)
    errors.push_back({fmt::format("has more than {} ranks", kMostOtf2Ranks), {file}});
  if (archive.ticks_per_second == 0) errors.push_back({"its clock has no resolution", {file}});
  for (const Archive::Communicator& one : archive.communicators) {
    if (!archive.groups.contains(one.group)) continue;  // not of MPI
    auto ranks = ranks_of(archive, one.group, file);
    auto remote = one.remote == OTF2_UNDEFINED_GROUP ? Result<std::vector<std::uint32_t>>{}
                                                     : ranks_of(archive, one.remote, file);
    for (const auto* list : {&ranks, &remote}) {
      if (!*list && errors.size() < program::kMostErrors)
        errors.insert(errors.end(), list->error().begin(), list->error().end());
    }
    if (!ranks || !remote) continue;
    const bool has_world_ranks = archive.groups.at(one.group).has_world_ranks;
    all.communicators[one.self] = {*std::move(ranks), *std::move(remote), has_world_ranks};
  }
  if (!errors.empty()) return fail(std::move(errors));
  return all;
}

// What the callbacks of a location's records are given.
struct Otf2Location {
  Otf2Rank& rank;
  const std::unordered_set<std::uint32_t>& mpi_regions;

  void enter(OTF2_RegionRef region) {
    if (mpi_regions.contains(region)) rank.enter_mpi();
  }
  void leave(OTF2_RegionRef region) {
    if (mpi_regions.contains(region)) rank.leave_mpi();
  }
  void send(std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag,
            std::uint64_t size) {
    rank.send({communicator, receiver, tag, size});
  }
  void isend(std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag,
             std::uint64_t size, std::uint64_t request) {
    rank.send({communicator, receiver, tag, size}, request);
  }
  void isend_complete(std::uint64_t request) { rank.send_completed(request); }
  void irecv_request(std::uint64_t request) { rank.receive_requested(request); }
  void receive(std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag,
               std::uint64_t size) {
    rank.receive({communicator, sender, tag, size});
  }
  void irecv(std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t size,
             std::uint64_t request) {
    rank.receive({communicator, sender, tag, size}, request);
  }
  void collective(OTF2_CollectiveOp kind, OTF2_CommRef communicator, std::uint32_t root,
                  std::uint64_t sent, std::uint64_t received) {
    rank.collective({static_cast<Otf2Collective::Kind>(kind), communicator, root, sent, received});
  }
  void collective_request(std::uint64_t request) { rank.collective_requested(request); }
  void collective_complete(OTF2_CollectiveOp kind, OTF2_CommRef communicator, std::uint32_t root,
                           std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
    rank.collective({static_cast<Otf2Collective::Kind>(kind), communicator, root, sent, received},
                    request);
  }
  void one_sided(OTF2_RmaWinRef, std::uint32_t, std::uint64_t, std::uint64_t) { rank.one_sided(); }
  void other() {}
};

// A callback of the library: the arguments that all have, and those of the record.
template <auto kRecord, class... Fields>
OTF2_CallbackCode on(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                     OTF2_AttributeList*, Fields... fields) {
  auto& location = *static_cast<Otf2Location*>(data);
  location.rank.at(time);
  (location.*kRecord)(fields...);
  return OTF2_CALLBACK_SUCCESS;
}

struct CallbacksDeleter {
  void operator()(OTF2_EvtReaderCallbacks* callbacks) const {
    OTF2_EvtReaderCallbacks_Delete(callbacks);
  }
};
using RecordCallbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, CallbacksDeleter>;

RecordCallbacks record_callbacks() {
  using At = Otf2Location;
  RecordCallbacks owner(OTF2_EvtReaderCallbacks_New());
  OTF2_EvtReaderCallbacks* all = owner.get();
  OTF2_EvtReaderCallbacks_SetUnknownCallback(all, on<&At::other>);
  OTF2_EvtReaderCallbacks_SetEnterCallback(all, on<&At::enter>);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(all, on<&At::leave>);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, on<&At::send>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, on<&At::isend>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, on<&At::isend_complete>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, on<&At::irecv_request>);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, on<&At::receive>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, on<&At::irecv>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, on<&At::collective>);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, on<&At::collective_request>);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(all,
                                                                   on<&At::collective_complete>);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, on<&At::one_sided>);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, on<&At::one_sided>);
  return owner;
}

// Local definitions map what local records name to what global definitions call it. An archive may
// have none.
void read_local_definitions(OTF2_Reader* reader, const std::vector<std::uint64_t>& locations) {
  if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS) return;
  for (const std::uint64_t one : locations) {
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, one);
    if (definitions == nullptr) continue;
    std::uint64_t read = 0;
    OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
    OTF2_Reader_CloseDefReader(reader, definitions);
  }
  OTF2_Reader_CloseDefFiles(reader);
}

// The first rank whose records cannot be read, if there is one.
std::optional<std::size_t> read_records(OTF2_Reader* reader, const Archive& archive,
                                        Otf2Records& records) {
  for (const std::uint64_t one : archive.locations) OTF2_Reader_SelectLocation(reader, one);
  if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS) return 0;
  read_local_definitions(reader, archive.locations);
  const RecordCallbacks callbacks = record_callbacks();
  for (std::size_t rank = 0; rank < archive.locations.size(); ++rank) {
    Otf2Location location{records.rank(static_cast<std::uint32_t>(rank)), archive.mpi_regions};
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, archive.locations[rank]);
    if (events == nullptr) return rank;
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), &location);
    std::uint64_t read = 0;
    if (OTF2_Reader_ReadAllLocalEvents(reader, events, &read) != OTF2_SUCCESS) return rank;
    OTF2_Reader_CloseEvtReader(reader, events);
  }
  return std::nullopt;
}

Result<Trace> read_otf2(const Input& input, const Parameters& parameters) {
  const LibraryErrors said;
  const Otf2Reader reader(OTF2_Reader_Open(input.path.c_str()));
  const auto refuse = [&](const std::string& what) {
    return fail(said.first().empty() ? what : fmt::format("{} ({})", what, said.first()),
                {input.path});
  };
  if (!reader) return refuse("is no anchor file of an OTF2 archive");
  OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  Archive archive;
  if (!read_definitions(reader.get(), archive)) return refuse("its definitions cannot be read");
  auto definitions = definitions_of(archive, input.path);
  if (!definitions) return fail(definitions.error());
  Otf2Records records(*std::move(definitions), input.path);
  if (const auto rank = read_records(reader.get(), archive, records))
    return refuse(fmt::format("the records of rank {} cannot be read", *rank));
  auto trace = records.program(parameters.choice("all_reduce"));
  if (trace && archive.other_locations > archive.locations.size()) {
    trace->repairs.push_back(
        fmt::format("{} locations that are not ranks of MPI (threads, accelerators) were left out",
                    archive.other_locations - archive.locations.size()));
  }
  return trace;
}
#else
Result<Trace> read_otf2(const Input& input, const Parameters&) {
  return fail("OTF2 is not built in: needs libotf2-trace-dev when ebb is built", {input.path});
}
#endif

// An anchor file has the name of the format after two bytes.
bool recognizes_otf2(const Input& input) {
  constexpr std::size_t kNameAt = 2;
  const std::string_view text = input.file->text();
  return text.size() > kNameAt && text.substr(kNameAt).starts_with("OTF2");
}

}  // namespace

Format otf2_format() {
  const auto names = program::algorithms(program::Collective::Kind::all_reduce);
  const std::vector<std::string> all_reduce(names.begin(), names.end());
#if EBB_HAVE_OTF2
  constexpr std::string_view kDescription =
      "OTF2 archives of MPI programs (Score-P), by their anchor file";
#else
  constexpr std::string_view kDescription =
      "OTF2 archives of MPI programs (not built in: needs libotf2)";
#endif
  return {"otf2",
          kDescription,
          {{"all_reduce", Choice{all_reduce}, all_reduce.front(), "algorithm of all-reduces"}},
          recognizes_otf2,
          read_otf2};
}

}  // namespace ebb::trace
