# SPDX-License-Identifier: Apache-2.0
"""The kernel refuses to change the rate of a port, once. A controller changes rates by netlink; it runs under a filter of
system calls (seccomp) that asks us about every `send` without flags, which is what it does to netlink alone. As a program:
installs the filter, hands its descriptor over, and becomes the controller."""
import array
import ctypes
import errno
import fcntl
import os
import platform
import socket
import struct
import sys
import threading

SECCOMP, SENDTO = {"x86_64": (317, 44), "aarch64": (277, 206)}.get(platform.machine(), (None, None))
SET_FILTER, NEW_LISTENER = 1, 1 << 3
ASK_US, ALLOW = 0x7fc00000, 0x7fff0000
LOAD, JUMP_IF, RETURN = 0x20, 0x15, 0x06
NUMBER, FLAGS = 0, 16 + 8 * 3  # offsets in what the filter sees
RECEIVE, ANSWER = 0xc0502100, 0xc0182101
CONTINUE = 1
SET_QUEUE = 36  # RTM_NEWQDISC


def filter_calls():
    rows = [(LOAD, 0, 0, NUMBER), (JUMP_IF, 0, 3, SENDTO), (LOAD, 0, 0, FLAGS), (JUMP_IF, 0, 1, 0), (RETURN, 0, 0, ASK_US),
            (RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *row) for row in rows))
    program = ctypes.create_string_buffer(struct.pack("=HxxxxxxQ", len(rows), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    listener = libc.syscall(SECCOMP, SET_FILTER, NEW_LISTENER, program)
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


def become(path, words):
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(path)
    listener = filter_calls()
    peer.sendmsg([b"f"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener]))])
    os.close(listener)
    peer.close()
    os.execv(words[0], words)


class RateSetter:
    """Answers the filter of one controller."""

    def __init__(self, path):
        self.path, self.fails, self.failed, self.listener = str(path), False, 0, None
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        self.server.listen(1)
        self.server.settimeout(20)
        threading.Thread(target=self._run, daemon=True).start()

    def words(self, words):
        return [sys.executable, os.path.abspath(__file__), self.path, *words]

    def fail_next(self, fails=True):
        self.fails = fails

    def _run(self):
        try:
            peer, _ = self.server.accept()
            _, rights, _, _ = peer.recvmsg(1, socket.CMSG_SPACE(4))
            self.listener = array.array("i", rights[0][2])[0]
            peer.close()
            while True:
                self._answer()
        except (OSError, IndexError):  # the controller has ended
            self.close()

    def _answer(self):
        asked = bytearray(80)
        fcntl.ioctl(self.listener, RECEIVE, asked)
        number, process = struct.unpack_from("=QI", asked)
        fails = self.fails and self._sets_queue(process, struct.unpack_from("=Q", asked, 16 + 16 + 8)[0])
        if fails:
            self.fails, self.failed = False, self.failed + 1
        answer = struct.pack("=QqiI", number, 0, -errno.ENOBUFS if fails else 0, 0 if fails else CONTINUE)
        try:
            fcntl.ioctl(self.listener, ANSWER, bytearray(answer))
        except FileNotFoundError:  # it was interrupted
            pass

    @staticmethod
    def _sets_queue(process, address):
        try:
            with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
                memory.seek(address)
                return struct.unpack("=IH", memory.read(6))[1] == SET_QUEUE
        except OSError:
            return False

    def close(self):
        self.server.close()
        if self.listener is not None:
            listener, self.listener = self.listener, None
            os.close(listener)


if __name__ == "__main__":
    become(sys.argv[1], sys.argv[2:])
