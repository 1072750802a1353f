"""Functions that are not there and, as they are declared, do not return: they may end the thread that calls them."""

from __future__ import annotations

from pathlib import Path

import pytest

from duet.result import Status
from tests.frontend.running import statuses

TEXT = """
#include <assert.h>
#include <pthread.h>
@DECLARED@
static int done;
static void tidy(void *unused) { done = 3; }
static void *work(void *given)
{
    done = 1;
    pthread_cleanup_push(tidy, 0);
    if (given) leave(4);
    done = 2;
    pthread_cleanup_pop(0);
    return given;
}
int main(int count, char **arguments)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, work, arguments)) return 1;
    pthread_join(thread, 0);
    assert(@ASSERTED@);
    return 0;
}
"""
DECLARED = (
    "void leave(int code) __attribute__((noreturn));",
    "__attribute__((cold, __noreturn__)) extern void leave(int);",
    "_Noreturn void leave(int code);",
    "#include <stdnoreturn.h>\nnoreturn void leave(int code);",
    "typedef void ending(int) __attribute__((noreturn)); extern ending leave;",
    "__attribute__((noreturn)) extern void (*leave)(int);",
    "typedef void (*ending)(int) __attribute__((noreturn)); extern ending leave;",
    "struct ends { void (*leave)(int) __attribute__((noreturn)); } *ends;\n#define leave(code) ends->leave(code)",
    "extern int other(void), shown; extern void leave(int code) __attribute__((noreturn)), stay(void);",
)


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("asserted", ["done == 2", "done != 1", "done != 3"])
def test_who_waits_for_such_a_thread_knows_no_more_than_that_it_has_begun(
    tmp_path: Path, declared: str, asserted: str
) -> None:
    text = TEXT.replace("@DECLARED@", declared).replace("@ASSERTED@", asserted)
    assert statuses(tmp_path / "leaving.c", text) == (Status.UNPROVED,)


def test_others_are_taken_to_return(tmp_path: Path) -> None:
    text = TEXT.replace("@DECLARED@", "void leave(int code);").replace("@ASSERTED@", "done == 2")
    assert statuses(tmp_path / "leaving.c", text) == (Status.PROVED,)


def test_what_a_thread_has_done_before_is_known(tmp_path: Path) -> None:
    text = TEXT.replace("@DECLARED@", DECLARED[0]).replace("@ASSERTED@", "done >= 1 && done <= 3")
    assert statuses(tmp_path / "leaving.c", text) == (Status.PROVED,)
