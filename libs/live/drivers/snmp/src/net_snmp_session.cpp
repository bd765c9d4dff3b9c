// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/session.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <sys/epoll.h>
#include <unistd.h>
#include <utility>

// Each needs those before it.
// clang-format off
extern "C" {
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/library/large_fd_set.h>
}
// clang-format on

namespace ebb::snmp {
namespace {

using transport::Milliseconds;

// Once for the program. Files of the user or the machine must not change what we say.
void prepare() {
  static const bool done = [] {
    setenv("MIBS", "",
           0);  // no names of objects are wanted: it would read and check files for them
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
    std::signal(SIGPIPE, SIG_IGN);  // net-snmp writes to sockets that an agent may have closed
    snmp_disable_log();
    init_snmp("ebb");
    return true;
  }();
  static_cast<void>(done);
}

std::vector<oid> as_oids(const Oid& oid) { return {oid.begin(), oid.end()}; }

Oid as_oid(const oid* parts, std::size_t count) {
  Oid made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(static_cast<std::uint32_t>(parts[i]));
  return made;
}

Value value_of(const netsnmp_variable_list& variable) {
  switch (variable.type) {
    case ASN_INTEGER:
      return std::int64_t{*variable.val.integer};
    case ASN_COUNTER:
    case ASN_GAUGE:  // and Unsigned32
    case ASN_TIMETICKS:
      return std::uint64_t{static_cast<std::uint32_t>(*variable.val.integer)};
    case ASN_COUNTER64:
      return std::uint64_t{variable.val.counter64->high} << 32U | variable.val.counter64->low;
    case ASN_OCTET_STR:
      return std::string(reinterpret_cast<const char*>(variable.val.string), variable.val_len);
    case ASN_OBJECT_ID:
      return as_oid(variable.val.objid, variable.val_len / sizeof(oid));
    default:
      return std::monostate{};
  }
}

void add(netsnmp_pdu* pdu, const Binding& binding) {
  const std::vector<oid> name = as_oids(binding.oid);
  if (const auto* integer = std::get_if<std::int64_t>(&binding.value)) {
    const long value = *integer;
    snmp_pdu_add_variable(pdu, name.data(), name.size(), ASN_INTEGER, &value, sizeof value);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&binding.value)) {
    const long value = static_cast<long>(*natural);
    snmp_pdu_add_variable(pdu, name.data(), name.size(), ASN_UNSIGNED, &value, sizeof value);
  } else if (const auto* text = std::get_if<std::string>(&binding.value)) {
    snmp_pdu_add_variable(pdu, name.data(), name.size(), ASN_OCTET_STR, text->data(), text->size());
  } else if (const auto* other = std::get_if<Oid>(&binding.value)) {
    const std::vector<oid> value = as_oids(*other);
    snmp_pdu_add_variable(pdu, name.data(), name.size(), ASN_OBJECT_ID, value.data(),
                          value.size() * sizeof(oid));
  } else {
    snmp_add_null_var(pdu, name.data(), name.size());
  }
}

Reply answer_of(const netsnmp_pdu& pdu) {
  if (pdu.command != SNMP_MSG_RESPONSE) return tl::unexpected(std::string("refused who we are"));
  if (pdu.errstat != SNMP_ERR_NOERROR)
    return tl::unexpected(std::string(snmp_errstring(static_cast<int>(pdu.errstat))));
  std::vector<Binding> bindings;
  for (const auto* one = pdu.variables; one != nullptr; one = one->next_variable)
    bindings.push_back({as_oid(one->name, one->name_length), value_of(*one)});
  return bindings;
}

bool set_key(const std::string& passphrase, const netsnmp_session& session, u_char* key,
             std::size_t& length) {
  return generate_Ku(session.securityAuthProto, static_cast<u_int>(session.securityAuthProtoLen),
                     reinterpret_cast<const u_char*>(passphrase.data()), passphrase.size(), key,
                     &length) == SNMPERR_SUCCESS;
}

// `user` outlives the call that opens the session.
bool introduce(netsnmp_session& session, const User& user) {
  static oid sha1[] = {1, 3, 6, 1, 6, 3, 10, 1, 1, 3};
  static oid sha256[] = {1, 3, 6, 1, 6, 3, 10, 1, 1, 5};
  static oid aes[] = {1, 3, 6, 1, 6, 3, 10, 1, 2, 4};
  session.version = SNMP_VERSION_3;
  session.securityName = const_cast<char*>(user.name.c_str());
  session.securityNameLen = user.name.size();
  session.securityLevel = SNMP_SEC_LEVEL_AUTHPRIV;
  session.securityAuthProto = user.sha256 ? sha256 : sha1;
  session.securityAuthProtoLen = std::size(sha1);
  session.securityPrivProto = aes;
  session.securityPrivProtoLen = std::size(aes);
  session.securityAuthKeyLen = USM_AUTH_KU_LEN;
  session.securityPrivKeyLen = USM_PRIV_KU_LEN;
  return set_key(user.authentication, session, session.securityAuthKey,
                 session.securityAuthKeyLen) &&
         set_key(user.privacy, session, session.securityPrivKey, session.securityPrivKeyLen);
}

void introduce(netsnmp_session& session, const Community& community) {
  session.version = SNMP_VERSION_2c;
  session.community =
      reinterpret_cast<u_char*>(const_cast<char*>(community.name.c_str()));  // only read
  session.community_len = community.name.size();
}

}  // namespace

