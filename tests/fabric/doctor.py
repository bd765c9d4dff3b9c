#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb fabric doctor`: a machine that is well, with a small fabric brought up; and machines that are
ill on purpose, each with the one finding that says so. Argument: ebb."""
import json
import os
import pathlib
import resource
import shutil
import socket
import sys

import bed

EBB = sys.argv[1]
NOBODY = 65534


def examine(*words, **more):
    """The exit code, and findings by subject."""
    done = bed.run(EBB, "fabric", "doctor", "--json", *words, **more)
    bed.expect(done.returncode in (0, 1), f"doctor {words} exits {done.returncode}: {done.stderr}")
    said = json.loads(done.stdout)
    bed.expect(said["healthy"] == (done.returncode == 0), f"the exit code says what the page says: {said}")
    return done.returncode, {one["subject"]: one for one in said["findings"]}


def expect_ill(subject, remedy, *words, **more):
    code, found = examine(*words, **more)
    one = found.get(subject)
    bed.expect(code == 1 and one and one["verdict"] == "fail", f"{subject} fails: {found}")
    bed.expect(remedy in one["remedy"], f"'{remedy}' is the remedy of {one}")
    print(f"{subject}: {one['found']} -> {one['remedy']}")


def check_well():
    before = set(os.listdir("/run/netns"))
    code, found = examine("examples/fabric-3x3.yaml", "--live", cwd=pathlib.Path(__file__).parents[2])
    bed.expect(code == 0, f"this machine is well: {found}")
    for step in ("up", "controller", "sleep", "wake", "reach", "down"):
        bed.expect(found[f"trial: {step}"]["verdict"] == "ok", f"{step}: {found[f'trial: {step}']}")
        print(f"trial: {step}: {found[f'trial: {step}']['found']}")
    left = [name for name in set(os.listdir("/run/netns")) - before if "doctor" in name or name.startswith("ebb-d")]
    bed.expect(not left, f"no namespace is left: {left}")


def check_missing_program(folder):
    """All programs but one."""
    for program in ("ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovs-vsctl", "ip", "openssl", "fping"):
        (folder / program).symlink_to(shutil.which(program))
    expect_ill("tc", "apt-get install iproute2", "--live", env={"PATH": str(folder)})


def check_few_descriptors():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    expect_ill("open files", "LimitNOFILE=76",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard)))


def check_folders(folder):
    folder.chmod(0o777)
    expect_ill("state folder", "chmod o-w", "--state", str(folder))
    expect_ill("state folder", "--state", "--state", "/proc/none")


def check_user():
    expect_ill("user", "run as root", user=NOBODY)


def check_listen_address():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        expect_ill("listening", "ss -ltnp", "--listen", f"tcp:127.0.0.1:{taken.getsockname()[1]}")


def make_certificate(folder, name, days):
    bed.must("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
             "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem", cwd=folder)
    (folder / f"{name}.key").chmod(0o600)


def make_expired(folder):
    bed.must("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=old",
             "-keyout", "old.key", "-out", "old.csr", cwd=folder)
    bed.must("openssl", "x509", "-req", "-days", "-1", "-in", "old.csr", "-signkey", "old.key", "-out", "old.pem", cwd=folder)
    (folder / "old.key").chmod(0o600)


def tls(folder, certificate, key):
    return ("--state", str(folder), "--listen", "ssl:127.0.0.1:0", "--certificate", f"{folder}/{certificate}.pem",
            "--key", f"{folder}/{key}.key", "--ca", f"{folder}/good.pem")


def check_certificates(folder):
    for name, days in (("good", 365), ("brief", 2), ("other", 365)):
        make_certificate(folder, name, days)
    code, found = examine(*tls(folder, "good", "good"))
    bed.expect(code == 0 and found["certificate"]["verdict"] == "ok", f"good certificates: {found}")
    code, found = examine(*tls(folder, "brief", "brief"))
    bed.expect(code == 0 and found["certificate"]["verdict"] == "warn", f"one that ends soon: {found}")
    print(f"certificate: {found['certificate']['found']} -> {found['certificate']['remedy']}")
    make_expired(folder)
    expect_ill("certificate", "signed anew", *tls(folder, "old", "old"))
    expect_ill("TLS", "belong together", *tls(folder, "good", "other"))
    expect_ill("certificate", "PEM", *tls(folder, "none", "good"))
    (folder / "good.key").chmod(0o644)
    expect_ill("key", "chmod 640", *tls(folder, "good", "good"))


def main():
    bed.skip_unless_possible("fping", "openssl")
    check_well()
    with bed.scratch() as folder:
        folder = pathlib.Path(folder)
        for name in ("programs", "state", "tls"):
            (folder / name).mkdir()
        check_missing_program(folder / "programs")
        check_few_descriptors()
        check_folders(folder / "state")
        check_user()
        check_listen_address()
        check_certificates(folder / "tls")


if __name__ == "__main__":
    main()
