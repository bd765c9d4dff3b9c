// SPDX-License-Identifier: Apache-2.0
//
// Who may do what: three sockets, and the kernel decides who may connect to which.
#include "forked_controller.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <grp.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ebb::runtime {
namespace {

std::string own_group() {
  const group* found = getgrgid(getgid());
  return found == nullptr ? "" : found->gr_name;
}

class Roles : public ::testing::Test {
 protected:
  void start(const std::string& operators, const std::string& readers) {
    RunOptions options;
    options.operators = operators;
    options.readers = readers;
    running_.emplace(kTriangle, options);
    ASSERT_TRUE(running_->connect_switches());
    ASSERT_TRUE(running_->wait_until([&] { return running_->all_here(); }));
  }
  [[nodiscard]] std::string path(Role role) const {
    return socket_path(running_->options().state, "triangle", role);
  }
  [[nodiscard]] std::string ask(Role role, const std::string& line) const {
    const auto answer = ask_controller(path(role), line);
    return answer ? *answer : "error: " + to_string(answer.error());
  }
  [[nodiscard]] std::vector<nlohmann::json> audited() const {
    return running_->events(running_->options().state.controller("triangle") + "/audit.jsonl",
                            "operator");
  }

  std::optional<RunningController> running_;
};

TEST_F(Roles, OfASocketAreWhatItsPathSays) {
  start(own_group(), own_group());
  EXPECT_TRUE(ask(Role::read, "explain s1-s2").starts_with("{"));
  EXPECT_TRUE(ask(Role::operate, "explain s1-s2").starts_with("{"));
  EXPECT_EQ(ask(Role::read, "drain s1-s2"), "this socket may only explain; drain needs 'operate'");
  EXPECT_EQ(ask(Role::read, "undrain s1-s2"),
            "this socket may only explain; undrain needs 'operate'");
  EXPECT_EQ(ask(Role::operate, kFabricGoes),
            "this socket may only explain, drain and undrain; fabric goes needs 'control'");
  EXPECT_TRUE(running_->wait_until([&] { return ask(Role::operate, "drain s1-s2") == "done"; }));
  EXPECT_FALSE(running_->has_ended());
  EXPECT_EQ(ask(Role::admin, kFabricGoes), "done");
  EXPECT_TRUE(running_->wait_until([&] { return running_->has_ended(); }));
  // All that was asked for and would change something is written down, also what was refused.
  const auto lines = audited();
  ASSERT_GE(lines.size(), 5U);
  for (const auto& line : lines) EXPECT_EQ(line["uid"], getuid()) << line;
  EXPECT_EQ(lines[0]["says"], "drain s1-s2");
  EXPECT_EQ(lines[0]["role"], "read");
  EXPECT_EQ(lines[2]["says"], kFabricGoes);
  EXPECT_EQ(lines[2]["role"], "operate");
  EXPECT_EQ(lines.back()["role"], "control");
}

TEST_F(Roles, HaveSocketsOnlyForGroupsThatAreNamed) {
  start("", "");
  EXPECT_TRUE(std::filesystem::exists(path(Role::admin)));
  EXPECT_FALSE(std::filesystem::exists(path(Role::operate)));
  EXPECT_FALSE(std::filesystem::exists(path(Role::read)));
  struct stat found {};
  ASSERT_EQ(stat(path(Role::admin).c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777U, 0600U);
}

TEST_F(Roles, OfAGroupThatThereIsNotAreSaidAndDoNotHinder) {
  start("no-such-group", "");
  EXPECT_TRUE(running_->has_said("operate: there is no group no-such-group"));
  EXPECT_TRUE(ask(Role::admin, "explain s1-s2").starts_with("{"));
}

// What somebody of that group alone is answered by the sockets of all roles, in this order:
// "read operate control".
std::string answers_to(gid_t group, const std::string& read, const std::string& operate,
                       const std::string& admin) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    std::string found;
    if (setgroups(0, nullptr) == 0 && setgid(group) == 0 && setuid(kNobody) == 0) {
      for (const std::string& path : {read, operate, admin})
        found += ask_controller(path, "explain s1-s2") ? "yes " : "no ";
    }
    static_cast<void>(!write(ends[1], found.data(), found.size()));
    _exit(0);
  }
  close(ends[1]);
  char bytes[64];
  const ssize_t got = ::read(ends[0], bytes, sizeof bytes);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return {bytes, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

TEST_F(Roles, AreGivenByTheKernel) {
  const group* games = getgrnam("games");
  const gid_t operators = games == nullptr ? 0 : games->gr_gid;
  const group* users = getgrnam("users");
  const gid_t readers = users == nullptr ? 0 : users->gr_gid;
  if (getuid() != 0 || operators == 0 || readers == 0)
    GTEST_SKIP() << "not root, or no groups games and users";
  start("games", "users");
  std::filesystem::permissions(std::filesystem::path(running_->file("x")).parent_path(),
                               std::filesystem::perms(0755));
  const auto all = [&](gid_t group) {
    return answers_to(group, path(Role::read), path(Role::operate), path(Role::admin));
  };
  EXPECT_EQ(all(readers), "yes no no ");
  EXPECT_EQ(all(operators), "no yes no ");
  EXPECT_EQ(all(65534), "no no no ");
  // Readers also read the status.
  struct stat found {};
  const std::string status = running_->options().state.controller("triangle") + "/status.json";
  ASSERT_EQ(stat(status.c_str(), &found), 0);
  EXPECT_EQ(found.st_gid, readers);
  EXPECT_EQ(found.st_mode & 0777U, 0640U);
}

// A command looks for the socket that is enough, and takes one that may more where there is none.
TEST_F(Roles, AreFoundByWhoAsks) {
  start(own_group(), "");
  const testbed::StateFolder& state = running_->options().state;
  EXPECT_TRUE(ask_for_role(state, "triangle", Role::read, "explain s1-s2"));
  EXPECT_TRUE(running_->wait_until([&] {
    const auto answer = ask_for_role(state, "triangle", Role::operate, "drain s1-s2");
    return answer && *answer == "done";
  }));
  EXPECT_EQ(audited().back()["role"], "operate");
}

}  // namespace
}  // namespace ebb::runtime