struct Session::Impl : std::enable_shared_from_this<Session::Impl> {
  // Stays until net-snmp has dropped the request: it keeps a pointer to it.
  struct Asked {
    Impl* impl;
    std::uint64_t number;
    Callback then;
    bool reported = false;  // the agent did not carry it out, and said why
    bool answered = false;
  };

  Impl(transport::Loop& its_loop, Agent its_agent) : loop(its_loop), agent(std::move(its_agent)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { close(); }

  transport::Loop& loop;
  Agent agent;
  void* handle = nullptr;  // of net-snmp
  int watched = -1;  // a second descriptor of its socket: net-snmp closes its own when it likes
  std::optional<transport::Loop::Timer> timer;
  std::map<std::uint64_t, Asked> asked;
  std::uint64_t next = 1;
  std::vector<std::pair<Callback, Reply>> arrived;  // told when net-snmp is not at work

  // Empty, or why not.
  std::string open() {
    if (handle != nullptr) return "";
    prepare();
    netsnmp_session session;
    snmp_sess_init(&session);
    session.peername = const_cast<char*>(agent.address.c_str());
    session.timeout = std::chrono::microseconds(agent.wait).count();
    session.retries = agent.retries;
    if (const auto* user = std::get_if<User>(&agent.who)) {
      if (!introduce(session, *user)) return "a passphrase is shorter than 8 characters";
    } else {
      introduce(session, std::get<Community>(agent.who));
    }
    handle = snmp_sess_open(&session);
    if (handle == nullptr) {
      return fmt::format("cannot be reached at {}: {}", agent.address,
                         snmp_api_errstring(session.s_snmp_errno));
    }
    watched = dup(snmp_sess_transport(handle)->sock);
    loop.watch(watched, EPOLLIN, [this](std::uint32_t) { read(); });
    return "";
  }

  void close() {
    if (timer) loop.cancel(*timer);
    timer.reset();
    if (handle == nullptr) return;
    loop.forget(watched);
    ::close(watched);
    void* const old = std::exchange(handle, nullptr);
    snmp_sess_close(old);
  }

  void ask(netsnmp_pdu* pdu, const Callback& then) {
    const std::uint64_t number = next++;
    if (const std::string problem = open(); !problem.empty()) {
      snmp_free_pdu(pdu);
      return tell_later(then, tl::unexpected(problem));
    }
    Asked& one = asked[number] = Asked{this, number, then};
    if (snmp_sess_async_send(handle, pdu, heard, &one) == 0) {
      snmp_free_pdu(pdu);
      const bool answered = one.answered;
      asked.erase(number);
      lost("does not take questions");
      if (answered) return tell_later([](const Reply&) {}, {});  // what has arrived is delivered
      return tell_later(then, tl::unexpected(std::string("the agent does not take questions")));
    }
    wait();
  }

  // Called by net-snmp, which must not be called back from here. A report (version 3: the request
  // is too old, or we are not known) does not end a request: net-snmp would send it again and call
  // a second time. With 0 it sends it again in time, and calls when the last try has run out.
  static int heard(int operation, netsnmp_session* /*session*/, int /*request*/, netsnmp_pdu* pdu,
                   void* magic) {
    Asked& one = *static_cast<Asked*>(magic);
    Impl& impl = *one.impl;
    if (impl.handle == nullptr) return 1;
    switch (operation) {
      case NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE:
        if (pdu->command == SNMP_MSG_REPORT) {
          one.reported = true;
          return 0;
        }
        return impl.finish(one, answer_of(*pdu));
      case NETSNMP_CALLBACK_OP_TIMED_OUT:
        return impl.finish(one, tl::unexpected(std::string(one.reported ? "refused who we are"
                                                                        : "no answer in time")));
      case NETSNMP_CALLBACK_OP_SEND_FAILED:
      case NETSNMP_CALLBACK_OP_SEC_ERROR:
        impl.answer(one, tl::unexpected(std::string("refused who we are")));
        return 1;  // net-snmp may still have it
      default:
        return 1;  // sent again
    }
  }

  void answer(Asked& one, Reply reply) {
    if (!std::exchange(one.answered, true)) arrived.emplace_back(one.then, std::move(reply));
  }
  int finish(Asked& one, Reply reply) {
    answer(one, std::move(reply));
    const std::uint64_t number = one.number;  // goes with what is erased
    asked.erase(number);
    return 1;
  }

  void read() {
    netsnmp_large_fd_set ready;
    netsnmp_large_fd_set_init(&ready, FD_SETSIZE);
    NETSNMP_LARGE_FD_ZERO(&ready);
    NETSNMP_LARGE_FD_SET(snmp_sess_transport(handle)->sock, &ready);
    snmp_sess_read2(handle, &ready);
    netsnmp_large_fd_set_cleanup(&ready);
    after_work();
  }

  void time_out() {
    timer.reset();
    snmp_sess_timeout(handle);
    after_work();
  }

  void after_work() {
    if (snmp_sess_transport(handle)->sock < 0) {
      lost("the agent has gone");
    } else {
      wait();
    }
    deliver();
  }

  // Everything that was asked is answered so; the next question opens the session again.
  void lost(const std::string& why) {
    close();
    for (auto& [number, one] : asked) answer(one, tl::unexpected(why));
    asked.clear();
  }

  void deliver() {
    const std::weak_ptr<Impl> here = weak_from_this();
    for (const auto& [then, answer] : std::exchange(arrived, {})) {
      then(answer);
      if (here.expired()) return;
    }
  }

  void tell_later(const Callback& then, const Reply& answer) {
    arrived.emplace_back(then, answer);
    loop.post([here = weak_from_this()] {
      if (const auto impl = here.lock()) impl->deliver();
    });
  }

  // Until net-snmp wants to send something again, or to give up.
  void wait() {
    if (timer) loop.cancel(*timer);
    timer.reset();
    netsnmp_large_fd_set none;
    netsnmp_large_fd_set_init(&none, FD_SETSIZE);
    int count = 0;
    int block = 1;
    timeval left{};
    snmp_sess_select_info2(handle, &count, &none, &left, &block);
    netsnmp_large_fd_set_cleanup(&none);
    if (block != 0) return;
    const auto rest = std::chrono::seconds(left.tv_sec) + std::chrono::microseconds(left.tv_usec);
    timer = loop.after(std::chrono::ceil<Milliseconds>(rest), [this] { time_out(); });
  }
};

Session::Session(transport::Loop& loop, Agent agent)
    : impl_(std::make_shared<Impl>(loop, std::move(agent))) {}

Session::~Session() = default;

void Session::get_bulk(const std::vector<Oid>& after, int rows, const Callback& then) {
  netsnmp_pdu* pdu = snmp_pdu_create(SNMP_MSG_GETBULK);
  pdu->non_repeaters = 0;
  pdu->max_repetitions = rows;
  for (const Oid& oid : after) add(pdu, {oid});
  impl_->ask(pdu, then);
}

void Session::get(const std::vector<Oid>& objects, const Callback& then) {
  netsnmp_pdu* pdu = snmp_pdu_create(SNMP_MSG_GET);
  for (const Oid& oid : objects) add(pdu, {oid});
  impl_->ask(pdu, then);
}

void Session::set(const std::vector<Binding>& bindings, const Callback& then) {
  netsnmp_pdu* pdu = snmp_pdu_create(SNMP_MSG_SET);
  for (const Binding& binding : bindings) add(pdu, binding);
  impl_->ask(pdu, then);
}

namespace {

// 7 columns of 8 rows fit into an Ethernet frame.
constexpr int kRowsAtOnce = 8;

struct Reading : std::enable_shared_from_this<Reading> {
  struct Column {
    std::size_t place;
    Oid beginning;
    Oid last;
  };

