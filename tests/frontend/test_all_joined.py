"""Loops that join all threads, and those that do not quite: `done` is read behind them without the lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.judgments.all_joined import AllJoined
from duet.frontend.lower import lower
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, Budgets, FrontendOptions
from duet.plip.syntax import Program
from duet.plip.terms import constant

START = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#define N 20
int any(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, wanted = 30;
static pthread_t all[N], more[N], one, first;
static struct { int id; pthread_t handle; } workers[N];
static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    INSIDE
    return 0;
}
static void *starter(void *unused) { pthread_create(&one, 0, work, 0); return 0; }
static void *joiner(void *unused) { pthread_join(all[any() & 7], 0); return 0; }
int main(int count, char **words) {
    pthread_t t[N], *p = t, swap;
    int n = any();
    if (n < 1 || n > N)
        return 1;
    BODY
    return done;
}
"""
CREATE = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);"
JOIN = "for (int i = 0; i < n; i++) pthread_join(t[i], 0);"
RIGHT = {
    "a number that is known": CREATE.replace("n;", "N;") + JOIN.replace("n;", "N;"),
    "a number that is not": CREATE + JOIN,
    "of few elements": "n = 12;" + CREATE + JOIN,
    "static handles": (CREATE + JOIN).replace("t[", "all["),
    "in structures": (CREATE + JOIN).replace("t[i]", "workers[i].handle"),
    "in new memory": "p = malloc(n * sizeof *p); if (!p) return 1;" + (CREATE + JOIN).replace("t[", "p[") + "free(p);",
    "a failure ends it": CREATE.replace("pthread_create", "if (pthread_create").replace("0);", "0)) exit(1);") + JOIN,
    "a failure ends the loop": (
        "int i; for (i = 0; i < n; i++) if (pthread_create(&t[i], 0, work, 0)) break; n = i;" + JOIN
    ),
    "a failed join ends it": CREATE + "for (int i = 0; i < n; i++) if (pthread_join(t[i], 0) != 0) return 1;",
    "up to the last one": CREATE.replace("i < n", "i <= n - 1") + JOIN,
    "the handle is copied": (
        "for (int i = 0; i < n; i++) { pthread_create(&swap, 0, work, 0); t[i] = swap; }"
        "for (int i = 0; i < n; i++) { swap = t[i]; pthread_join(swap, 0); }"
    ),
    "two loops": CREATE + CREATE.replace("t[", "more[") + JOIN + JOIN.replace("t[", "more["),
    "no sign": (CREATE + JOIN).replace("int i", "unsigned i").replace("i < n", "i < (unsigned)n"),
    "a size": (CREATE + JOIN).replace("int i", "size_t i").replace("i < n", "i < (size_t)n"),
    "an index that is converted": (CREATE + JOIN).replace("i < n", "i < (unsigned)n"),
    "more were wanted": "if (n > wanted) n = wanted;" + CREATE + JOIN,
}
WRONG = {
    "not the last one": CREATE + JOIN.replace("i < n", "i < n - 1"),
    "not the first one": CREATE + JOIN.replace("i = 0", "i = 1"),
    "every second one": CREATE + JOIN.replace("i++", "i += 2"),
    "some": CREATE + JOIN.replace("pthread_join", "if (any()) pthread_join"),
    "until one likes": CREATE + JOIN.replace("pthread_join(t[i], 0);", "{ if (any()) break; pthread_join(t[i], 0); }"),
    "one is left out": CREATE + JOIN.replace("pthread_join", "if (i == 3) continue; pthread_join"),
    "always the same": CREATE + JOIN.replace("t[i]", "t[n - 1]"),
    "fewer": CREATE + "n--;" + JOIN,
    "any number": CREATE + "n = any() & 7;" + JOIN,
    "a loop that is not run": CREATE + "if (any()) " + JOIN,
    "others": CREATE + CREATE.replace("t[", "more[") + JOIN.replace("t[", "more["),
    "handles are overwritten": CREATE + CREATE + JOIN,
    "one is overwritten": CREATE + "t[0] = t[1];" + JOIN,
    "all are": CREATE + "memcpy(t, all, sizeof t);" + JOIN,
    "one is overwritten elsewhere": CREATE + "p = t + (any() & 7); *p = more[0];" + JOIN,
    "a byte of one is": CREATE + "((char *)t)[any() & 7] = 1;" + JOIN,
    "in one place": (CREATE.replace("t[i]", "t[0]") + JOIN).replace("i < n", "i < N"),
    "in two steps": CREATE.replace("t[i]", "t[i / 2]") + JOIN,
    "not kept": CREATE.replace("&t[i]", "&swap") + JOIN,
    "kept now and then": (
        "for (int i = 0; i < n; i++) { pthread_create(&swap, 0, work, 0); if (any()) t[i] = swap; }" + JOIN
    ),
    "one that is lost": "pthread_create(&t[0], 0, work, 0);" + CREATE + JOIN,
    "one more": CREATE + "pthread_create(&one, 0, work, 0);" + JOIN,
    "one more later": CREATE + JOIN + "pthread_create(&one, 0, work, 0);",
    "rounds": "for (int r = 0; r < n; r++) {" + CREATE + "if (r > 1)" + JOIN + "}",
    "the loop begins late": CREATE + "int i = any() & 3; for (; i < n; i++) pthread_join(t[i], 0);",
    "the index moves": CREATE + "for (int i = 0; i < n; i++) { pthread_join(t[i], 0); if (any()) i++; }",
    "started by others": "pthread_create(&swap, 0, starter, 0); pthread_create(&swap, 0, starter, 0);" + CREATE + JOIN,
    "joined by others": ("pthread_create(&swap, 0, joiner, 0);" + (CREATE + JOIN).replace("t[", "all[")),
    "detached": CREATE + "pthread_detach(t[any() & 1]);" + JOIN,
    "not waited for": CREATE + "for (int i = 0; i < n; i++) pthread_tryjoin_np(t[i], 0);",
    "before they are started": JOIN + CREATE,
    "among them": CREATE.replace("0);", "0), i ? pthread_join(t[i - 1], 0) : 0;"),
    "a jump out": CREATE + "for (int i = 0; i < n; i++) { if (any()) goto out; pthread_join(t[i], 0); } out:;",
    "swapped": (
        CREATE + "for (int i = 0; i < n; i++) { swap = t[i]; t[i] = t[0]; t[0] = swap; pthread_join(t[i], 0); }"
    ),
    "read before they are started": (
        "for (int i = 0; i < n; i++) { swap = t[i]; pthread_create(&t[i], 0, work, 0); pthread_join(swap, 0); }"
    ),
    "too many": CREATE.replace("i < n", "i <= n") + JOIN,
    "a number that others write": (CREATE + JOIN).replace("i < n", "i < wanted").replace("t[i]", "t[i % N]"),
}
INSIDE = {
    "they detach themselves": "pthread_detach(pthread_self());",
    "they start more": "if (any()) pthread_create(&one, 0, work, 0);",
    "they change handles": "all[0] = one;",
    "they wait for the first one": "pthread_join(first, 0);",
}


