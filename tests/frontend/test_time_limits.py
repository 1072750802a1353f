"""A wait whose time limit is no time is refused, also where it would not have to wait; what clocks tell is a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontend.running import are_proved, fails

START = """#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    mtx_t own; sem_t semaphore; struct timeval now; struct timespec until = {.tv_sec = 1};
    pthread_mutex_lock(&mutex); sem_init(&semaphore, 0, 1); mtx_init(&own, mtx_timed); mtx_lock(&own);
"""
LATE = "int result = pthread_cond_timedwait(&condition, &mutex, &until); assert(result == 0 || result == ETIMEDOUT);"
HOLD = (
    f"clock_gettime(CLOCK_REALTIME, &until); {LATE}",
    f"until.tv_nsec = 999999999; {LATE}",
    f"gettimeofday(&now, 0); until.tv_nsec = now.tv_usec * 1000; {LATE}",
    f"if (timespec_get(&until, TIME_UTC) != TIME_UTC) return 0; {LATE}",
    "assert(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);",
    "assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) == ETIMEDOUT);",
)
FAIL = (
    f"clock_gettime(CLOCK_REALTIME, &until); until.tv_nsec += 999999999; {LATE}",
    f"until.tv_nsec = -1; {LATE}",
    "until.tv_nsec = 1000000000; assert(pthread_mutex_timedlock(&mutex, &until) == ETIMEDOUT);",
    "until.tv_nsec = -1; assert(pthread_rwlock_timedwrlock(&lock, &until) == 0);",
    "until.tv_nsec = -1; assert(pthread_rwlock_timedrdlock(&lock, &until) == 0);",
    "until.tv_nsec = 1000000000; assert(sem_timedwait(&semaphore, &until) == 0);",
    "until.tv_nsec = 1000000000; assert(mtx_timedlock(&own, &until) == thrd_timedout);",
    "assert(pthread_mutex_clocklock(&mutex, 77, &until) == ETIMEDOUT);",
)


@pytest.mark.parametrize("body", [*HOLD, *FAIL])
def test_limits_that_are_no_times_are_refused(body: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    assert are_proved(source, f"{START}{body} return 0; }}\n", ("assertion",), "interval") == (body in HOLD)
    assert fails(source, "") == (body in FAIL)
