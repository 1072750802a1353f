"""Handlers that were registered with the system are known to it, and to nothing else that has no body."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import FrontendOptions
from tests.frontend.running import statuses

START = """
#include <signal.h>
#include <stdlib.h>
extern void open_box(void **box); extern void give(void (*f)(int));
int n, m; void handle(int s) { n = 1; } void other(int s) { m = 1; }
void assert(int);
void leave(void) { LEAVE }
"""
FALSE = {
    "the handler of a signal": "signal(SIGINT, handle); assert(n == 0);",
    "a handler from before": """
  signal(SIGINT, handle); void (*f)(int) = signal(SIGINT, other); n = 0; f(1); assert(n == 0);""",
    "a handler in a structure": """
  struct sigaction a, b; a.sa_handler = other; a.sa_flags = 0; sigemptyset(&a.sa_mask);
  sigaction(SIGTERM, &a, 0); sigaction(SIGTERM, 0, &b); m = 0; b.sa_handler(1); assert(m == 0);""",
    "one that was given away, too": """
  give(handle); void *box; open_box(&box); signal(SIGINT, SIG_IGN); n = 0; open_box(&box); assert(n == 0);""",
    "what runs at the end": "atexit(leave); m = 0; exit(0);",
}


@pytest.mark.parametrize("name", FALSE)
def test_what_calls_them_is_not_missed(name: str, tmp_path: Path) -> None:
    end = "m = 1; assert(n == 5);" if name == "what runs at the end" else "m = 1;"
    text = START.replace("LEAVE", end) + f"int main(void) {{ {FALSE[name]} return 0; }}\n"
    assert not all(status.is_safe for status in statuses(tmp_path / "a.c", text))


def test_functions_without_a_body_do_not_call_them(tmp_path: Path) -> None:
    path, options = tmp_path / "a.c", FrontendOptions()
    body = "signal(SIGINT, handle); atexit(leave); void *box; open_box(&box); open_box(&box);"
    path.write_text(START.replace("LEAVE", "") + f"int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    found = lower(parse(preprocess(str(path), options).text, str(path), options), options)
    assert [warning.message for warning in found.warnings if warning.code == "callback"] == []
