"""Every `duet` command in README and docs can be typed as it stands, and does what it is for.

The tutorials and `docs/index.md` also say what is printed: `test_tutorials.py`.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from duet.cli import cli
from tests.cli.conftest import Duet

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
TOLD_THERE = ("index", "tutorial-driver", "tutorial-race", "tutorial-schedule", "tutorial-ticket-lock")
"""Pages whose commands run in `test_tutorials.py`, with what they print."""
ELSEWHERE = {
    "duet analyze wdt.c --kernel ~/linux": "needs a kernel that was built",
    "duet batch sv-benchmarks/c/pthread": "needs the benchmarks of SV-COMP",
    "duet analyze drivers/FILE": "needs the headers and sources of a kernel",
    "duet verify NAME.c": "stands for programs that tests/verify/test_bugs.py runs",
    "duet replay DIR/FILE.json": "stands for schedules that tests/verify/test_bugs.py replays",
    "duet init": "there is a duet.toml here; tests/cli/test_configuration.py runs it",
    "duet batch drivers-bench/sets/own.toml": "tests/batch/test_suite.py runs it",
}
"""Commands that are only read here, by how they begin, and why."""
SLOW = ("competitions",)
"""Witnesses take half a minute."""

_BLOCK = re.compile(r"^```(?:sh|console)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?(duet [a-z].*)$", re.MULTILINE)

SERVER = """\
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int served, table[4];
static void *client(void *unused) {
    pthread_mutex_lock(&lock);
    if (served < 4) {
        table[served] = served + 1;
        served++;
    }
    pthread_mutex_unlock(&lock);
    assert(served <= 4);
    return 0;
}
int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, 0, client, 0) || pthread_create(&two, 0, client, 0)) return 1;
    if (served > 4) return 2;
    pthread_join(one, 0);
    pthread_join(two, 0);
}
"""
DRIVER = """\
int level;
void reader(void) { int seen = level; assert(seen >= 0); }
void writer(void) { level = 1; }
"""
BOOLEAN = """\
decl x;
void main() begin
  x := 0;
  assert(!x);
end
"""


def _commands(page: Path) -> list[str]:
    text = "\n".join(_BLOCK.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ")
    return [re.sub(r"\s+#.*", "", line) for line in _COMMAND.findall(text)]


COMMANDS = [(page.stem, line) for page in PAGES for line in _commands(page)]


@pytest.fixture
def workshop(tmp_path: Path, duet: Duet) -> Path:
    """A directory with the files that the pages name."""
    above, below = SERVER.split("    if (served > 4)")
    server = above + "\n" * (119 - above.count("\n")) + "    if (served > 4)" + below  # a race in line 120
    counter = re.search(r"```c\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    handover = re.search(
        r"```c.*?\n(.*?)```", (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert counter is not None
    assert handover is not None
    texts = {
        "server.c": server,
        "program.c": server,
        "src/server.c": server,
        "driver.c": DRIVER,
        "counter.c": counter[1],
        "handover.c": handover[1],
        "program.bp": BOOLEAN,
        "unreach-call.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "wdt.c": (ROOT / "drivers-bench" / "drivers" / "openflag_wdt.c").read_text(encoding="utf-8"),
        "duet.toml": 'files = ["server.c"]\n',
        "build/compile_commands.json": json.dumps(
            [{"directory": str(tmp_path), "file": "server.c", "arguments": ["gcc", "-c", "server.c"]}]
        ),
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    duet("analyze", "server.c", "--format", "json", "-o", "last-week.json", "--no-verify")
    return tmp_path


@pytest.mark.parametrize("line", sorted({line for _, line in COMMANDS}))
def test_a_command_can_be_typed(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    cli.commands[name].make_context(name, arguments, parent=click.Context(cli, info_name="duet"))


def _is_run(page: str, line: str) -> bool:
    return page not in TOLD_THERE and not line.startswith(tuple(ELSEWHERE))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile programs with")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow) if page in SLOW else page
        for page in sorted({page for page, line in COMMANDS if _is_run(page, line)})
    ],
)
def test_the_commands_of_a_page_run(page: str, duet: Duet, workshop: Path) -> None:
    for line in [line for of, line in COMMANDS if of == page and _is_run(of, line)]:
        done = duet(*shlex.split(line)[1:])
        assert done.code in (0, 1), f"{line}\n{done.out}{done.err}"


def test_each_exception_is_needed() -> None:
    for start in ELSEWHERE:
        assert any(line.startswith(start) for _, line in COMMANDS), start
