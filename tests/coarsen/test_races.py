"""What is said of races: which memory is free of them, and how many of them are shown."""

from __future__ import annotations

from pathlib import Path

from duet.check.shown_races import MOST_RACES
from duet.clock import Clock
from duet.coarsen.race_evidence import race_assertions
from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import solve
from duet.reading import read
from duet.result import Assertion, Status

_MAIN = "int main(void) { pthread_t t; %s pthread_create(&t, 0, worker, 0); %s return 0; }"


def verdicts(tmp_path: Path, text: str) -> tuple[Assertion, ...]:
    path = tmp_path / "program.c"
    path.write_text(
        f"#include <pthread.h>\n#include <stdint.h>\n#include <sys/uio.h>\n#include <time.h>\n{text}\n",
        encoding="utf-8",
    )
    found = read((str(path),), FrontendOptions(properties=("data-race",)), Clock())
    return race_assertions(solve(found.program, AnalysisOptions(domain="interval")), str(path))


def proved(assertions: tuple[Assertion, ...]) -> set[str]:
    return {a.check.expression.removeprefix("no race on ") for a in assertions if a.status is Status.PROVED}


def test_two_unknown_pointers_may_race_on_anything_whose_address_is_taken(tmp_path: Path) -> None:
    worker = "void *worker(void *u) { *(int *)(token ^ 5) = 1; return 0; }"
    text = f"int one, other; uintptr_t token; {worker}"
    late = "*(int *)(token ^ 5) = 2; %s"
    early = "token = (uintptr_t)&one ^ 5; one = other = 0;"
    found = verdicts(tmp_path, f"{text} {_MAIN % (early, late % '')}")
    assert proved(found) == {"token"}
    single = verdicts(tmp_path, f"{text} {_MAIN % (early, '')}")
    assert "one" in proved(single)


def test_a_race_on_a_whole_is_one_on_its_parts(tmp_path: Path) -> None:
    text = "struct pair { int left, right; } shared, mine; void *worker(void *u) { shared = mine; return 0; }"
    found = verdicts(tmp_path, f"{text} {_MAIN % ('shared.left = 1;', 'shared = mine;')}")
    assert not any(name.startswith("shared") for name in proved(found))
    apart = verdicts(tmp_path, f"{text} {_MAIN % ('shared.left = 1;', '')}")
    assert any(name.startswith("shared") for name in proved(apart))


def test_races_on_elements_of_one_array_are_one(tmp_path: Path) -> None:
    text = "extern int i, j; int shared[4]; void *worker(void *u) { shared[i] = 1; return 0; }"
    found = verdicts(tmp_path, f"{text} {_MAIN % ('', 'shared[j] = 2; shared[3] = 4;')}")
    assert {a.check.expression for a in found if not a.status.is_safe} == {"no race on shared[0..3] with main"}
    found = verdicts(tmp_path, f"{text} {_MAIN % ('', 'shared[0] = 2;' + chr(10) + 'shared[3] = 4;')}")
    words = {f"no race on shared[{index}] with main" for index in (0, 3)}
    assert {a.check.expression for a in found if not a.status.is_safe} == words


def test_many_races_of_one_variable_are_one_that_shows_each_line(tmp_path: Path) -> None:
    count = MOST_RACES + 4
    worker = "void *worker(void *u) {\n" + "x = 1;\n" * count + "return 0; }\n"
    found = verdicts(tmp_path, f"int x;\n{worker}{_MAIN % ('', chr(10) + 'x = 2;' + chr(10) + 'x = 3;' + chr(10))}")
    (race,) = found
    lines = [note.stack[-1].line for note in (*race.accesses, *race.also)]
    assert len(lines) == len(set(lines)) == count + 2
    assert f"it is one of {2 * count} pairs of lines" in race.reason


def test_few_races_are_all_shown(tmp_path: Path) -> None:
    worker = "void *worker(void *u) {\nx = 1;\nx = 2;\nreturn 0; }\n"
    found = verdicts(tmp_path, f"int x;\n{worker}{_MAIN % ('', chr(10) + 'x = 2;' + chr(10) + 'x = 3;' + chr(10))}")
    assert len(found) == 4
    assert not any("more pairs" in assertion.reason for assertion in found)


def test_library_functions_read_times_and_names(tmp_path: Path) -> None:
    text = """pthread_mutex_t m; pthread_cond_t c; struct timespec limit, fixed; char name[16];
        void *worker(void *u) { pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &limit);
        pthread_cond_timedwait(&c, &m, &fixed); pthread_setname_np(pthread_self(), name); return 0; }"""
    found = verdicts(
        tmp_path, f"{text} {_MAIN % ('fixed.tv_sec = 1;', 'limit.tv_sec = 1; name[0] = 1; fixed.tv_sec;')}"
    )
    assert proved(found) == {"fixed", "fixed.tv_sec"}


def test_the_id_of_a_thread_is_written_behind_its_start(tmp_path: Path) -> None:
    text = "pthread_t id, seen; void *worker(void *u) { seen = id; return 0; }"
    found = verdicts(tmp_path, f"{text} int main(void) {{ pthread_create(&id, 0, worker, 0); }}")
    assert not proved(found)


def test_library_functions_read_what_lies_behind_structures(tmp_path: Path) -> None:
    text = """char sent[8], kept[8]; void *worker(void *u) { struct iovec v = {sent, 8}, w = {kept, 8};
        writev(1, &v, 1); return w.iov_base; }"""
    found = verdicts(tmp_path, f"{text} {_MAIN % ('', 'sent[0] = 1; kept[0] = 1;')}")
    assert {a.check.expression for a in found} == {"no race on sent[0] with worker"}
    assert not proved(found)
