"""A program that is run reaches nothing but its own folder, and ends."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from duet.replay import isolate
from tests.replay.programs import needs_compiler

pytestmark = needs_compiler
HEAD = (
    "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <unistd.h>\n#include <sys/stat.h>\nint main(void) {\n"
)


def compiled(folder: Path, body: str) -> Path:
    folder.mkdir()
    (folder / "p.c").write_text(HEAD + body + "}\n", encoding="utf-8")
    subprocess.run(["gcc", "-w", "-static", "-o", "program", "p.c"], check=True, cwd=folder)
    return folder / "program"


ESCAPES = {
    "a file of the machine": 'return fopen("/etc/passwd", "r") ? 0 : 1;',
    "a file above": 'return fopen("../secret", "r") ? 0 : 1;',
    "a connection": "struct sockaddr_in a = {AF_INET, htons(9)}; inet_aton(\"127.0.0.1\", &a.sin_addr);\n"
    "return connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a) == 0 ? 0 : 1;",
    "a process outside": f"return kill({os.getpid()}, 0) == 0 ? 0 : 1;",
    "a large file": 'FILE *f = fopen("large", "w"); for (int i = 0; i < 1 << 26; i++)\n'
    "if (fputc(1, f) == EOF) return 1;\nreturn 0;",
    "much memory": "return malloc(8UL << 30) ? 0 : 1;",
}  # fmt: skip


@pytest.mark.parametrize("name", ESCAPES)
def test_out_of_reach(name: str, tmp_path: Path) -> None:
    if isolate.how() != isolate.ALONE:
        pytest.skip("no namespaces here")
    (tmp_path / "secret").write_text("", encoding="utf-8")
    assert not isolate.run(compiled(tmp_path / "root", ESCAPES[name]), (), 10)


def test_what_ends_by_itself(tmp_path: Path) -> None:
    program = compiled(tmp_path / "root", 'return fopen("mine", "w") ? 0 : 1;')
    assert isolate.run(program, (), 10)
    assert (tmp_path / "root" / "mine").exists()


def test_what_does_not_end_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    program = compiled(tmp_path / "root", "if (fork() == 0) { setsid(); } while (1) ;")
    start = time.monotonic()
    assert not isolate.run(program, (), 1)
    assert time.monotonic() - start < 5
    until = time.monotonic() + 20  # those of other runs on this machine have ended by then
    while left := subprocess.run(["pgrep", "-f", "-x", "/program"], capture_output=True, text=True, check=False).stdout:
        assert time.monotonic() < until, left
        time.sleep(0.1)


def test_without_namespaces_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolate, "how", lambda: isolate.BARE)
    assert isolate.run(compiled(tmp_path / "root", "return 0;"), (), 10)
    assert "not isolated" in isolate.BARE
