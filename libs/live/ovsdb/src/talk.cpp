// SPDX-License-Identifier: Apache-2.0
#include "talk.hpp"

#include <fmt/format.h>

namespace ebb::ovsdb {
namespace {

// Its answer, which may be an error, is only noticed as a sign of life.
constexpr auto kEchoNumber = "echo";

// Errors are a text, an object as in RFC 7047, or anything else that a server thought of.
Refusal refusal_of(const json& error) {
  if (error.is_string()) return {Why::refused, error.get<std::string>()};
  if (error.is_object() && error.contains("error") && error["error"].is_string()) {
    const auto details = error.find("details");
    return {Why::refused, error["error"].get<std::string>(),
            details != error.end() && details->is_string() ? details->get<std::string>() : ""};
  }
  return {Why::refused, error.dump(-1, ' ', false, json::error_handler_t::replace)};
}

}  // namespace

Talk::Talk(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
           SessionEvents events)
    : loop_(loop),
      stream_(std::move(stream)),
      answer_limit_(timing.answer),
      events_(std::move(events)),
      liveness_(
          loop, timing.patience,
          [this] {
            send({{"id", kEchoNumber}, {"method", "echo"}, {"params", json::array()}});
          },
          [this] { end("the peer did not answer whether it is alive"); }) {}

void Talk::start() {
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

void Talk::shut() {
  if (!open_) return;
  open_ = false;
  liveness_.stop();
  for (const auto& [number, under_way] : under_way_) loop_.cancel(under_way.limit);
  stream_.close();
}

void Talk::end(const std::string& reason) {
  if (!open_) return;
  const auto self = shared_from_this();  // an answer may drop the session
  shut();
  const auto unanswered = std::move(under_way_);
  under_way_.clear();
  for (const auto& [number, under_way] : unanswered)
    under_way.then(tl::unexpected(Refusal{Why::closed, reason}));
  events_.closed(reason);
}

void Talk::request(const std::string& method, json parameters, Then<json> then) {
  const std::uint64_t number = next_number_++;
  const auto limit = loop_.after(answer_limit_, [weak = weak_from_this(), number, method] {
    Refusal refusal{Why::timed_out, "no answer to " + method + " in time"};
    if (const auto self = weak.lock()) self->finish(number, tl::unexpected(std::move(refusal)));
  });
  under_way_.emplace(number, UnderWay{std::move(then), limit});
  send({{"id", number}, {"method", method}, {"params", std::move(parameters)}});
}

// Text that is not UTF-8 is replaced: a name from a switch must not end the program.
void Talk::send(const json& message) {
  const std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
  stream_.send(std::as_bytes(std::span(text)));
}

void Talk::received(std::span<const std::byte> bytes) {
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

void Talk::handle(const json& message) {
  const auto method = message.find("method");
  if (method != message.end() && method->is_string()) return asked(message);
  answered(message);
}

void Talk::answered(const json& message) {
  const auto id = message.find("id");
  if (id == message.end() || !id->is_number_unsigned()) return;  // of our echo, or of nothing
  const auto error = message.find("error");
  const auto result = message.find("result");
  if (error != message.end() && !error->is_null()) {
    finish(id->get<std::uint64_t>(), tl::unexpected(refusal_of(*error)));
  } else if (result == message.end()) {
    finish(id->get<std::uint64_t>(),
           tl::unexpected(Refusal{Why::malformed, "an answer without a result"}));
  } else {
    finish(id->get<std::uint64_t>(), *result);
  }
}

void Talk::asked(const json& message) {
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

void Talk::finish(std::uint64_t number, Answer<json> answer) {
  auto found = under_way_.extract(number);
  if (found.empty()) return;
  loop_.cancel(found.mapped().limit);
  found.mapped().then(std::move(answer));
}

}  // namespace ebb::ovsdb
