// SPDX-License-Identifier: Apache-2.0
//
// DUMPI traces. Between two calls a rank computes; what a call itself took is left out, because it
// is what a network decides. A test that succeeded is a wait.
#include "dumpi_arguments.hpp"
#include "dumpi_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::trace {
namespace {

using Kind = program::Collective::Kind;
using program::Operation;

class DumpiReader;

struct CallType {
  std::string_view name;
  void (DumpiReader::*read)();
};

class DumpiReader : DumpiArguments {
 public:
  DumpiReader(std::span<const NamedText> texts, const Parameters& parameters)
      : DumpiArguments(texts),
        share_(parameters.ratio("compute")),
        calls_(static_cast<std::uint32_t>(texts.size()), parameters) {}

  Result<Trace> read(const std::string& name) {
    const auto ranks = static_cast<std::uint32_t>(texts_.size());
    for (me_ = 0; me_ < ranks; ++me_) {
      for_each_call([&] { find_communicator(true); });
    }
    if (!errors_.empty()) return fail(std::move(errors_));
    communicators_.resolve();
    communicators_.begin_again();
    program::ProgramBuilder program(ranks);
    for (me_ = 0; me_ < ranks && !has_enough_errors(); ++me_) {
      begin_rank();
      for_each_call([&] { read_call(); });
      if (errors_.empty()) program.add(calls_.rank());
    }
    if (!errors_.empty()) return fail(std::move(errors_));
    return Trace{std::move(program).build(name), {}, changes_.sentences()};
  }

 private:
  void begin_rank() {
    calls_.begin(me_);
    requests_ = {};
    returned_.reset();
  }

  void read_call();

  void compute_since_last_call() {
    if (returned_ && call_.entered < *returned_) {
      changed(
          "a call begins before the one before it has returned: nothing is computed between "
          "them");
    }
    if (returned_ && call_.entered > *returned_) {
      const Int128 time = static_cast<Int128>(call_.entered - *returned_) * share_.num();
      const Int128 scaled = time / share_.den();
      if (scaled > 1'000'000'000'000'000) {
        report("between this call and the one before it are more than 11 days");
        return;
      }
      calls_.compute(std::chrono::nanoseconds(static_cast<std::int64_t>(scaled)), 0);
    }
    returned_ = call_.returned;
  }

  // Point to point.
  std::optional<Operation> send_of(std::string_view count = "count",
                                   std::string_view type = "datatype",
                                   std::string_view tag = "tag") {
    return message(Operation::Kind::send, "dest", tag, size(count, type));
  }
  std::optional<Operation> receive_of(std::string_view count = "count",
                                      std::string_view type = "datatype",
                                      std::string_view tag = "tag") {
    return message(Operation::Kind::receive, "source", tag, size(count, type));
  }
  void read_send() {
    if (const auto made = send_of()) calls_.send(made->peer, made->tag, made->size, 0);
  }
  void read_receive() {
    if (const auto made = receive_of()) calls_.receive(made->peer, made->tag, made->size, 0);
  }
  void read_isend() { open(send_of()); }
  void read_ireceive() { open(receive_of()); }
  void read_send_init() { open_persistent(send_of()); }
  void read_receive_init() { open_persistent(receive_of()); }
  void read_exchange(const std::optional<Operation>& send,
                     const std::optional<Operation>& receive) {
    std::vector<std::uint32_t> both;
    for (const auto& one : {receive, send}) {
      if (const auto started = start(one)) both.push_back(*started);
    }
    calls_.wait(both);
  }
  void read_send_receive() {
    read_exchange(send_of("sendcount", "sendtype", "sendtag"),
                  receive_of("recvcount", "recvtype", "recvtag"));
  }
  void read_send_receive_replace() {
    read_exchange(send_of("count", "datatype", "sendtag"),
                  receive_of("count", "datatype", "recvtag"));
  }

  std::optional<std::uint32_t> start(const std::optional<Operation>& message) {
    if (!message) return std::nullopt;
    if (message->kind == Operation::Kind::send)
      return calls_.isend(message->peer, message->tag, message->size, 0);
    return calls_.ireceive(message->peer, message->tag, message->size, 0);
  }
  void open(const std::optional<Operation>& message) {
    const auto operation = start(message);
    for (const std::int64_t number : list("request")) requests_.open(number, operation);
  }
  void open_persistent(const std::optional<Operation>& message) {
    for (const std::int64_t number : list("request")) requests_.open_persistent(number, message);
  }
  void start_requests(std::string_view name) {
    for (const std::int64_t number : list(name)) {
      if (requests_.is_open(number)) {
        requests_.started(number, start(requests_.message(number)));
      } else {
        changed("a start of a request that is not open was left out");
      }
    }
  }
  void read_start() { start_requests("request"); }
  void read_start_all() { start_requests("requests"); }

