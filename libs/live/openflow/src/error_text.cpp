// SPDX-License-Identifier: Apache-2.0
//
// Names of errors: OpenFlow 1.3.5, chapter 7.4.4, and ONF EXT-230 for bundles.
#include "ebb/openflow/message.hpp"

#include <fmt/format.h>

namespace ebb::openflow {
namespace {

struct ErrorKind {
  std::string_view name;
  std::vector<std::string_view> codes;
};

const std::vector<ErrorKind>& error_kinds() {
  static const std::vector<ErrorKind> kinds{
      {"hello_failed", {"incompatible", "eperm"}},
      {"bad_request",
       {"bad_version", "bad_type", "bad_multipart", "bad_experimenter", "bad_exp_type", "eperm",
        "bad_len", "buffer_empty", "buffer_unknown", "bad_table_id", "is_slave", "bad_port",
        "bad_packet", "multipart_buffer_overflow"}},
      {"bad_action",
       {"bad_type", "bad_len", "bad_experimenter", "bad_exp_type", "bad_out_port", "bad_argument",
        "eperm", "too_many", "bad_queue", "bad_out_group", "match_inconsistent",
        "unsupported_order", "bad_tag", "bad_set_type", "bad_set_len", "bad_set_argument"}},
      {"bad_instruction",
       {"unknown_inst", "unsup_inst", "bad_table_id", "unsup_metadata", "unsup_metadata_mask",
        "bad_experimenter", "bad_exp_type", "bad_len", "eperm"}},
      {"bad_match",
       {"bad_type", "bad_len", "bad_tag", "bad_dl_addr_mask", "bad_nw_addr_mask", "bad_wildcards",
        "bad_field", "bad_value", "bad_mask", "bad_prereq", "dup_field", "eperm"}},
      {"flow_mod_failed",
       {"unknown", "table_full", "bad_table_id", "overlap", "eperm", "bad_timeout", "bad_command",
        "bad_flags"}},
      {"group_mod_failed",
       {"group_exists", "invalid_group", "weight_unsupported", "out_of_groups", "out_of_buckets",
        "chaining_unsupported", "watch_unsupported", "loop", "unknown_group", "chained_group",
        "bad_type", "bad_command", "bad_bucket", "bad_watch", "eperm"}},
      {"port_mod_failed", {"bad_port", "bad_hw_addr", "bad_config", "bad_advertise", "eperm"}},
      {"table_mod_failed", {"bad_table", "bad_config", "eperm"}},
      {"queue_op_failed", {"bad_port", "bad_queue", "eperm"}},
      {"switch_config_failed", {"bad_flags", "bad_len", "eperm"}},
      {"role_request_failed", {"stale", "unsup", "bad_role"}},
  };
  return kinds;
}

// From 2300 on, in experimenter errors of the ONF.
const ErrorKind& bundle_failed() {
  static const ErrorKind kind{
      "bundle_failed",
      {"unknown", "eperm", "bad_id", "bundle_exist", "bundle_closed", "out_of_bundles", "bad_type",
       "bad_flags", "msg_bad_len", "msg_bad_xid", "msg_unsup", "msg_conflict", "msg_too_many",
       "msg_failed", "timeout", "bundle_in_progress"}};
  return kind;
}

std::string named(const ErrorKind& kind, std::size_t code) {
  if (code < kind.codes.size()) return fmt::format("{}: {}", kind.name, kind.codes[code]);
  return fmt::format("{}: code {}", kind.name, code);
}

}  // namespace

std::string to_text(const ErrorMessage& error) {
  constexpr std::uint16_t kFirstBundleError = 2300;
  if (error.type < error_kinds().size()) return named(error_kinds()[error.type], error.code);
  if (error.type != kExperimenterError)
    return fmt::format("error type {}, code {}", error.type, error.code);
  if (error.experimenter == kOnf && error.code >= kFirstBundleError) {
    return named(bundle_failed(), error.code - kFirstBundleError);
  }
  return fmt::format("error of experimenter {:#x}, type {}", error.experimenter, error.code);
}

}  // namespace ebb::openflow
