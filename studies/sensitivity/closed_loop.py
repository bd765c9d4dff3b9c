# SPDX-License-Identifier: Apache-2.0
"""Uniform as a program of hosts that wait: a host sends a message to a random host, waits for the answer that it has arrived, thinks
for an exponential time, and begins again. So a slow network is offered less."""
import random

MESSAGE, ANSWER = 512 * 1024, 64  # bytes


def program(hosts, messages, think_us, seed):
    """GOAL text. Answers are sent by a CPU of their own, so that thinking does not delay them."""
    draw = random.Random(seed)
    sends = [[] for _ in range(hosts)]  # by host: (destination, think time in ns)
    receives = [[] for _ in range(hosts)]  # by host: (source, number of the message)
    for host in range(hosts):
        for number in range(messages):
            to = (host + draw.randrange(1, hosts)) % hosts
            sends[host].append((to, round(1000 * draw.expovariate(1 / think_us))))
            receives[to].append((host, number))
    lines = [f"num_ranks {hosts}"]
    for host in range(hosts):
        lines.append(f"rank {host} {{")
        for number, (to, think) in enumerate(sends[host]):
            lines += [f"t{number}: calc {think} cpu 1", f"s{number}: send {MESSAGE}b to {to} tag {2 * number}",
                      f"s{number} requires t{number}", f"a{number}: recv {ANSWER}b from {to} tag {2 * number + 1}"]
            if number > 0:
                lines.append(f"t{number} requires a{number - 1}")
        for index, (source, number) in enumerate(receives[host]):
            lines += [f"r{index}: recv {MESSAGE}b from {source} tag {2 * number}",
                      f"b{index}: send {ANSWER}b to {source} tag {2 * number + 1}", f"b{index} requires r{index}"]
        lines.append("}")
    return "\n".join(lines) + "\n"
