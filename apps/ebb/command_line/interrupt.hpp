// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM, noticed instead of obeyed at once, so that files can be closed first.
#pragma once

namespace ebb::cli {

// From now on.
void notice_interrupts();
[[nodiscard]] bool interrupted();
// SIGHUP, from now on: whether it came since the last question.
void notice_hangups();
[[nodiscard]] bool hung_up();
// Ends the process by the signal that came, so that the shell knows.
[[noreturn]] void end_interrupted();

}  // namespace ebb::cli