  Session& session;
  std::function<void(const tl::expected<Table, std::string>&)> then;
  std::size_t width;
  std::vector<Column> unfinished;
  Table table;

  Reading(Session& with, const std::vector<Oid>& columns, decltype(then) done)
      : session(with), then(std::move(done)), width(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      unfinished.push_back({i, columns[i], columns[i]});
  }

  void go_on() {
    if (unfinished.empty()) return then(table);
    std::vector<Oid> after;
    for (const Column& column : unfinished) after.push_back(column.last);
    session.get_bulk(after, kRowsAtOnce, [self = shared_from_this()](const Reply& answer) {
      if (!answer) return self->then(tl::unexpected(answer.error()));
      self->take(*answer);
    });
  }

  void take(const std::vector<Binding>& bindings) {
    std::vector<bool> ended(unfinished.size(), bindings.empty());
    for (std::size_t i = 0; i < bindings.size(); ++i) {
      Column& column = unfinished[i % unfinished.size()];
      const Binding& one = bindings[i];
      // An agent that does not count upwards would be asked for ever.
      const bool more =
          is_there(one.value) && begins_with(one.oid, column.beginning) && one.oid > column.last;
      if (!more) ended[i % unfinished.size()] = true;
      if (ended[i % unfinished.size()]) continue;
      column.last = one.oid;
      auto& row = table[Oid(one.oid.begin() + static_cast<std::ptrdiff_t>(column.beginning.size()),
                            one.oid.end())];
      row.resize(width);
      row[column.place] = one.value;
    }
    std::vector<Column> left;
    for (std::size_t i = 0; i < unfinished.size(); ++i) {
      if (!ended[i]) left.push_back(std::move(unfinished[i]));
    }
    unfinished = std::move(left);
    go_on();
  }
};

}  // namespace

void read_table(Session& session, const std::vector<Oid>& columns,
                const std::function<void(const tl::expected<Table, std::string>&)>& then) {
  std::make_shared<Reading>(session, columns, then)->go_on();
}

}  // namespace ebb::snmp
