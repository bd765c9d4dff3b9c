// SPDX-License-Identifier: Apache-2.0
//
// A conversation over a unix socket that is begun again whenever it ends.
#pragma once

#include "ebb/transport/connector.hpp"

#include <functional>
#include <memory>
#include <string>

namespace ebb::agent {

template <class T>
class Peer {
 public:
  using Closed = std::function<void(const std::string& reason)>;
  using Make = std::function<std::unique_ptr<T>(transport::Stream, Closed)>;

  // `path` is asked before each attempt; `begun` is called each time that it is here. The loop
  // outlives it.
  Peer(transport::Loop& loop, std::function<std::string()> path, Make make,
       std::function<void()> begun)
      : make_(std::move(make)),
        begun_(std::move(begun)),
        connector_(
            loop,
            [path = std::move(path)] {
              return transport::Address{.kind = transport::Kind::unix_socket, .path = path()};
            },
            {}, {.longest = transport::Milliseconds(1000)},
            [this](transport::Stream stream) { connected(std::move(stream)); }) {}

  void start() { connector_.start(); }
  [[nodiscard]] bool is_here() const { return here_; }
  [[nodiscard]] const std::string& last_problem() const { return connector_.last_problem(); }
  // While it is here.
  T* operator->() { return peer_.get(); }

 private:
  void connected(transport::Stream stream) {
    here_ = true;
    // The last one stayed until now: it was in the middle of saying that it ends.
    peer_ = make_(std::move(stream), [this](const std::string& /*reason*/) {
      here_ = false;
      connector_.start();
    });
    begun_();
  }

  Make make_;
  std::function<void()> begun_;
  bool here_ = false;
  std::unique_ptr<T> peer_;
  transport::Connector connector_;
};

}  // namespace ebb::agent
