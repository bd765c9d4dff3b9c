#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a running fabric shows of itself: a real Prometheus scrapes it and answers every query of the
Grafana dashboard, promtool finds nothing wrong with the metrics, all of them are documented; log and audit
trail say what was done, why and by whom; `ebb fabric explain` says why a link sleeps and why not, `ebb fabric status --green`
what it draws, in the IETF's model.
Arguments: ebb, ebb-host, the traffic tool."""
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import bed
from live import HASTY, Live

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import yang  # noqa: E402

DASHBOARD = ROOT / "share" / "grafana" / "ebb-fabric.json"
DOCUMENT = ROOT / "docs" / "fabric" / "monitoring.md"
# Four switches joined to each other; of the six links three may sleep, and without traffic do.
TOPOLOGY = "{family: complete, switches: 4, hosts: 1}"
MORE = HASTY + ("policy: {name: stages, period: 500ms, high: 40%, low: 10%}\n"
                "parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}\n")
PATIENCE_S = 60


class Watched(Live):
    def start(self):
        self.json_log = self.folder / "log.jsonl"
        super().start("--metrics", "0", "--log", str(self.json_log))
        self.metrics = self.page_of(self.log)
        self.standby_log = self.folder / "standby"
        self.standby = subprocess.Popen([self.ebb, "fabric", "run", self.file, "--standby", "--metrics", "0"],
                                        stdout=self.standby_log.open("w"), stderr=subprocess.STDOUT)
        wait_until(lambda: "metrics at" in self.standby_log.read_text(), "a standby serves its metrics")
        self.standby_metrics = self.page_of(self.standby_log.read_text().splitlines())

    @staticmethod
    def page_of(lines):
        return re.search(r"http://\S+", next(line for line in lines if "metrics at" in line)).group()

    def stop_standby(self):
        """Before the leader: it would leave links asleep to the standby."""
        self.standby.kill()
        self.standby.wait()

    def __exit__(self, *all_of_it):
        self.stop_standby()
        super().__exit__(*all_of_it)

    def audit(self):
        return bed.STATE / self.name / "controller" / "audit.jsonl"

    def explain(self, link, *options):
        return bed.must(self.ebb, "fabric", "explain", link, "--fabric", self.name, *options)


def wait_until(true, what):
    end = time.monotonic() + PATIENCE_S
    while not (found := true()):
        bed.expect(time.monotonic() < end, f"{what} within {PATIENCE_S} s")
        time.sleep(0.1)
    return found


def fetch(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def check_metrics(fabric):
    text = fetch(fabric.metrics)
    checked = bed.run("promtool", "check", "metrics", input=text)
    bed.expect(checked.returncode == 0 and not checked.stderr, f"promtool: {checked.stderr}")
    names = re.findall(r"^# TYPE (\S+)", text, re.M)
    document = DOCUMENT.read_text()
    unknown = [name for name in names if f"`{name}`" not in document]
    bed.expect(not unknown, f"in {DOCUMENT.name}: {unknown}")
    # Those of a dry run are in its own metrics alone.
    documented = {name for name in re.findall(r"`(ebb_\w+)`", document) if not name.startswith("ebb_dry_run_")} - set(names)
    bed.expect(not documented, f"documented, but not there: {documented}")
    try:
        fetch(fabric.metrics.replace("/metrics", "/other"))
        bed.expect(False, "another page is refused")
    except urllib.error.HTTPError as error:
        bed.expect(error.code == 404, f"404: {error.code}")
    return len(names)


class Prometheus:
    def __init__(self, folder, *targets):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        config = folder / "prometheus.yml"
        config.write_text("global: {scrape_interval: 1s, scrape_timeout: 1s}\nscrape_configs:\n"
                          f"- {{job_name: ebb, static_configs: [{{targets: {list(targets)}}}]}}\n")
        self.said = open(folder / "prometheus.log", "w")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/tsdb",
             f"--web.listen-address=127.0.0.1:{self.port}"], stdout=self.said, stderr=self.said)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.said.close()

    def label_values(self, text):
        """What Grafana's label_values(SERIES, LABEL) asks for."""
        series, label = re.fullmatch(r"label_values\((.*), (\w+)\)", text).groups()
        url = f"http://127.0.0.1:{self.port}/api/v1/label/{label}/values?" + urllib.parse.urlencode({"match[]": series})
        return json.loads(fetch(url))["data"]

    def query(self, text):
        """The values of an instant query; none while Prometheus is not up."""
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        try:
            answer = json.loads(fetch(url))
        except urllib.error.HTTPError as error:
            bed.expect(error.code == 503, f"{text}: {error.read().decode()}")
            return []
        except OSError:
            return []
        return [float(one["value"][1]) for one in answer["data"]["result"]]


