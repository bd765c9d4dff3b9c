#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/compare_versions sees what changes between two versions and nothing else: compare_versions.py EBB. The older
version is this one behind a script that alters what it prints, or the words it understands."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from output_differences import Comparison, Renamed
EBB = sys.argv.pop() if len(sys.argv) > 1 else sys.exit(__doc__)
NETWORK = "ebb topo info examples/small-irregular"
OLDER = """#!{python}
import subprocess, sys
arguments = sys.argv[1:]
{change_arguments}
done = subprocess.run(["{ebb}", *arguments], capture_output=True, text=True)
printed, code = done.stdout, done.returncode
{change_output}
sys.stdout.write(printed)
sys.stderr.write(done.stderr)
sys.exit(code)
"""


class CompareVersions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def older(self, change_output="", change_arguments=""):
        script = self.folder / "older"
        script.write_text(OLDER.format(python=sys.executable, ebb=EBB, change_output=change_output,
                                       change_arguments=change_arguments))
        script.chmod(0o755)
        return script

    def compare(self, old, only, renamed="", old_source=ROOT, new_source=ROOT):
        """Exit code and what is printed."""
        words = self.folder / "renamed.tsv"
        words.write_text(renamed)
        done = subprocess.run(
            [ROOT / "tools" / "compare_versions", old, EBB, "--only", only, "--jobs", "1", "--renamed", words,
             "--old-source", old_source, "--new-source", new_source], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def source(self):
        """A source folder whose examples may be changed."""
        source = self.folder / "source"
        shutil.copytree(ROOT / "examples", source / "examples")
        for data in ("parts", "repro"):
            (source / data).symlink_to(ROOT / data)
        return source

    def test_the_same_version_differs_in_nothing(self):
        some = f"{NETWORK}|ebb sim .*print-resolved|ebb validate run energy|ebb repro run A4"
        code, printed = self.compare(EBB, some)
        self.assertEqual(code, 0, printed)
        self.assertRegex(printed, r"^\d\d commands, [\d,]{3,} numbers compared, 0 differences: \d\d passed, 0 failed")

    def test_a_number_of_json_that_differs_is_named(self):
        old = self.older('printed = printed.replace(\'"switches": 5\', \'"switches": 6\')')
        code, printed = self.compare(old, NETWORK)
        self.assertEqual(code, 1, printed)
        self.assertIn(f"differs: {NETWORK}.yaml --json\n  switches: 6 -> 5\n", printed)
        self.assertIn("1 differences: 0 passed, 1 failed", printed)

    def test_a_number_of_plain_text_that_differs_is_named(self):
        old = self.older('printed = printed.replace("2.5Gb/s", "2.6Gb/s", 1)')
        code, printed = self.compare(old, "ebb parts show kim-dvs-link")
        self.assertEqual(code, 1, printed)
        self.assertRegex(printed, r"number \d+ of \d+: 2\.6 -> 2\.5")

    def test_a_renamed_key_is_compared_when_the_table_has_it(self):
        old = self.older('printed = printed.replace(\'"switches":\', \'"nodes":\')')
        self.assertEqual(self.compare(old, NETWORK)[0], 1)
        code, printed = self.compare(old, NETWORK, "json-key\tnodes\tswitches\n")
        self.assertEqual(code, 0, printed)

    def test_a_key_may_come_or_go_only_by_the_table(self):
        old = self.older('printed = printed.replace(\'"switches":\', \'"gone": 1, "switches":\')')
        self.assertEqual(self.compare(old, NETWORK)[0], 1)
        self.assertEqual(self.compare(old, NETWORK, "json-key\tgone\t-\n")[0], 0)

    def test_commands_and_texts_are_renamed(self):
        old = self.older('printed = printed.replace("deadlock", "standstill")',
                         'arguments = ["--routing" if word == "--scheme" else word for word in arguments]\n'
                         'if "--routing" in sys.argv: sys.exit(2)')
        deadlock = "ebb validate deadlock dragonfly"
        self.assertEqual(self.compare(old, deadlock)[0], 1)
        code, printed = self.compare(old, deadlock, "option\t--scheme\t--routing\ntext\tstandstill\tdeadlock\n")
        self.assertEqual(code, 0, printed)

    def test_an_exit_code_that_nobody_expects_is_a_failure_on_both_sides(self):
        source = self.source()
        (source / "examples" / "small-irregular.yaml").write_text("schema_version: 1\n")
        code, printed = self.compare(EBB, NETWORK, old_source=source, new_source=source)
        self.assertEqual(code, 1, printed)
        self.assertIn("has the exit code 2", printed)

    def test_an_example_that_was_renamed_needs_a_row(self):
        source = self.source()
        (source / "examples" / "small-irregular.yaml").rename(source / "examples" / "office.yaml")
        code, printed = self.compare(EBB, "ebb topo info", old_source=source)
        self.assertEqual(code, 0, printed)
        self.assertIn("only in the older version: examples/office.yaml", printed)
        self.assertIn("only in the newer version: examples/small-irregular.yaml", printed)
        file = "file\texamples/office.yaml\texamples/small-irregular.yaml\n"
        code, printed = self.compare(EBB, NETWORK, file, old_source=source)
        self.assertEqual(code, 0, printed)
        self.assertNotIn("only in", printed)

    def test_an_example_that_no_command_reads_is_an_error(self):
        source = self.source()
        (source / "examples" / "new.yaml").write_text("schema_version: 1\n")
        code, printed = self.compare(EBB, NETWORK, new_source=source)
        self.assertEqual(code, 2, printed)
        self.assertIn("examples/new.yaml: no command reads it", printed)

    def test_bad_usage(self):
        self.assertEqual(self.compare(EBB, "ebb fly")[0], 2)
        self.assertEqual(self.compare(EBB, "(")[0], 2)
        self.assertEqual(self.compare(EBB, NETWORK, "key\told\tnew\n")[0], 2)
        self.assertEqual(self.compare(self.folder / "none", NETWORK)[0], 2)


class OutputDifferences(unittest.TestCase):
    def differences(self, old, new, renamed=""):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as words:
            words.write(renamed)
            words.flush()
            comparison = Comparison(Renamed(pathlib.Path(words.name)), {"runs.key": "a hash over the version"})
        comparison.compare_output(*(text if isinstance(text, str) else json.dumps(text) for text in (old, new)))
        return comparison.differences

    def test_runs_of_a_results_file_are_paired_by_parameters_and_seed(self):
        runs = [{"key": key, "parameters": {"load": load}, "seed": seed, "power": len(load) + seed}
                for key, load, seed in (("a", "5%", 1), ("b", "10%", 2), ("c", "10%", 1))]
        newer = [{**run, "key": "x"} for run in reversed(runs)]
        self.assertEqual(self.differences({"runs": runs}, {"runs": newer}), [])
        newer[0]["power"] = 9
        self.assertEqual(self.differences({"runs": runs}, {"runs": newer}), ["runs.[0].power: 4 -> 9"])

    def test_a_dotted_key_holds_only_at_the_end_of_its_path(self):
        old = {"power": {"ideal": 1}, "ideal": 2}
        new = {"power": {"best": 1}, "ideal": 2}
        self.assertEqual(self.differences(old, new, "json-key\tpower.ideal\tpower.best\n"), [])
        self.assertEqual(len(self.differences(old, new, "json-key\tideal\tbest\n")), 2)

    def test_two_keys_must_not_become_one(self):
        self.assertEqual(self.differences({"a": 1, "b": 2}, {"b": 2}, "json-key\ta\tb\n"),
                         ["b: two keys of this name -> one"])

    def test_kinds_of_values_and_lengths_of_lists_count(self):
        self.assertEqual(len(self.differences([1, True, None, "1"], [True, 1, 0, 1])), 4)
        self.assertEqual(self.differences([1, 2], [1]), ["document: 2 elements -> 1 elements"])
        self.assertEqual(self.differences([0.1], "[0.10000000000000001]"), ["[0]: 0.1 -> 0.10000000000000001"])

    def test_a_value_is_a_whole_string_and_a_text_whole_words(self):
        self.assertEqual(self.differences(["dvs"], ["scaled"], "value\tdvs\tscaled\n"), [])
        self.assertEqual(len(self.differences(["dvs 1"], ["scaled 1"], "value\tdvs\tscaled\n")), 1)
        self.assertEqual(self.differences("dvs 1 ----\n", "scaled 1 -------\n", "text\tdvs\tscaled\n"), [])
        self.assertEqual(len(self.differences("dvs-off 1", "scaled-off 1", "text\tdvs\tscaled\n")), 1)
        self.assertEqual(self.differences("rules   energy\n", "rules energy, USD\n", "text\trules energy\trules energy, USD\n"), [])

    def test_a_line_that_came_is_not_compared(self):
        self.assertEqual(self.differences("a 1\n", "a 1\n\nNot counted: 3 cards\n", "line\t-\tNot counted\n"), [])
        self.assertNotEqual(self.differences("a 1\n", "a 1\n\nNot counted: 3 cards\n"), [])

    def test_a_column_may_come_only_by_the_table(self):
        old = "2 hosts\n\n#  name   W\n-  ----  --\n1  a b   12\n2  c      3\n\nend 7\n"
        new = "2 hosts\n\n#  name   cut   W\n-  ----  ----  --\n1  a b   50 %  12\n2  c      9 %   3\n\nend 7\n"
        self.assertNotEqual(self.differences(old, new), [])
        self.assertEqual(self.differences(old, new, "column\t-\tcut\n"), [])
        self.assertEqual(len(self.differences(old, new.replace("12", "13"), "column\t-\tcut\n")), 1)
        old, new = 'name,W\n"a, b",1\n', 'name,cut,W\n"a, b",5,1\n'
        self.assertNotEqual(self.differences(old, new), [])
        self.assertEqual(self.differences(old, new, "json-key\t-\tcut\n"), [])
        self.assertEqual(len(self.differences(old, new.replace(",1", ",2"), "json-key\t-\tcut\n")), 1)

    def test_a_line_may_come_only_by_the_table(self):
        old, new = "a 1\nc 3\n", "a 1\nb 2\nc 3\n"
        self.assertNotEqual(self.differences(old, new), [])
        self.assertEqual(self.differences(old, new, "line\t-\tb \n"), [])


if __name__ == "__main__":
    unittest.main()
