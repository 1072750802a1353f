"""Threads that are cancelled, which the runtime of tests/c cannot do."""

from __future__ import annotations

from pathlib import Path

from tests.frontend.running import are_proved, fails

# who is cancelled inside of the function of pthread_once has not run it: another thread may
ONCE = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
pthread_once_t control = PTHREAD_ONCE_INIT;
int attempts;
static void prepare(void) { attempts = attempts + 1; if (attempts == 1) for (;;) pause(); }
void *user(void *unused) { pthread_once(&control, prepare); return 0; }
int main(void) {
    pthread_t a;
    if (pthread_create(&a, 0, user, 0)) exit(1);
    usleep(100000);
    pthread_cancel(a);
    pthread_join(a, 0);
    pthread_once(&control, prepare);
    assert(attempts != 2);
    return 0;
}
"""


def test_who_is_cancelled_in_the_function_has_not_run_it(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    assert not are_proved(source, ONCE, ("assertion",), "interval")
    assert fails(source, "")
