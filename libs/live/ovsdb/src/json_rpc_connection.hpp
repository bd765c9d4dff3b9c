// SPDX-License-Identifier: Apache-2.0
//
// The inside of a Session.
#pragma once

#include "ebb/ovsdb/session.hpp"

#include <map>

namespace ebb::ovsdb {

class JsonRpcConnection : public std::enable_shared_from_this<JsonRpcConnection> {
 public:
  JsonRpcConnection(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
                    SessionEvents events);

  void start();
  // Without an event or an answer.
  void shut();
  void request(const std::string& method, json parameters, Callback<json> then);

 private:
  struct UnderWay {
    Callback<json> then;
    transport::Loop::Timer limit;
  };

  void send(const json& message);
  void received(std::span<const std::byte> bytes);
  void handle(const json& message);
  void answered(const json& message);
  void asked(const json& message);
  void finish(std::uint64_t number, Reply<json> answer);
  void end(const std::string& reason);

  transport::Loop& loop_;
  transport::Stream stream_;
  Milliseconds answer_limit_;
  SessionEvents events_;
  JsonFramer framer_;
  bool open_ = true;
  std::uint64_t next_number_ = 1;
  std::map<std::uint64_t, UnderWay> under_way_;
  transport::Liveness liveness_;
};

}  // namespace ebb::ovsdb
