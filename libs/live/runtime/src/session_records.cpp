// SPDX-License-Identifier: Apache-2.0
//
// What a session writes and serves: the control socket, log, audit trail, history, transcript and
// metrics. A controller leads whether or not they can be opened: a leader that hangs may hold an
// address for as long as it likes, and links must be woken also when a disk is full.
#include "ebb/runtime/description.hpp"
#include "ebb/runtime/session.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace ebb::runtime {
namespace {

constexpr transport::Milliseconds kRetryEvery{1000};

std::string in_one_line(const Errors& errors) {
  std::string text;
  for (const Error& error : errors) {
    text += text.empty() ? "" : "; ";
    text += error.where.file.empty() ? "" : error.where.file + ": ";
    text += error.message;
  }
  return text;
}

}  // namespace

void Session::note(const std::string& record, const Errors& problem) {
  std::string& before = problems_[record];
  std::string now = in_one_line(problem);
  if (now != before)
    say(now.empty() ? record + " can be opened again" : fmt::format("{}: {}", record, now));
  before = std::move(now);
}

void Session::serve_metrics() {
  if (options_.metrics.empty()) return;
  const auto address = metrics_address(options_.metrics);
  if (!address) return note("metrics", address.error());
  auto server = monitor::HttpServer::open(
      loop_, *address, {}, [this](std::string_view path) -> std::optional<monitor::HttpResponse> {
        if (path != "/metrics") return std::nullopt;
        return monitor::HttpResponse{std::string(monitor::Exposition::kType), metrics_page()};
      });
  note("metrics", server ? Errors{} : server.error());
  if (!server) {
    loop_.after(kRetryEvery, [this] { serve_metrics(); });
    return;
  }
  metrics_server_ = std::move(*server);
  say("metrics at http://" + to_text(metrics_server_->address()).substr(4) + "/metrics");
}

void Session::open_records() {
  const std::string beside_status = options_.state.controller(file_.name) + "/audit.jsonl";
  for (const Role role : kRoles) {
    if (wants_socket(role) && !control_.contains(role))
      note(std::string(to_text(role)), open_control_socket(role));
  }
  if (!options_.log.empty()) note("log", events_.open_log(options_.log));
  note("audit", events_.open_audit(options_.audit.empty() ? beside_status : options_.audit));
  if (!history_ && !options_.history.empty()) note("history", open_history());
  for (const char* record : {"control", "operate", "read", "log", "audit", "history"}) {
    if (const auto found = problems_.find(record);
        found != problems_.end() && !found->second.empty()) {
      loop_.after(kRetryEvery, [this] { open_records(); });
      return;
    }
  }
}

const std::string& Session::group_of(Role role) const {
  static const std::string kOwnerAlone;
  if (role == Role::admin) return kOwnerAlone;
  return role == Role::operate ? options_.operators : options_.readers;
}

bool Session::wants_socket(Role role) const {
  return role == Role::admin || !group_of(role).empty();
}

void Session::remove_sockets() const {
  std::error_code stays;
  for (const Role role : kRoles)
    std::filesystem::remove(socket_path(options_.state, file_.name, role), stays);
}

Errors Session::open_control_socket(Role role) {
  const std::string path = socket_path(options_.state, file_.name, role);
  // Whoever is in the group passes through the folders, and sees nothing else in them.
  for (const std::string& folder :
       {options_.state.fabric(file_.name), options_.state.controller(file_.name)}) {
    std::error_code problem;
    if (!group_of(role).empty()) {
      std::filesystem::permissions(folder, std::filesystem::perms::others_exec,
                                   std::filesystem::perm_options::add, problem);
    }
    if (problem) return {{problem.message(), {folder}}};
  }
  auto control = ControlSocket::open(
      loop_, path, role, group_of(role),
      [this](const std::string& line, Asker who, const Reply& reply) { answer(line, who, reply); });
  if (!control) return control.error();
  control_[role] = std::move(*control);
  return {};
}

Errors Session::open_history() {
  auto history = FabricHistory::create(options_.history, options_.dry_run, options_.standby);
  if (!history) return history.error();
  history_ = std::move(*history);
  return {};
}

// A leader that hangs still has its own transcript open, so each term of controllers that replace
// each other has a file of its own.
void Session::open_transcript() {
  if (options_.transcript.empty()) return;
  note("transcript", transcript_.open(options_.standby ? fmt::format("{}.{}", options_.transcript,
                                                                     ha_.generation())
                                                       : options_.transcript));
}

std::string Session::metrics_page() const {
  return leading_ ? metrics_.text(view(), itself()) : monitor::metrics_text(itself());
}

monitor::ControllerMetrics Session::itself() const {
  std::vector<std::pair<std::string, bool>> records;
  for (const auto& [record, problem] : problems_) records.emplace_back(record, !problem.empty());
  return {.fabric = file_.name,
          .policy = made_.name,
          .dry_run = options_.dry_run,
          .leads = leading_,
          .generation = ha_.generation(),
          .uptime = std::chrono::duration_cast<Duration>(transport::Clock::now() - began_),
          .loop_lag = metrics_.loop_lag(),
          .lines_lost = events_.lines_lost(),
          .saves_failed = saves_failed_,
          .records = std::move(records)};
}

}  // namespace ebb::runtime