def expressions(instances):
    """Every query of the dashboard, for these controllers; a query that does not choose among controllers is refused."""
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel.get("targets", []):
            metrics = re.findall(r"ebb_\w+", target["expr"])
            bed.expect(target["expr"].count('instance=~"$instance"') == len(metrics) > 0, f"{panel['title']} chooses controllers")
            yield panel["title"], target["expr"].replace("$__rate_interval", "10s").replace("$instance", "|".join(instances))


def check_variables(prometheus, fabric):
    """The dashboard offers the fabric, and of the fabric both controllers."""
    variables = {one["name"]: one for one in json.loads(DASHBOARD.read_text())["templating"]["list"]}
    fabrics = prometheus.label_values(variables["fabric"]["query"]["query"])
    bed.expect(fabrics == [fabric.name], f"fabrics: {fabrics}")
    instances = prometheus.label_values(variables["instance"]["query"]["query"].replace("$fabric", fabric.name))
    bed.expect(len(instances) == 2, f"controllers: {instances}")
    return instances


def check_roles(prometheus, fabric):
    leader = fabric.metrics.split("/")[2]
    roles = {role: prometheus.query(f'sum(ebb_controller_role{{role="{role}"}})') for role in ("leader", "standby")}
    bed.expect(roles == {"leader": [1.0], "standby": [1.0]}, f"one leads, one stands by: {roles}")
    bed.expect(prometheus.query(f'ebb_controller_role{{role="leader", instance="{leader}"}}') == [1.0], "the first leads")
    bed.expect(prometheus.query("count(ebb_links)") == [5.0], "a standby says nothing of links")


def check_joules(prometheus):
    """Joules saved grow as fast as the watts say: two ways of counting."""
    watts = prometheus.query("ebb_modelled_all_awake_power_watts - ebb_modelled_power_watts")[0]
    bed.expect(watts > 0, "sleeping ports draw less")
    wait_until(lambda: [rate for rate in prometheus.query("rate(ebb_modelled_saved_joules_total[10s])")
                        if abs(rate - watts) < 0.1 * watts], f"joules grow by {watts} W")
    return watts


def check_prometheus(fabric):
    with Prometheus(fabric.folder, fabric.metrics.split("/")[2], fabric.standby_metrics.split("/")[2]) as prometheus:
        wait_until(lambda: [value for value in prometheus.query('ebb_links{state="asleep"}') if value == 3],
                   "Prometheus has seen three links asleep")
        wait_until(lambda: prometheus.query("sum(ebb_controller_role)") == [2.0], "Prometheus has seen both controllers")
        check_roles(prometheus, fabric)
        queries = list(expressions(check_variables(prometheus, fabric)))
        for panel, query in queries:
            if panel.startswith("Dry run"):
                bed.expect(not prometheus.query(query), f"{panel}: nothing runs dry here, so nothing is said")
            else:
                wait_until(lambda: prometheus.query(query), f"{panel}: {query}: data")
        states = prometheus.query(next(query for panel, query in queries if panel == "State of links"))
        bed.expect(sorted(states) == [0, 0, 0, 2, 2, 2], f"three links active, three asleep: {states}")
        saved = check_joules(prometheus)
        print(f"Prometheus: 3 links asleep, {saved:.1f} W saved by the model, {len(queries)} queries of the dashboard have data")


def check_explain(fabric):
    links = fabric.status()["links"]
    asleep = next(link["link"] for link in links if link["state"] == "asleep")
    core = next(link["link"] for link in links if not link["may_sleep"])
    told = json.loads(fabric.explain(asleep, "--json"))
    bed.expect(told["state"] == "asleep" and told["why"] == "the policy asked", f"why it sleeps: {told}")
    bed.expect([wish["wants"] for wish in told["policy"]] == ["asleep"] * 2, f"what the policy wants: {told}")
    bed.expect([end["in_use"] for end in told["forwarding"]] == [False] * 2, f"its switches do not forward by it: {told}")
    told = json.loads(fabric.explain(core, "--json"))
    bed.expect([(end["in_use"], end["by"]) for end in told["forwarding"]] == [(True, "fast-failover groups")] * 2, f"its switches forward by it: {told}")
    objecting = [rule["rule"] for rule in told["rules"] if rule["objection"]]
    bed.expect(objecting == ["core", "all_reachable"] and len(told["rules"]) == 13, f"both objections: {told}")
    bed.expect(any(step.startswith("core:") for step in told["to_sleep"]), f"what would have to change: {told}")
    text = fabric.explain(asleep)
    bed.expect(f"{asleep} has been asleep for" in text and "to wake, any of this" in text and "sends no frames to" in text, text)
    refused = bed.run(fabric.ebb, "fabric", "explain", "s0-s9", "--fabric", fabric.name)
    bed.expect(refused.returncode == 2 and "no such link" in refused.stderr, f"an unknown link: {refused}")
    print(text)
    return asleep