  void wait_for(std::span<const std::int64_t> numbers) {
    std::uint32_t unknown = 0;
    calls_.wait(requests_.end(numbers, unknown));
    for (; unknown > 0; --unknown) changed("a wait for a request that is not open was left out");
  }
  // Of a list, those that the call says have ended.
  void wait_for_some(const std::vector<std::int64_t>& indices) {
    const auto all = list("requests");
    std::vector<std::int64_t> ended;
    for (const std::int64_t index : indices) {
      if (index >= 0 && index < static_cast<std::int64_t>(all.size()))
        ended.push_back(all[static_cast<std::size_t>(index)]);
    }
    wait_for(ended);
  }
  [[nodiscard]] bool has_ended() { return argument("flag") != 0; }
  void read_wait() { wait_for(list("request")); }
  void read_wait_all() { wait_for(list("requests")); }
  void read_wait_any() { wait_for_some({argument("index")}); }
  void read_wait_some() {
    if (argument("outcount") > 0) wait_for_some(list("indices"));
  }
  void read_test() {
    if (has_ended()) read_wait();
  }
  void read_test_all() {
    if (has_ended()) read_wait_all();
  }
  void read_test_any() {
    if (has_ended()) read_wait_any();
  }
  void read_request_free() {
    for (const std::int64_t number : list("request")) requests_.close(number);
  }

  // Collective operations.
  std::optional<Group> collective_group() {
    const auto which = group();
    if (which) calls_.use_group(which->ranks, which->place, which->communicator);
    return which;
  }
  void read_rootless(Kind kind, std::string_view count, std::string_view type) {
    if (collective_group()) calls_.collective(kind, size(count, type), 0);
  }
  void read_rooted(Kind kind, std::string_view count, std::string_view type) {
    if (const auto which = collective_group())
      calls_.collective(kind, size(count, type), root_of(*which));
  }
  void read_barrier() {
    if (collective_group()) calls_.collective(Kind::barrier, {}, 0);
  }
  void read_broadcast() { read_rooted(Kind::broadcast, "count", "datatype"); }
  void read_reduce() { read_rooted(Kind::reduce, "count", "datatype"); }
  void read_all_reduce() { read_rootless(Kind::all_reduce, "count", "datatype"); }
  void read_all_to_all() { read_rootless(Kind::all_to_all, "recvcount", "recvtype"); }
  void read_all_gather() { read_rootless(Kind::all_gather, "recvcount", "recvtype"); }
  void read_scan() {
    if (collective_group()) calls_.scan(size("count", "datatype"), {}, 0);
  }
  // Of a root only what it gets or gives counts, of others only what they give or get.
  void read_gather() {
    const auto which = collective_group();
    if (!which) return;
    const bool is_root = root_of(*which) == which->place;
    read_rooted(Kind::gather, is_root ? "recvcount" : "sendcount",
                is_root ? "recvtype" : "sendtype");
  }
  void read_scatter() {
    const auto which = collective_group();
    if (!which) return;
    const bool is_root = root_of(*which) == which->place;
    read_rooted(Kind::scatter, is_root ? "sendcount" : "recvcount",
                is_root ? "sendtype" : "recvtype");
  }
  void read_gather_v() {
    const auto which = collective_group();
    if (!which) return;
    const std::uint32_t root = root_of(*which);
    if (root == which->place)
      return calls_.gather(root, {}, sizes("recvcounts", "recvtype", *which), 0);
    calls_.gather(root, size("sendcount", "sendtype"), {}, 0);
  }
  void read_scatter_v() {
    const auto which = collective_group();
    if (!which) return;
    const std::uint32_t root = root_of(*which);
    if (root == which->place)
      return calls_.scatter(root, {}, sizes("sendcounts", "sendtype", *which), 0);
    calls_.scatter(root, size("recvcount", "recvtype"), {}, 0);
  }
  void read_all_gather_v() {
    if (const auto which = collective_group())
      calls_.collective(Kind::all_gather, sizes("recvcounts", "recvtype", *which));
  }
  void read_reduce_scatter() {
    if (const auto which = collective_group())
      calls_.collective(Kind::reduce_scatter, sizes("recvcounts", "datatype", *which));
  }
  void read_all_to_all_v() {
    const auto which = collective_group();
    if (!which) return;
    const auto to = sizes("sendcounts", "sendtype", *which);
    calls_.all_to_all(to, sizes("recvcounts", "recvtype", *which), 0);
  }
  void refuse() {
    report(
        fmt::format("{} is not followed: only messages and collective operations are", call_.name));
  }

  static std::span<const CallType> call_types();

