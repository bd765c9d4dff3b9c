// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/session.hpp"

#include "json_rpc_connection.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ebb::ovsdb {

Result<std::string> JsonFramer::next() {
  if (looked_at_ == 0) drop(std::min(waiting_.find_first_not_of(" \t\r\n"), waiting_.size()));
  if (waiting_.empty()) return std::string();
  if (waiting_.front() != '{')
    return fail(fmt::format("JSON: no object begins at byte {} of the stream", offset_));
  while (looked_at_ < waiting_.size()) {
    if (looked_at_ >= limits_.bytes) {
      return fail(fmt::format("JSON: the object at byte {} of the stream exceeds {} bytes", offset_,
                              limits_.bytes));
    }
    look_at(waiting_[looked_at_]);
    ++looked_at_;
    if (depth_ > limits_.depth) {
      return fail(fmt::format("JSON: the object at byte {} of the stream is deeper than {}",
                              offset_, limits_.depth));
    }
    if (depth_ == 0) {
      std::string object = waiting_.substr(0, looked_at_);
      drop(looked_at_);
      return object;
    }
  }
  return std::string();
}

void JsonFramer::drop(std::size_t count) {
  waiting_.erase(0, count);
  offset_ += count;
  looked_at_ = 0;
}

// Brackets outside of strings; which kind closes which is the parser's business.
void JsonFramer::look_at(char c) {
  if (in_string_) {
    if (!escaped_ && c == '"') in_string_ = false;
    escaped_ = !escaped_ && c == '\\';
    return;
  }
  if (c == '"') in_string_ = true;
  if (c == '{' || c == '[') ++depth_;
  if (c == '}' || c == ']') --depth_;
}

namespace {

// Its answer, which may be an error, is only noticed as a sign of life.
constexpr auto kEchoNumber = "echo";

// Errors are a text, an object as in RFC 7047, or anything else that a server thought of.
RequestError refusal_of(const json& error) {
  if (error.is_string()) return {Why::refused, error.get<std::string>()};
  if (error.is_object() && error.contains("error") && error["error"].is_string()) {
    const auto details = error.find("details");
    return {Why::refused, error["error"].get<std::string>(),
            details != error.end() && details->is_string() ? details->get<std::string>() : ""};
  }
  return {Why::refused, error.dump(-1, ' ', false, json::error_handler_t::replace)};
}

}  // namespace

JsonRpcConnection::JsonRpcConnection(transport::Loop& loop, transport::Stream stream,
                                     SessionTiming timing, SessionEvents events)
    : loop_(loop),
      stream_(std::move(stream)),
      answer_limit_(timing.answer),
      events_(std::move(events)),
      liveness_(
          loop, timing.keepalive,
          [this] {
            send({{"id", kEchoNumber}, {"method", "echo"}, {"params", json::array()}});
          },
          [this] { end("the peer did not answer whether it is alive"); }) {}

void JsonRpcConnection::start() {
  const auto weak = weak_from_this();
  stream_.on({.received =
                  [weak](std::span<const std::byte> bytes) {
                    if (const auto self = weak.lock()) self->received(bytes);
                  },
              .closed =
                  [weak](const std::string& reason) {
                    if (const auto self = weak.lock()) self->end(reason);
                  }});
  liveness_.start();
}

void JsonRpcConnection::shut() {
  if (!open_) return;
  open_ = false;
  liveness_.stop();
  for (const auto& [number, under_way] : under_way_) loop_.cancel(under_way.limit);
  stream_.close();
}

void JsonRpcConnection::end(const std::string& reason) {
  if (!open_) return;
  const auto self = shared_from_this();  // an answer may drop the session
  shut();
  const auto unanswered = std::move(under_way_);
  under_way_.clear();
  for (const auto& [number, under_way] : unanswered)
    under_way.then(tl::unexpected(RequestError{Why::closed, reason}));
  events_.closed(reason);
}