def check_green(fabric):
    """The status in the IETF's model, which yanglint accepts where it is installed."""
    green = fabric.folder / "green.json"
    green.write_text(bed.must(fabric.ebb, "fabric", "status", "--fabric", fabric.name, "--green"))
    network, *links = json.loads(green.read_text())["ietf-power-and-energy:energy-objects"]["energy-entry"]
    watts = sorted(link["power"]["instantaneous-power"] for link in links)
    bed.expect(len(links) == 6 and watts[2] < watts[3], f"three links draw less: {watts}")
    bed.expect(abs(network["power"]["instantaneous-power"] - sum(watts)) <= len(links), f"the network draws their sum: {network}, {watts}")
    bed.expect(network["power"]["data-source-accuracy"] == "accuracy-estimated", f"modelled: {network}")
    bed.expect(int(network["energy"]["total-energy-consumed"]) > 0, f"energy: {network}")
    if yang.has_yanglint():
        bed.expect(not yang.refusal(green), yang.refusal(green))
        print("yanglint accepts the status of six links")


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_chain(fabric):
    """The audit trail is a chain; a copy with one letter changed is none."""
    head = fabric.status()["audit_head"]
    whole = bed.must(fabric.ebb, "fabric", "audit", str(fabric.audit()), "--head", head)
    bed.expect("the chain is whole" in whole, whole)
    forged = fabric.folder / "forged.jsonl"
    forged.write_text(fabric.audit().read_text().replace('"port_down"', '"port_up"', 1))
    found = bed.run(fabric.ebb, "fabric", "audit", str(forged))
    bed.expect(found.returncode == 1 and "does not follow the line before" in found.stderr, f"one order was forged: {found}")
    print(whole.strip())


def check_trails(fabric, link):
    """An operator takes a link out that the policy let sleep, and puts it back."""
    bed.must(fabric.ebb, "fabric", "drain", link, "--fabric", fabric.name)
    told = json.loads(fabric.explain(link, "--json"))
    bed.expect("an operator must undrain it" in told["to_wake"], f"drained: {told}")
    fabric.change("undrain", link, "active")
    fabric.stop_standby()
    fabric.stop()
    audit, log = lines_of(fabric.audit()), lines_of(fabric.json_log)
    said = [(line["uid"], line["says"], line["answer"]) for line in audit if line["event"] == "operator"]
    bed.expect(said == [(os.getuid(), f"{verb} {link}", "done") for verb in ("drain", "undrain")], f"{said}")
    check_chain(fabric)
    orders = {line["order"]: line for line in audit if line["event"] == "order"}
    answers = {line["order"]: line for line in audit if line["event"] == "answer"}
    bed.expect(orders.keys() == answers.keys(), "every order is answered")
    bed.expect(all(line["ok"] and line["took_s"] >= 0 for line in answers.values()), "and done")
    woken = [line for line in orders.values() if line["link"] == link and line["does"] == "port_up"]
    bed.expect({"undrained by an operator"} <= {line["why"] for line in woken}, f"with its reason: {woken}")
    bed.expect((audit[0]["event"], audit[-1]["event"]) == ("began", "ended"), "from the start to the end")
    events = {line["event"] for line in log}
    bed.expect({"began", "switch_here", "link", "operator", "ended"} <= events, f"events of the log: {events}")
    sleeps = [line for line in log if line["event"] == "link" and line["state"] == "asleep"]
    bed.expect(all(line["why"] and line["link"] for line in sleeps), "links with reasons")
    slowest = max(line["took_s"] for line in answers.values())
    print(f"{len(orders)} orders in the audit trail, all answered, the slowest in {1000 * slowest:.1f} ms; {len(log)} lines of log")


def main():
    bed.skip_unless_possible("prometheus", "promtool")
    with Watched(sys.argv[1:4], bed.own_name("w"), TOPOLOGY, MORE, hosts=False) as fabric:
        wait_until(lambda: sum(link["state"] == "asleep" for link in fabric.status()["links"]) == 3, "three links sleep")
        print(f"{check_metrics(fabric)} metrics, all documented")
        check_prometheus(fabric)
        check_green(fabric)
        check_trails(fabric, check_explain(fabric))


if __name__ == "__main__":
    main()
