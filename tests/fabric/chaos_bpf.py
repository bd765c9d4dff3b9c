# SPDX-License-Identifier: Apache-2.0
"""What happens to frames on the way into a port, in the kernel: all or a share of them are lost before anyone sees
them, or they leave for another interface. Small programs for the kernel's own machine (eBPF), loaded by bpf(2): this
needs no compiler and no queueing discipline that the kernel may lack. A program stays while its descriptor is open, so
nothing is left of a test that was killed."""
import ctypes
import os
import platform
import struct

SYSCALL = {"x86_64": 321, "aarch64": 280}.get(platform.machine())
PROG_LOAD, LINK_CREATE, LINK_UPDATE = 5, 28, 29
SCHED_CLS, XDP = 3, 6
ATTACH_XDP, ATTACH_TCX_INGRESS = 37, 46
XDP_GENERIC = 1 << 1
XDP_DROP, XDP_PASS = 1, 2
RANDOM_U32, REDIRECT, ADJUST_HEAD = 7, 23, 44
INGRESS = 1
# In front of frames that come back from a relay. No host has this address.
MAGIC = b"\x06ebbchaos-rel\x00"

libc = ctypes.CDLL(None, use_errno=True)


def instruction(code, to=0, source=0, offset=0, value=0):
    return struct.pack("<BBhi", code, source << 4 | to, offset, value)


def move(to, value):
    return instruction(0xb7, to, value=value)


def call(function):
    return instruction(0x85, value=function)


EXIT = instruction(0x95)


def drop_share(share):
    """Frames are lost at random."""
    if share >= 1:
        return move(0, XDP_DROP) + EXIT
    below = instruction(0xa6, 0, offset=2, value=int(share * (1 << 31)))  # of 31 random bits
    return (call(RANDOM_U32) + instruction(0x57, 0, value=0x7fffffff) + below
            + move(0, XDP_PASS) + EXIT + move(0, XDP_DROP) + EXIT)


def redirect(interface, flags):
    return move(1, interface) + move(2, flags) + call(REDIRECT) + EXIT


def leave_for(interface):
    """Frames leave for another interface, but for those that come back, which lose their mark; None: no others leave."""
    away = redirect(interface, 0) if interface else move(0, XDP_PASS) + EXIT
    back = (instruction(0xbf, 1, 6) + move(2, len(MAGIC)) + call(ADJUST_HEAD) + move(0, XDP_PASS) + EXIT)
    mark = struct.unpack("<i", MAGIC[:4])[0]
    return (instruction(0xbf, 6, 1)                        # r6 = context
            + instruction(0x61, 2, 1, 0) + instruction(0x61, 3, 1, 4)   # r2, r3 = data, its end
            + instruction(0xbf, 4, 2) + instruction(0x07, 4, value=len(MAGIC))
            + instruction(0x2d, 4, 3, 2)                   # too short: away
            + instruction(0x61, 5, 2, 0)
            + instruction(0x16, 5, offset=len(away) // 8, value=mark)
            + away + back)


def bpf(command, attributes):
    text = ctypes.create_string_buffer(attributes, len(attributes))
    made = libc.syscall(SYSCALL, command, text, len(attributes))
    if made < 0:
        raise OSError(ctypes.get_errno(), f"bpf {command}: {os.strerror(ctypes.get_errno())}")
    return made


def load(kind, program):
    code, licence = ctypes.create_string_buffer(program, len(program)), ctypes.create_string_buffer(b"GPL")
    return bpf(PROG_LOAD, struct.pack("<IIQQ", kind, len(program) // 8, ctypes.addressof(code),
                                      ctypes.addressof(licence)) + bytes(96))


def attach(program, interface, where, flags):
    """The descriptor that keeps it there."""
    try:
        return bpf(LINK_CREATE, struct.pack("<IIII", program, interface, where, flags) + bytes(48))
    finally:
        os.close(program)


def on_arrival(program, interface):
    """Before anyone sees a frame that came in. In the namespace of the interface."""
    return attach(load(XDP, program), interface, ATTACH_XDP, XDP_GENERIC)


def replace(link, program):
    """At the same place, without a moment in between."""
    loaded = load(XDP, program)
    try:
        bpf(LINK_UPDATE, struct.pack("<IIII", link, loaded, 0, 0) + bytes(48))
    finally:
        os.close(loaded)


def into(interface, arriving_at):
    """What arrives at one interface seems to arrive at another."""
    return attach(load(SCHED_CLS, redirect(interface, INGRESS)), arriving_at, ATTACH_TCX_INGRESS, 0)


def why_not():
    """What keeps this machine from it; nothing: it can."""
    if not SYSCALL:
        return f"no number of bpf(2) for {platform.machine()}"
    try:
        os.close(load(XDP, drop_share(1)))
        os.close(load(SCHED_CLS, redirect(1, INGRESS)))
    except OSError as problem:
        return str(problem)
    return ""
