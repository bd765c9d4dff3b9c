// SPDX-License-Identifier: Apache-2.0
#include "ebb/ovsdb/session.hpp"

#include "talk.hpp"

namespace ebb::ovsdb {

Session::Session(transport::Loop& loop, transport::Stream stream, SessionTiming timing,
                 SessionEvents events)
    : talk_(std::make_shared<Talk>(loop, std::move(stream), timing, std::move(events))) {
  talk_->start();
}

Session::~Session() { talk_->shut(); }

void Session::request(const std::string& method, json parameters, Then<json> then) {
  talk_->request(method, std::move(parameters), std::move(then));
}

}  // namespace ebb::ovsdb
