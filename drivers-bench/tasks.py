"""Writes bundled programs as a suite for BenchExec: task definitions, the property, and a benchmark definition.

    tasks.py DIRECTORY [--count 24]

A program whose assertions all hold, or the part of it that does, is a task with the verdict true; the whole program, if
some of its assertions fail, one with the verdict false. `benchexec DIRECTORY/duet.xml` runs them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.c.annotations import AnnotatedProgram, Expected, bundled, name, safe_part

PROPERTY = "unreach-call.prp"
ASSERT = "extern void reach_error(void);\n#define assert(e) do { if (!(e)) reach_error(); } while (0)"
TASK = """\
format_version: '2.0'
input_files: '{stem}.c'
properties:
  - property_file: {property_file}
    expected_verdict: {verdict}
options:
  language: C
  data_model: LP64
"""
BENCHMARK = """\
<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 1.9//EN" "https://www.sosy-lab.org/benchexec/benchmark-1.9.dtd">
<benchmark tool="duet.benchexec" timelimit="60 s" memlimit="2 GB">
  <rundefinition name="unreach-call">
    <tasks name="tasks">
      <include>*.yml</include>
      <propertyfile>unreach-call.prp</propertyfile>
    </tasks>
  </rundefinition>
</benchmark>
"""


def tasks(program: AnnotatedProgram) -> Iterator[tuple[str, str, str]]:
    """The names, texts and verdicts of the tasks that a program gives."""
    text, safe = program.path.read_text(encoding="utf-8"), safe_part(program)
    if safe is None or program.arguments or program.lines(Expected.UNKNOWN) or "int main(" not in text:
        return
    if "#include <assert.h>" not in text:
        return
    stem = name(program).replace("/", "-")
    yield f"{stem}-safe", safe, "true"
    if program.lines(Expected.UNSAFE):
        yield f"{stem}-bug", text, "false"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--count", type=int, default=24, help="tasks at most")
    given = parser.parse_args()
    given.directory.mkdir(parents=True, exist_ok=True)
    found = [task for program in bundled() for task in tasks(program)][: given.count]
    for stem, text, verdict in found:
        (given.directory / f"{stem}.c").write_text(text.replace("#include <assert.h>", ASSERT), encoding="utf-8")
        told = TASK.format(stem=stem, property_file=PROPERTY, verdict=verdict)
        (given.directory / f"{stem}.yml").write_text(told, encoding="utf-8")
    formula = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
    (given.directory / PROPERTY).write_text(formula, encoding="utf-8")
    (given.directory / "duet.xml").write_text(BENCHMARK, encoding="utf-8")
    print(f"{len(found)} tasks in {given.directory}")


if __name__ == "__main__":
    main()
