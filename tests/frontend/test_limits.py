"""Numbers of bytes that a library function is given and need not touch: execution goes on where there are fewer."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from duet.cli import cli
from duet.frontend.cells import bounds
from duet.frontend.cells.extent import Reach

START = """#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
char text[8] = "ab", raw[4] = {'a', 'b', 'c', 'd'}, into[16];
const char ended[4] = {0, 'b', 'c', 'd'};
struct tm date;
struct in_addr address;
"""
FEWER = {
    "strncmp": 'strncmp(text, "abc", 100)',
    "strncasecmp": 'strncasecmp(text, "abc", 100)',
    "strnlen": "strnlen(text, 100)",
    "strndup": "(free(strndup(text, 100)), 1)",
    "memchr": "memchr(text, 'b', 100) != 0",
    "snprintf": 'snprintf(text, 100, "%d", 5)',
    "fgets": "fgets(text, 100, stdin) == 0",
    "fread": "fread(text, 1, 100, stdin) == 0",
    "read": "read(0, text, 100) == 0",
    "strftime": 'strftime(text, 100, "%Y", &date)',
    "inet_ntop": "inet_ntop(AF_INET, &address, text, 100) != 0",
    "behind the last end": 'strncmp(ended + 1, "bcd", 3) == 0',
}
"""Values that are not 0, of calls with more bytes than there are, where fewer are touched."""
SEARCHING = ("strncmp", "strncasecmp", "strnlen", "memchr", "behind the last end")
OUTSIDE = {
    "strnlen": "strnlen(raw, 16);",
    "strncpy": "strncpy(into, raw, 8);",
    "stpncpy": "stpncpy(into, raw, 8);",
    "strncat": "strncat(into, raw, 8);",
    "strndup": "free(strndup(raw, 8));",
    "strncmp": 'strncmp(raw, "abcdefgh", 8);',
    "memchr": "memchr(raw, 'z', 8);",
    "memcpy": "memcpy(into, raw, 8);",
}
INSIDE = {
    "strnlen": "strnlen(raw, 4);",
    "strncpy": "strncpy(into, raw, 4);",
    "stpncpy": "stpncpy(into, raw, 4);",
    "strndup": "free(strndup(raw, 4));",
    "strncmp": 'strncmp(raw, "abcdefgh", 4);',
    "memchr": "memchr(raw, 'z', 4);",
    "memcpy": "memcpy(into, raw, 4);",
    "a literal": 'strncmp("ab", "abc", 100);',
}


def checks(folder: Path, body: str, subject: str, *options: str) -> list[Any]:
    """The status of each check of a property, where array accesses are checked, too."""
    path = folder / "a.c"
    path.write_text(f"{START}int main(int argc, char **argv) {{\n{body}\nreturn 0; }}\n", encoding="utf-8")
    command = ["analyze", str(path), "--properties", "assertion,array-bounds", "--format", "json", *options]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code in (0, 1), done.output
    return [item["status"] for item in json.loads(done.stdout)["assertions"] if item["property"] == subject]


@pytest.mark.parametrize("name", FEWER)
def test_execution_goes_on_where_fewer_are_there(name: str, tmp_path: Path) -> None:
    assert checks(tmp_path, f"assert(!({FEWER[name]}));", "assertion", "--no-verify") == ["unproved"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to run the programs with")
@pytest.mark.parametrize("name", FEWER)
def test_it_really_does(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(f"{START}int main(void) {{ assert(!({FEWER[name]})); }}", encoding="utf-8")
    subprocess.run(["gcc", "-w", "-O0", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "a"], stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == -6


@pytest.mark.parametrize("name", SEARCHING)
def test_what_ends_before_is_not_refuted(name: str, tmp_path: Path) -> None:
    found = checks(tmp_path, f"{FEWER[name]};", "array-bounds")
    assert found == ["unproved" if name in ("memchr", "behind the last end") else "proved"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_may_go_on_is_checked(name: str, tmp_path: Path) -> None:
    found = checks(tmp_path, OUTSIDE[name], "array-bounds", "--no-verify")
    assert set(found) == {"unproved"}


@pytest.mark.parametrize("name", INSIDE)
def test_a_limit_inside_of_the_object_is_enough(name: str, tmp_path: Path) -> None:
    assert set(checks(tmp_path, INSIDE[name], "array-bounds", "--no-verify")) <= {"proved", "unreachable"}


def test_where_all_are_touched_they_are_there(tmp_path: Path) -> None:
    body = "size_t n = argc; memcpy(into, raw, n); assert(n <= 4);"
    assert checks(tmp_path, body, "assertion", "--no-verify") == ["proved"]


def test_the_defect_that_all_bytes_are_touched_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = bounds._emit

    def seeded(ctx: Any, node: Any, fine: Any, loss: Any, reach: Reach) -> None:
        del reach
        original(ctx, node, fine, loss, Reach.ALL)

    monkeypatch.setattr(bounds, "_emit", seeded)
    for name in ("memchr", "snprintf"):
        assert checks(tmp_path, f"assert(!({FEWER[name]}));", "assertion", "--no-verify") == ["unreachable"]
