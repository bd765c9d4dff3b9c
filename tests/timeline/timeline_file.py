# SPDX-License-Identifier: Apache-2.0
"""Reads a timeline of ebb again, in either form: slices, counters and flows by track."""
import json
import struct
from dataclasses import dataclass, field


@dataclass
class Track:
    name: str
    group: str
    unit: str = ""
    slices: list = field(default_factory=list)   # (begin, end, name) in picoseconds
    values: list = field(default_factory=list)   # (nanosecond, nano-units)
    marks: list = field(default_factory=list)    # (at, text)


@dataclass
class Timeline:
    tracks: list
    flows_out: dict     # number: (track name, end of the slice)
    flows_in: dict      # number: (track name, begin of the slice)

    def track(self, group, name):
        found = [t for t in self.tracks if (t.group, t.name) == (group, name)]
        assert len(found) == 1, f"{len(found)} tracks '{name}' in '{group}'"
        return found[0]

    def of_group(self, group):
        return [t for t in self.tracks if t.group == group]


def integral(track, from_ps, to_ps):
    """Attojoules of a counter of watts between two whole nanoseconds: nW times ns."""
    assert from_ps % 1000 == 0 and to_ps % 1000 == 0
    begin, end = from_ps // 1000, to_ps // 1000
    values = sorted(track.values)
    assert len({at for at, _ in values}) == len(values), "one value for a nanosecond"
    assert values[0][0] <= begin
    ends = [at for at, _ in values[1:]] + [end]
    return sum(value * max(0, min(until, end) - max(at, begin)) for (at, value), until in zip(values, ends))


def read(path):
    data = open(path, "rb").read()
    return read_chrome(data) if path.endswith(".json") else read_perfetto(data)


def picoseconds(text):
    """Of microseconds with decimals, without rounding."""
    whole, _, decimals = text.partition(".")
    return int(whole) * 10**6 + int((decimals + "000000")[:6])


def nano(text):
    whole, _, decimals = text.partition(".")
    return int(whole) * 10**9 + int((decimals + "000000000")[:9])


def read_chrome(data):
    document = json.loads(data, parse_float=str, parse_int=str)
    assert document["otherData"]["format"] == "ebb-timeline 1"
    groups, tracks, counters = {}, {}, {}
    timeline = Timeline([], {}, {})
    for event in document["traceEvents"]:
        pid, kind = event["pid"], event["ph"]
        if kind == "M":
            if event["name"] == "process_name":
                groups[pid] = event["args"]["name"]
            elif event["name"] == "thread_name":
                tracks[event["tid"]] = Track(event["args"]["name"], groups[pid])
                timeline.tracks.append(tracks[event["tid"]])
        elif kind == "C":
            (unit, value), = event["args"].items()
            if (pid, event["name"]) not in counters:
                counters[pid, event["name"]] = Track(event["name"], groups[pid], unit)
                timeline.tracks.append(counters[pid, event["name"]])
            at = picoseconds(event["ts"])
            assert at % 1000 == 0
            counters[pid, event["name"]].values.append((at // 1000, nano(value)))
        elif kind == "i":
            tracks[event["tid"]].marks.append((picoseconds(event["ts"]), event["name"]))
        else:
            assert kind == "X", kind
            begin = picoseconds(event["ts"])
            end = begin + picoseconds(event["dur"])
            tracks[event["tid"]].slices.append((begin, end, event["name"]))
            if event.get("flow_out"):
                timeline.flows_out[int(event["bind_id"], 16)] = (tracks[event["tid"]].name, end)
            if event.get("flow_in"):
                timeline.flows_in[int(event["bind_id"], 16)] = (tracks[event["tid"]].name, begin)
    return timeline


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Field by field of a message of protobuf: number and value."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = data[at:at + 8], at + 8
        else:
            assert tag & 7 == 2, "a wire type that ebb does not write"
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value


def read_perfetto(data):
    timeline = Timeline([], {}, {})
    tracks, groups, names, open_slices = {}, {}, {}, {}
    for number, packet in fields(data):
        assert number == 1
        known = dict(fields(packet))
        if 60 in known:
            track = dict(fields(known[60]))
            if 1 in track and track[1] != 0:
                add_track(timeline, tracks, groups, track)
        for _, entry in fields(known.get(12, b"")):
            entry = dict(fields(entry))
            names[entry[1]] = entry[2].decode()
        if 11 in known:
            add_event(timeline, tracks, names, open_slices, known[8], dict(fields(known[11])))
    assert not any(open_slices.values()), "every slice ends"
    return timeline


def add_track(timeline, tracks, groups, track):
    name = track[2].decode()
    if 5 not in track:
        groups[track[1]] = name
        return
    unit = dict(fields(track[8]))[6].decode() if 8 in track else ""
    tracks[track[1]] = Track(name, groups[track[5]], unit)
    timeline.tracks.append(tracks[track[1]])


def add_event(timeline, tracks, names, open_slices, at_ns, event):
    track = tracks[event[11]]
    kind = event[9]
    if kind == 1:
        assert not open_slices.get(event[11]), "slices of a track do not overlap"
        open_slices[event[11]] = (at_ns * 1000, names[event[10]], event)
    elif kind == 2:
        begin, name, first = open_slices[event[11]]
        open_slices[event[11]] = None
        track.slices.append((begin, at_ns * 1000, name))
        if 47 in first:
            timeline.flows_out[struct.unpack("<Q", first[47])[0]] = (track.name, at_ns * 1000)
        if 48 in first:
            timeline.flows_in[struct.unpack("<Q", first[48])[0]] = (track.name, begin)
    elif kind == 3:
        track.marks.append((at_ns * 1000, names[event[10]]))
    else:
        assert kind == 4
        track.values.append((at_ns, round(struct.unpack("<d", event[44])[0] * 1e9)))