void JsonRpcConnection::request(const std::string& method, json parameters, Callback<json> then) {
  const std::uint64_t number = next_number_++;
  const auto limit = loop_.after(answer_limit_, [weak = weak_from_this(), number, method] {
    RequestError error{Why::timed_out, "no answer to " + method + " in time"};
    if (const auto self = weak.lock()) self->finish(number, tl::unexpected(std::move(error)));
  });
  under_way_.emplace(number, UnderWay{std::move(then), limit});
  send({{"id", number}, {"method", method}, {"params", std::move(parameters)}});
}

// Text that is not UTF-8 is replaced: a name from a switch must not end the program.
void JsonRpcConnection::send(const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
  stream_.send(std::as_bytes(std::span(text)));
}

void JsonRpcConnection::received(std::span<const std::byte> bytes) {
  liveness_.heard();
  framer_.feed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  while (open_) {
    const auto text = framer_.next();
    if (!text) return end(text.error().front().message);
    if (text->empty()) return;
    const json message = json::parse(*text, nullptr, false);
    if (message.is_discarded()) return end("JSON: an object of the stream cannot be read");
    handle(message);
  }
}

void JsonRpcConnection::handle(const json& message) {
  const auto method = message.find("method");
  if (method != message.end() && method->is_string()) return asked(message);
  answered(message);
}

void JsonRpcConnection::answered(const json& message) {
  const auto id = message.find("id");
  if (id == message.end() || !id->is_number_unsigned()) return;  // of our echo, or of nothing
  const auto error = message.find("error");
  const auto result = message.find("result");
  if (error != message.end() && !error->is_null()) {
    finish(id->get<std::uint64_t>(), tl::unexpected(refusal_of(*error)));
  } else if (result == message.end()) {
    finish(id->get<std::uint64_t>(),
           tl::unexpected(RequestError{Why::malformed, "an answer without a result"}));
  } else {
    finish(id->get<std::uint64_t>(), *result);
  }
}

void JsonRpcConnection::asked(const json& message) {
  const auto method = message["method"].get<std::string>();
  const auto parameters = message.contains("params") ? message["params"] : json::array();
  const auto id = message.find("id");
  if (method == "echo") {
    send({{"id", id == message.end() ? json() : *id}, {"result", parameters}, {"error", nullptr}});
  } else if (id == message.end() || id->is_null()) {
    events_.notified(method, parameters);
  } else {
    send({{"id", *id}, {"result", nullptr}, {"error", "unknown method"}});
  }
}

void JsonRpcConnection::finish(std::uint64_t number, Reply<json> answer) {
  auto found = under_way_.extract(number);
  if (found.empty()) return;
  loop_.cancel(found.mapped().limit);
  found.mapped().then(std::move(answer));
}

Session::Session(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
                 SessionEvents events)
    : connection_(
          std::make_shared<JsonRpcConnection>(loop, std::move(stream), timing, std::move(events))) {
  connection_->start();
}

Session::~Session() { connection_->shut(); }

void Session::request(const std::string& method, json parameters, Callback<json> then) {
  connection_->request(method, std::move(parameters), std::move(then));
}

namespace {

// Texts of daemons end with a line's end.
std::string without_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Control::Control(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
                 std::function<void(const std::string& reason)> closed)
    : session_(loop, std::move(stream), timing, {.closed = std::move(closed)}) {}

void Control::command(const std::string& name, const std::vector<std::string>& words,
                      const Callback<std::string>& then) {
  session_.request(name, json(words), [then](Reply<json> answer) {
    if (!answer) {
      answer.error().error = without_line_end(answer.error().error);
      return then(tl::unexpected(answer.error()));
    }
    if (!answer->is_string())
      return then(tl::unexpected(RequestError{Why::malformed, "the daemon's answer is no text"}));
    then(without_line_end(answer->get<std::string>()));
  });
}

}  // namespace ebb::ovsdb
