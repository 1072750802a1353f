"""Library functions touch what they are given and nothing else; where that is shared, the race is still there."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.options import AnalysisOptions, FrontendOptions
from duet.pipeline import Job, perform

START = """#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
struct item { int n; struct item *next; } *list;
int shared, *where = &shared;
char text[8];
time_t moment;
struct timeval now;
struct timespec left;
struct sockaddr address;
socklen_t size;
sigset_t old;
pthread_attr_t wanted;
pthread_mutexattr_t kinds;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void hidden(void) { goto *&&l; l: setvbuf(stdout, text, _IOFBF, 8); }
"""
PROGRAM = """
void *f(void *p) {{
    struct item *i = malloc(sizeof *i);
    pthread_mutex_lock(&m);
    if (i) {{ i->n = 1; i->next = list; list = i; }}
    (*where)++;
    pthread_mutex_unlock(&m);
    sigset_t set;
    struct timeval mine;
    struct timespec some = {{0, 1}};
    int k;
    memset(&set, 0, sizeof set);
    {body}
    return 0;
}}
int main(void) {{
    pthread_t a, b;
    {start}
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}}
"""


def races(body: str, folder: Path, start: str = "") -> list[str]:
    """What is said of the data races of two threads that execute a body."""
    path = folder / "a.c"
    path.write_text(START + PROGRAM.format(body=body, start=start), encoding="utf-8")
    options = FrontendOptions(properties=("data-race", "null-dereference"))
    found = perform(Job((str(path),), options, AnalysisOptions(engine="bitset")), lambda _: None).assertions
    return [a.check.expression for a in found if not a.status.is_safe]


@pytest.mark.parametrize(
    ("safe", "racy", "what"),
    [
        ("time(NULL);", "time(&moment);", "moment"),
        ("gettimeofday(&mine, NULL);", "gettimeofday(&now, NULL);", "now"),
        ("fflush(stdout);", "fputs(text, stdout); text[0] = 1;", "text"),
        ('fputs("a", stderr);', "fgets(text, 8, stdin);", "text"),
        ("accept(3, 0, 0);", "accept(3, &address, &size);", "address"),
        ("pthread_sigmask(SIG_BLOCK, &set, NULL);", "pthread_sigmask(SIG_BLOCK, &set, &old);", "old"),
        ("sigprocmask(SIG_BLOCK, &set, 0);", "sigprocmask(SIG_BLOCK, &set, &old);", "old"),
        ("pthread_t t; pthread_create(&t, &wanted, f, 0);", "pthread_attr_setstacksize(&wanted, 65536);", "wanted"),
        ("pthread_mutex_t n; pthread_mutex_init(&n, &kinds);",
         "pthread_mutexattr_settype(&kinds, PTHREAD_MUTEX_RECURSIVE);", "kinds"),
        ("nanosleep(&some, NULL);", "nanosleep(&some, &left);", "left"),
        ("pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &k);",
         "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &shared);", "shared"),
    ],
)  # fmt: skip
def test_a_call_races_on_what_it_is_given_only(safe: str, racy: str, what: str, tmp_path: Path) -> None:
    assert races(safe, tmp_path) == []
    assert any(f"no race on {what}" in found for found in races(racy, tmp_path))


LOCKED = 'fputs("a", stdout); pthread_mutex_lock(&m); text[0] = 1; pthread_mutex_unlock(&m);'
BUFFERED = {
    "by setvbuf": "setvbuf(stdout, text, _IOFBF, 8);",
    "by setbuf": "setbuf(stdout, text);",
    "by a function that is not there": "extern void tune(FILE *, char *); tune(stdout, text);",
    "by one that is not given the stream": "extern void tune(char *); tune(text);",
    "by one that is called through a pointer": "extern void tune(FILE *, char *); void (*t)(FILE *, char *) = tune;"
    " t(stdout, text);",
    "by what is not understood": "hidden();",
}


@pytest.mark.parametrize("name", BUFFERED)
def test_a_buffer_that_a_stream_was_given_is_touched_with_it(name: str, tmp_path: Path) -> None:
    """The threads themselves hold a lock where they use the buffer, so the race is with the stream."""
    assert any("text" in found for found in races(LOCKED, tmp_path, BUFFERED[name]))


def test_a_stream_without_a_buffer_of_the_program_touches_nothing(tmp_path: Path) -> None:
    assert races(LOCKED, tmp_path, 'extern void tell(const char *); tell("a");') == []


OLD = """#include <assert.h>
#include <signal.h>
#include <string.h>
int ask(void);
int main(void) {{
    sigset_t old, set;
    memset(&old, 0, sizeof old);
    memset(&set, 0, sizeof set);
    int before = ((char *)&old)[0];
    pthread_sigmask(SIG_BLOCK, &set, {pointer});
    assert(((char *)&old)[0] == before);
    int kept = 1, *p = ask() ? &kept : 0;
    if (p == 0) {{ pthread_setcancelstate(0, p); assert(kept == 1); }}
    pthread_setcancelstate(0, p);
    assert(kept <= 1);
}}
"""


def assertions(text: str, folder: Path) -> dict[str, bool]:
    path = folder / "a.c"
    path.write_text(text, encoding="utf-8")
    job = Job((str(path),), FrontendOptions(), AnalysisOptions(engine="bitset"))
    return {a.check.expression: a.status.is_safe for a in perform(job, lambda _: None).assertions}


def test_a_null_pointer_that_may_be_given_writes_nothing(tmp_path: Path) -> None:
    text = OLD.replace("<signal.h>", "<signal.h>\n#include <pthread.h>")
    found = assertions(text.format(pointer="0"), tmp_path)
    assert (found["kept == 1"], found["kept <= 1"]) == (True, False)
