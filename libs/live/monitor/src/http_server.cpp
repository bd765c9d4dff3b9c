// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/http_server.hpp"

#ifndef EBB_MICROHTTPD

namespace ebb::monitor {

Result<std::unique_ptr<HttpServer>> HttpServer::open(transport::Loop& /*loop*/,
                                                     const transport::Address& /*address*/,
                                                     const HttpLimits& /*limits*/,
                                                     Handler /*answer*/) {
  return fail("built without libmicrohttpd, which answers HTTP: install libmicrohttpd-dev, build");
}

}  // namespace ebb::monitor

#else

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <map>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>

namespace ebb::monitor {
namespace {

using transport::Address;
using transport::Loop;
using transport::Milliseconds;

MHD_Result send(MHD_Connection* connection, unsigned code, const HttpResponse& answer,
                const char* allow = nullptr) {
  // A copy, which MHD frees when it has been sent.
  std::string body = answer.body;
  MHD_Response* response =
      MHD_create_response_from_buffer(body.size(), body.data(), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  MHD_add_response_header(response, "Content-Type", answer.type.c_str());
  MHD_add_response_header(response, "Connection", "close");
  if (allow != nullptr) MHD_add_response_header(response, "Allow", allow);
  const MHD_Result queued = MHD_queue_response(connection, code, response);
  MHD_destroy_response(response);
  return queued;
}

MHD_Result refuse(MHD_Connection* connection, unsigned code, std::string_view why,
                  const char* allow = nullptr) {
  return send(connection, code, {"text/plain; charset=utf-8", std::string(why) + "\n"}, allow);
}

// libmicrohttpd with an epoll descriptor of its own, which our loop watches.
class MicroServer final : public HttpServer {
 public:
  MicroServer(Loop& loop, Address address, const HttpLimits& limits, Handler answer)
      : loop_(loop), address_(std::move(address)), limits_(limits), answer_(std::move(answer)) {}
  ~MicroServer() override {
    if (daemon_ == nullptr) return;
    loop_.forget(epoll_);
    if (timer_) loop_.cancel(*timer_);
    MHD_stop_daemon(daemon_);  // says of each connection that it has closed
  }

  [[nodiscard]] bool start();
  [[nodiscard]] const Address& address() const override { return address_; }

 private:
  static MHD_Result asked(void* self, MHD_Connection* connection, const char* url,
                          const char* method, const char* version, const char* upload,
                          std::size_t* upload_size, void** state);
  static void noticed(void* self, MHD_Connection* connection, void** state,
                      MHD_ConnectionNotificationCode what);

  void run();
  void cut_off(MHD_Connection* connection);

  Loop& loop_;
  Address address_;
  HttpLimits limits_;
  Handler answer_;
  MHD_Daemon* daemon_ = nullptr;
  int epoll_ = -1;
  std::optional<Loop::Timer> timer_;
  bool closed_one_ = false;  // in this run
  std::map<MHD_Connection*, Loop::Timer> deadlines_;
};

bool MicroServer::start() {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  const bool is_v4 = inet_pton(AF_INET, address_.host.c_str(), &v4.sin_addr) == 1;
  v4.sin_family = AF_INET;
  v6.sin6_family = AF_INET6;
  v4.sin_port = v6.sin6_port = htons(address_.port);
  if (!is_v4 && inet_pton(AF_INET6, address_.host.c_str(), &v6.sin6_addr) != 1) return false;
  const sockaddr* where =
      is_v4 ? reinterpret_cast<sockaddr*>(&v4) : reinterpret_cast<sockaddr*>(&v6);
  const unsigned quiet_seconds = std::max(
      1U, static_cast<unsigned>(
              std::chrono::duration_cast<std::chrono::seconds>(limits_.connection).count()));
  daemon_ = MHD_start_daemon(
      MHD_USE_EPOLL | (is_v4 ? 0U : static_cast<unsigned>(MHD_USE_IPv6)), address_.port, nullptr,
      nullptr, &MicroServer::asked, this, MHD_OPTION_SOCK_ADDR, where, MHD_OPTION_CONNECTION_LIMIT,
      limits_.connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits_.request_bytes,
      MHD_OPTION_CONNECTION_TIMEOUT, quiet_seconds, MHD_OPTION_NOTIFY_CONNECTION,
      &MicroServer::noticed, this, MHD_OPTION_END);
  if (daemon_ == nullptr) return false;
  epoll_ = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  address_.port = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_BIND_PORT)->port;
  loop_.watch(epoll_, EPOLLIN, [this](std::uint32_t) { run(); });
  return true;
}

void MicroServer::run() {
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
  closed_one_ = false;
  MHD_run(daemon_);
  MHD_UNSIGNED_LONG_LONG wait = 0;
  // A full server does not listen; it does so again when it is run, which nobody else would cause.
  if (MHD_get_timeout(daemon_, &wait) != MHD_YES && !closed_one_) return;
  timer_ = loop_.after(Milliseconds(closed_one_ ? 0 : wait), [this] { run(); });
}

MHD_Result MicroServer::asked(void* self, MHD_Connection* connection, const char* url,
                              const char* method, const char* /*version*/, const char* /*upload*/,
                              std::size_t* /*upload_size*/, void** state) {
  const std::string_view verb(method);
  if (verb != MHD_HTTP_METHOD_GET && verb != MHD_HTTP_METHOD_HEAD)
    return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or HEAD", "GET, HEAD");
  // The first call comes before the end of the request; it may only be noted.
  if (*state == nullptr) {
    *state = self;
    return MHD_YES;
  }
  const auto answer = static_cast<MicroServer*>(self)->answer_(url);
  if (!answer) return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such page");
  return send(connection, MHD_HTTP_OK, *answer);
}

// MHD's own time limit begins again with every byte; ours does not.
void MicroServer::noticed(void* self, MHD_Connection* connection, void** /*state*/,
                          MHD_ConnectionNotificationCode what) {
  auto* server = static_cast<MicroServer*>(self);
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    server->deadlines_.emplace(connection, server->loop_.after(server->limits_.connection, [=] {
      server->cut_off(connection);
    }));
    return;
  }
  const auto found = server->deadlines_.find(connection);
  if (found == server->deadlines_.end()) return;
  server->loop_.cancel(found->second);
  server->deadlines_.erase(found);
  server->closed_one_ = true;
}

// MHD sees the end of the connection and clears up.
void MicroServer::cut_off(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  shutdown(info->connect_fd, SHUT_RDWR);
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::open(Loop& loop, const Address& address,
                                                     const HttpLimits& limits, Handler answer) {
  errno = 0;
  auto made = std::make_unique<MicroServer>(loop, address, limits, std::move(answer));
  if (!made->start()) return fail(to_text(address) + ": " + std::generic_category().message(errno));
  return made;
}

}  // namespace ebb::monitor

#endif
