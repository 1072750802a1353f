"""Data of threads by key: what a key is, and whose data it means, is known, or they may be anything."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from duet.coarsen.analysis import analyse
from duet.frontend.expressions.places import thread_local
from duet.frontend.lower import Lowered, lower
from duet.frontend.models import keys
from duet.frontend.source.parse import parse
from duet.frontend.source.preprocess import preprocess
from duet.options import AnalysisOptions, FrontendOptions
from duet.result import Status

START = (
    "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\npthread_key_t one, two; int x, y;\n"
    "#define KEEP(k, v) if (pthread_setspecific(k, v)) exit(0)\n"
    "#define MAKE(k, d) if (pthread_key_create(k, d)) exit(0)\n"
)
TWO = (
    "union both { pthread_key_t whole; unsigned short half[2]; };\n"
    "int main(void) { int ends[2]; char text[40]; union both u; pthread_key_t kept, *p = &kept;\n"
    "MAKE(&one, 0); MAKE(&two, 0); KEEP(one, &x);\n"
    "KEEP(two, &y); "
)
LAUNDERED = {
    "copied": "one = two;",
    "by a pointer": "*p = two; one = kept;",
    "as bytes": "memcpy(text, &two, sizeof two); memcpy(&one, text, sizeof one);",
    "through a pipe": "pipe(ends); write(ends[1], &two, sizeof two); read(ends[0], &one, sizeof one);",
    "as text": 'sprintf(text, "%u", two); sscanf(text, "%u", &one);',
    "byte by byte": "for (int i = 0; i < sizeof one; i++) ((char *)&one)[i] = ((char *)&two)[i];",
    "in halves": "u.whole = one; u.half[0] = (unsigned short)two; u.half[1] = two >> 16; one = u.whole;",
    "by arithmetic": "kept = two / 2; one = kept * 2 + two % 2;",
    "in one of two ways": "memcpy(&kept, &two, sizeof two); one = x ? one : kept;",
    "by an exchange": "memcpy(&kept, &two, sizeof two); __sync_bool_compare_and_swap(&one, one, kept);",
    "in an element": "pthread_key_t all[2] = {one, two}; for (int i = 0; i < 2; i++) one = all[i];",
    "as a wider number": "unsigned long wide = two; one = wide;",
    "as a pointer": "void *w = (void *)(unsigned long)two; one = (unsigned long)w;",
}
FALSE = {
    f"another one, {way}": f"{TWO}{text} assert(pthread_getspecific(one) == &x); }}\n"
    for way, text in LAUNDERED.items()
} | {
    "one variable for several": (
        "int main(void) { pthread_key_t all[3]; for (int i = 0; i < 3; i++) { MAKE(&one, 0); all[i] = one;\n"
        "KEEP(one, i ? (void *)&y : &x); } assert(pthread_getspecific(all[0]) == &y); }\n"
    ),
    "created by each thread": (
        "pthread_key_t all[2]; void *t(void *p) { MAKE(p, 0); return 0; }\n"
        "int main(void) { pthread_t a; t(&all[0]); t(&all[1]); pthread_create(&a, 0, t, &one); pthread_join(a, 0);\n"
        "KEEP(all[0], &x); KEEP(all[1], &y); assert(pthread_getspecific(all[0]) == &y); }\n"
    ),
    "made anew by a function that is to run once": (
        "pthread_once_t o; pthread_key_t first; void make(void) { MAKE(&one, 0); }\n"
        "int main(void) { pthread_once_t fresh = PTHREAD_ONCE_INIT; o = fresh; pthread_once(&o, make); first = one;\n"
        "KEEP(one, &x); o = fresh; pthread_once(&o, make); assert(pthread_getspecific(one) == &x); }\n"
    ),
    "made in a loop by a function that runs once": (
        "pthread_once_t o = PTHREAD_ONCE_INIT; pthread_key_t all[40];\n"
        "void make(void) { for (int i = 0; i < 40; i++) MAKE(&all[i], 0); }\n"
        "int main(void) { pthread_once(&o, make); KEEP(all[3], &x); KEEP(all[4], &y);\n"
        "assert(pthread_getspecific(all[3]) == &y); }\n"
    ),
    "in a handler, whose": (
        "void h(int s) { assert(pthread_getspecific(one) == 0); }\n"
        "int main(void) { MAKE(&one, 0); KEEP(one, &x); signal(SIGUSR1, h); raise(SIGUSR1); }\n"
    ),
    "set by a handler": (
        "void h(int s) { KEEP(one, &y); } int main(void) { MAKE(&one, 0);\n"
        "KEEP(one, &x); signal(SIGUSR1, h); raise(SIGUSR1); assert(pthread_getspecific(one) == &x); }\n"
    ),
    "in a destructor, another key's": (
        "void d(void *p) { assert(pthread_getspecific(two) == 0); }\n"
        "void *t(void *p) { KEEP(one, &x); KEEP(two, &y); return 0; }\n"
        "int main(void) { pthread_t a; MAKE(&one, d); MAKE(&two, 0);\n"
        "pthread_create(&a, 0, t, 0); pthread_join(a, 0); }\n"
    ),
    "what it leads to is shared": (
        "void *t(void *p) { *(int *)p = 1; return 0; } int main(void) { pthread_t a; int own = 0;\n"
        "MAKE(&one, 0); KEEP(one, &own);\n"
        "pthread_create(&a, 0, t, pthread_getspecific(one)); pthread_join(a, 0); assert(own == 0); }\n"
    ),
    "what a destructor is given": (
        "void d(void *p) { *(int *)p = 1; } void *t(void *p) { KEEP(one, p); return 0; }\n"
        "int main(void) { pthread_t a; int own = 0; MAKE(&one, d); pthread_create(&a, 0, t, &own);\n"
        "pthread_join(a, 0); assert(own == 0); }\n"
    ),
}
UNKNOWN = {
    "given by value": "void set(pthread_key_t);\n#CALL set(one);",
    "given by address": "void set(pthread_key_t *);\n#CALL set(&one);",
    "given in a structure": "struct s { pthread_key_t k; }; void set(struct s *);\n"
    "#CALL struct s s = { one }; set(&s);",
    "given as a number": "void set(unsigned long);\n#CALL set(one);",
}
TRUE = {
    "two keys": f"{TWO} assert(pthread_getspecific(one) == &x);\nassert(pthread_getspecific(two) == &y); }}\n",
    "a copy": f"{TWO} kept = two; assert(pthread_getspecific(kept) == &y); }}\n",
    "an element": f"{TWO} pthread_key_t all[2]; all[0] = one; all[1] = two;\n"
    "assert(pthread_getspecific(all[1]) == &y); }\n",
    "a parameter": "void *get(pthread_key_t k) { return pthread_getspecific(k); }\n"
    f"{TWO} assert(get(two) == &y); }}\n",
    "numbers": (
        "int main(void) { MAKE(&one, 0); KEEP(one, (void *)5);\nassert((long)pthread_getspecific(one) == 5); }\n"
    ),
    "made by a function that runs once": (
        "pthread_once_t o = PTHREAD_ONCE_INIT; void make(void) { MAKE(&one, 0); }\n"
        "void *get(void) { pthread_once(&o, make); return pthread_getspecific(one); }\n"
        "void put(void *p) { pthread_once(&o, make); KEEP(one, p); }\n"
        "void *t(void *p) { assert(get() == 0); put(&x); assert(get() == &x); return 0; }\n"
        "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); assert(get() == 0); }\n"
    ),
    "nothing yet": (
        "void *t(void *p) { assert(pthread_getspecific(one) == 0); KEEP(one, &x); return 0; }\n"
        "int main(void) { pthread_t a, b; MAKE(&one, 0); pthread_create(&a, 0, t, 0);\n"
        "pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); }\n"
    ),
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "a.c"


def _lowered(path: Path, text: str) -> Lowered:
    path.write_text(START + text, encoding="utf-8")
    return lower(
        [parse(preprocess(str(path), FrontendOptions()).text, str(path), FrontendOptions())], FrontendOptions()
    )


def _statuses(path: Path, text: str) -> tuple[Status, ...]:
    return tuple(analyse(_lowered(path, text).program, AnalysisOptions()).statuses)


def _run(path: Path) -> int:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not there to run the program")
    executable = path.with_suffix("")
    subprocess.run([compiler, "-w", "-pthread", str(path), "-o", str(executable)], check=True, capture_output=True)
    return subprocess.run([str(executable)], check=False, capture_output=True, timeout=10).returncode


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_not_proved(name: str, source: Path) -> None:
    assert not any(status.is_safe for status in _statuses(source, FALSE[name]))
    assert _run(source) < 0


@pytest.mark.parametrize("name", UNKNOWN)
def test_code_that_is_not_there_may_set_what_it_knows_the_key_of(name: str, source: Path) -> None:
    declared, called = UNKNOWN[name].split("#CALL")
    text = f"{declared} int main(void) {{ MAKE(&one, 0); {called} assert(!pthread_getspecific(one)); }}\n"
    assert not any(status.is_safe for status in _statuses(source, text))


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name: str, source: Path) -> None:
    assert all(status.is_safe for status in _statuses(source, TRUE[name]))
    assert _run(source) == 0


def test_keys_of_unknown_origin_would_be_noticed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whatever the number of a key was overwritten with, the key that is known is the one."""
    monkeypatch.setattr(keys, "is_copy", lambda *_: True)
    wrong = [way for way in LAUNDERED if any(s.is_safe for s in _statuses(source, FALSE[f"another one, {way}"]))]
    assert len(wrong) >= 3


def test_data_that_threads_share_would_be_noticed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: one cell for all threads."""
    monkeypatch.setattr(keys, thread_local.__name__, lambda _, of: of)
    assert not all(status.is_safe for status in _statuses(source, TRUE["nothing yet"]))


ANEW = ("made anew by a function that is to run once", "made in a loop by a function that runs once")


def test_keys_that_are_not_counted_would_be_noticed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seeded defect: whatever has one name is one key."""
    monkeypatch.setattr(keys, "_are_several", lambda *_: False)
    wrong = [name for name in ANEW if any(status.is_safe for status in _statuses(source, FALSE[name]))]
    assert wrong