def _program(body: str, folder: Path, inside: str = "", few: Budgets | None = None) -> Program:
    source, options = folder / "a.c", FrontendOptions(properties=("data-race",), budgets=few or Budgets())
    text = (
        (START if few is None else START.replace("N 20", "N 4").replace("& 7", "& 3"))
        .replace("BODY", body)
        .replace("INSIDE", inside)
    )
    source.write_text("#define _GNU_SOURCE\n" + text, encoding="utf-8")
    return lower(parse(preprocess(str(source), options).text, str(source), options), options).program


def _is_told(program: Program) -> bool:
    return any(name.startswith("threads work") and name.endswith(":running") for name in program.cells)


def _races(program: Program) -> bool:
    return bool(analyse(program, AnalysisOptions(domain="interval")).races)


@pytest.mark.parametrize("name", RIGHT)
def test_all_have_ended(name: str, tmp_path: Path) -> None:
    assert _is_told(_program(RIGHT[name], tmp_path))


@pytest.mark.parametrize("name", WRONG)
def test_some_may_still_run(name: str, tmp_path: Path) -> None:
    program = _program(WRONG[name], tmp_path)
    assert not _is_told(program) or _races(program)


@pytest.mark.parametrize("name", INSIDE)
def test_threads_that_do_more(name: str, tmp_path: Path) -> None:
    body = (CREATE + JOIN).replace("t[", "all[")
    program = _program("first = pthread_self();" + body, tmp_path, INSIDE[name])
    assert not _is_told(program) or _races(program)


FEW = {name: body for name, body in (RIGHT | WRONG).items() if "12" not in body}
"""Those that are right with four threads, too."""


@pytest.mark.parametrize("name", FEW)
def test_few_handles_each_have_a_cell(name: str, tmp_path: Path) -> None:
    budgets = replace(Budgets(), thread_loop_nodes=0)
    program = _program(FEW[name], tmp_path, few=budgets)
    assert _is_told(program) if name in RIGHT else not _is_told(program) or _races(program)


def test_what_they_wrote_is_read_without_their_lock(tmp_path: Path) -> None:
    assert not _races(_program(CREATE + JOIN, tmp_path))
    assert _races(_program(CREATE + JOIN.replace("i < n", "i < n - 1"), tmp_path))


def test_arrays_that_no_handle_is_read_from_are_not_followed(tmp_path: Path) -> None:
    followed: list[str] = []
    ways = AllJoined._ways

    def noted(asked: AllJoined) -> object:
        followed.append(asked.array.name)
        return ways(asked)

    with patch.object(AllJoined, "_ways", noted):
        assert _is_told(_program("int set[N]; for (int i = 0; i < n; i++) set[i] = i;" + CREATE + JOIN, tmp_path))
    assert len(followed) == 1


@pytest.mark.parametrize(
    ("rule", "wrong", "name"),
    [
        ("_Known.is_behind_all", lambda *_: True, "in one place"),
        ("_Known.lost", lambda known: known, "all are"),
        ("Elements.is_before", lambda *_: True, "not the first one"),
        ("_upper", lambda *_: [constant(0)], "not the last one"),
    ],
)
def test_defects_are_noticed(rule: str, wrong: Callable[..., object], name: str, tmp_path: Path) -> None:
    with patch(f"duet.frontend.judgments.all_joined.{rule}", wrong):
        program = _program(WRONG[name], tmp_path)
    assert _is_told(program)
    assert not _races(program)