  Ratio share_;  // of the time between calls
  MpiCalls calls_;
  DumpiRequests requests_;
  std::optional<std::int64_t> returned_;  // when the last call did
};

std::span<const CallType> DumpiReader::call_types() {
  using R = DumpiReader;
  static constexpr std::array kTypes = {
      CallType{"MPI_Send", &R::read_send},
      CallType{"MPI_Bsend", &R::read_send},
      CallType{"MPI_Ssend", &R::read_send},
      CallType{"MPI_Rsend", &R::read_send},
      CallType{"MPI_Recv", &R::read_receive},
      CallType{"MPI_Isend", &R::read_isend},
      CallType{"MPI_Ibsend", &R::read_isend},
      CallType{"MPI_Issend", &R::read_isend},
      CallType{"MPI_Irsend", &R::read_isend},
      CallType{"MPI_Irecv", &R::read_ireceive},
      CallType{"MPI_Send_init", &R::read_send_init},
      CallType{"MPI_Bsend_init", &R::read_send_init},
      CallType{"MPI_Ssend_init", &R::read_send_init},
      CallType{"MPI_Rsend_init", &R::read_send_init},
      CallType{"MPI_Recv_init", &R::read_receive_init},
      CallType{"MPI_Start", &R::read_start},
      CallType{"MPI_Startall", &R::read_start_all},
      CallType{"MPI_Request_free", &R::read_request_free},
      CallType{"MPI_Sendrecv", &R::read_send_receive},
      CallType{"MPI_Sendrecv_replace", &R::read_send_receive_replace},
      CallType{"MPI_Wait", &R::read_wait},
      CallType{"MPI_Waitall", &R::read_wait_all},
      CallType{"MPI_Waitany", &R::read_wait_any},
      CallType{"MPI_Waitsome", &R::read_wait_some},
      CallType{"MPI_Test", &R::read_test},
      CallType{"MPI_Testall", &R::read_test_all},
      CallType{"MPI_Testany", &R::read_test_any},
      CallType{"MPI_Testsome", &R::read_wait_some},
      CallType{"MPI_Barrier", &R::read_barrier},
      CallType{"MPI_Bcast", &R::read_broadcast},
      CallType{"MPI_Reduce", &R::read_reduce},
      CallType{"MPI_Allreduce", &R::read_all_reduce},
      CallType{"MPI_Alltoall", &R::read_all_to_all},
      CallType{"MPI_Alltoallv", &R::read_all_to_all_v},
      CallType{"MPI_Allgather", &R::read_all_gather},
      CallType{"MPI_Allgatherv", &R::read_all_gather_v},
      CallType{"MPI_Gather", &R::read_gather},
      CallType{"MPI_Gatherv", &R::read_gather_v},
      CallType{"MPI_Scatter", &R::read_scatter},
      CallType{"MPI_Scatterv", &R::read_scatter_v},
      CallType{"MPI_Reduce_scatter", &R::read_reduce_scatter},
      CallType{"MPI_Scan", &R::read_scan},
      CallType{"MPI_Exscan", &R::read_scan},
      CallType{"MPI_Put", &R::refuse},
      CallType{"MPI_Get", &R::refuse},
      CallType{"MPI_Accumulate", &R::refuse},
      CallType{"MPI_Alltoallw", &R::refuse},
      CallType{"MPI_Intercomm_create", &R::refuse},
      CallType{"MPI_Comm_spawn", &R::refuse},
  };
  return kTypes;
}

void DumpiReader::read_call() {
  compute_since_last_call();
  if (!call_.is_of_first_thread)
    changed("calls of several threads are taken one after the other, as they stand in the file");
  if (calls_.has_too_many()) {
    return report(
        fmt::format("the program would have more than {} operations", kMostMpiOperations));
  }
  find_communicator(false);
  const auto type = std::ranges::find(call_types(), call_.name, &CallType::name);
  if (type != call_types().end()) return (this->*type->read)();
  if (call_.name == "MPI_Probe" || call_.name.starts_with("MPI_File_") ||
      call_.name.starts_with("MPI_Win_"))
    changed("probes, files and windows were left out");
}

}  // namespace

std::vector<Parameter> dumpi_parameters() {
  std::vector<Parameter> parameters = {{"compute", Range<Ratio>{Ratio(0, 1), Ratio(1000, 1)},
                                        "100%",
                                        "share of the time between calls that is computed"}};
  for (Parameter& parameter : algorithm_parameters()) parameters.push_back(std::move(parameter));
  return parameters;
}

Result<Trace> read_dumpi(std::span<const NamedText> texts, const std::string& name,
                         const Parameters& parameters) {
  return DumpiReader(texts, parameters).read(name);
}

}  // namespace ebb::trace
