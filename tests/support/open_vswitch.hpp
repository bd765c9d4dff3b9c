// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/listens.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fcntl.h>
#include <memory>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ebb::test {

// A program of ours, ended with us even when we crash.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command) : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int descriptor : {0, 1, 2}) dup2(nowhere, descriptor);
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    _exit(127);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    kill(pid_, SIGCONT);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  void pause() const { kill(pid_, SIGSTOP); }
  void go_on() const { kill(pid_, SIGCONT); }

 private:
  pid_t pid_;
};

// A private Open vSwitch with the dummy datapath, which needs no privileges: its own database, its
// own daemon, all in one folder of its own. Ports of a bridge are p1, p2, ... with these numbers.
class OpenVswitch {
 public:
  static bool is_installed() {
    return std::system(
               (kPath + "command -v ovs-vswitchd >/dev/null && command -v ovs-vsctl >/dev/null")
                   .c_str()) == 0;
  }

  OpenVswitch() {
    shell(fmt::format("ovsdb-tool create {} /usr/share/openvswitch/vswitch.ovsschema",
                      file("conf.db")));
    database_ = daemon(fmt::format("ovsdb-server {} --remote=punix:{} --unixctl={}",
                                   file("conf.db"), file("db.sock"), file("ovsdb.ctl")));
    wait_for("db.sock");
    shell(fmt::format("ovs-vsctl --no-wait --db=unix:{} init", file("db.sock")));
    switch_ =
        daemon(fmt::format("ovs-vswitchd unix:{} --unixctl={} --enable-dummy --disable-system "
                           "--disable-system-route",
                           file("db.sock"), file("vswitchd.ctl")));
    wait_for("vswitchd.ctl");
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] const ChildProcess& daemon() const { return *switch_; }
  [[nodiscard]] const ChildProcess& database() const { return *database_; }

  void vsctl(const std::string& arguments) const {
    shell(fmt::format("ovs-vsctl --timeout=20 --db=unix:{} {}", file("db.sock"), arguments));
  }
  void appctl(const std::string& arguments) const {
    shell(fmt::format("ovs-appctl --timeout=20 -t {} {}", file("vswitchd.ctl"), arguments));
  }
  // Of bridge br0.
  void ofctl(const std::string& command, const std::string& arguments) const {
    shell(fmt::format("ovs-ofctl --timeout=20 -O OpenFlow13 {} {} {}", command, file("br0.mgmt"),
                      arguments));
  }
  void add_bridge(const std::string& name, int ports) const {
    std::string arguments = fmt::format(
        "add-br {0} -- set bridge {0} datapath_type=dummy fail_mode=secure protocols=OpenFlow13",
        name);
    for (int i = 1; i <= ports; ++i) {
      arguments += fmt::format(
          " -- add-port {0} {0}p{1} -- set interface {0}p{1} type=dummy ofport_request={1}", name,
          i);
    }
    vsctl(arguments);
  }

 private:
  inline static const std::string kPath = "PATH=$PATH:/usr/sbin:/sbin; ";

  [[nodiscard]] std::string environment() const {
    const std::string folder = file("");
    return fmt::format("OVS_RUNDIR={0} OVS_LOGDIR={0} OVS_DBDIR={0} OVS_SYSCONFDIR={0} ", folder);
  }
  [[nodiscard]] std::unique_ptr<ChildProcess> daemon(const std::string& command) const {
    return std::make_unique<ChildProcess>(std::vector<std::string>{
        "sh", "-c", kPath + "exec env " + environment() + command + " -vconsole:off -vfile:off"});
  }
  void shell(const std::string& command) const {
    if (std::system((kPath + environment() + command + " >/dev/null 2>&1").c_str()) == 0) return;
    ADD_FAILURE() << "failed: " << command;
  }
  void wait_for(const std::string& name) const {
    for (int i = 0; i < 1000 && !listens(file(name)); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  TemporaryFolder folder_;
  std::unique_ptr<ChildProcess> database_;
  std::unique_ptr<ChildProcess> switch_;  // ends first
};

}  // namespace ebb::test
