"""Arguments of library functions for which null has a meaning: the call is made, and what follows is reached."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import decided

START = """
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
struct utimbuf;
int futimens(int, const struct timespec[2]);
int futimes(int, const struct timeval[2]);
int utimes(const char *, const struct timeval[2]);
int lutimes(const char *, const struct timeval[2]);
int utime(const char *, const struct utimbuf *);
int utimensat(int, const char *, const struct timespec[2], int);
int futimesat(int, const char *, const struct timeval[2]);
int ppoll(struct pollfd *, unsigned long, const struct timespec *, const sigset_t *);
static char bytes[64];
static char *texts[] = {bytes, 0};
static fd_set set;
static struct pollfd polled;
static struct timespec moment;
static sigset_t signals;
"""
CALLS = (
    *("futimens(3, 0);", "futimes(3, 0);", "utimes(bytes, 0);", "lutimes(bytes, 0);", "utime(bytes, 0);"),
    *("utimensat(-100, bytes, 0, 0);", "futimesat(-100, bytes, 0);", "futimesat(3, 0, 0);"),
    *("sendto(3, bytes, 8, 0, 0, 0);", "recvfrom(3, bytes, 8, 0, 0, 0);", "accept(3, 0, 0);", "mblen(0, 0);"),
    *("mbrtowc(0, bytes, 1, 0);", "wait(0);", "waitpid(-1, 0, 0);", "time(0);", "gettimeofday(0, 0);", "free(0);"),
    *("nanosleep(&moment, 0);", "select(1, &set, 0, 0, 0);", "ppoll(&polled, 1, 0, 0);"),
    *("writev(3, 0, 0);", "readv(3, 0, 0);", "execve(bytes, texts, 0);"),
    *("sigaction(10, 0, 0);", "sigprocmask(0, 0, 0);", "pthread_sigmask(0, &signals, 0);"),
)
FAILING = ("utimes(0, 0);", "sendto(3, 0, 8, 0, 0, 0);", "nanosleep(0, 0);", "writev(3, 0, 1);", "readv(3, 0, 1);")


@pytest.mark.parametrize("domain", ["interval", "auto"])
def test_what_follows_is_reached(domain: str) -> None:
    cases = "\n".join(f"case {number}: {call} assert(0); break;" for number, call in enumerate(CALLS))
    body = f"int any(void); switch (any()) {{\n{cases}\n}}"
    found = decided(START, body, "assertion", "null-dereference", domain=domain)
    reached = [check.status for check in found if check.subject == "assertion"]
    assert len(reached) == len(CALLS)
    assert not [call for call, status in zip(CALLS, reached, strict=True) if status in ("proved", "unreachable")]
    assert not [check for check in found if check.subject == "null-dereference" and not check.is_safe]


@pytest.mark.parametrize("call", FAILING)
def test_null_without_a_meaning_is_told(call: str) -> None:
    found = decided(START, call, "null-dereference", domain="interval")
    assert any(not check.is_safe for check in found)


GOES_ON = (
    *("stat(0, &status);", "open(0, 0);", "read(3, 0, 8);", "pipe(0);", "sendmsg(3, 0, 0);", "poll(0, 1, 0);"),
    *("ioctl(3, 21531, 0);", "realpath(0, bytes);", "getcwd(0, 8);", 'printf("%s", (char *)0);'),
    *("asctime(0);", "printf(0);", "fprintf(stdout, 0);"),
    *("pthread_mutexattr_destroy(0);", "pthread_condattr_destroy(0);"),
    *("pthread_setaffinity_np(pthread_self(), 8, 0);", "fgets(0, 8, stdin);", "fread(0, 1, 8, stdin);"),
    *("getline(0, &size, stdin);", "getdelim(&text, 0, 10, stdin);", "sem_destroy(0);", "sem_init(0, 0, -1);"),
    *("pthread_rwlock_destroy(0);", "pthread_spin_destroy(0);", "pthread_barrier_init(0, 0, 0);"),
    *("pthread_mutex_timedlock(&mutex, 0);", "pthread_rwlock_timedrdlock(&shared, 0);", "strtol(0, 0, 99);"),
    *("pthread_mutexattr_settype(0, 77);", "pthread_attr_setdetachstate(0, 77);", "qsort(bytes, 1, 1, 0);"),
    *("bsearch(bytes, bytes, 0, 1, 0);", "pthread_once(&once, 0);", "getopt(0, arguments, 0);"),
)
PASSED_ON = (
    *("stat(given, &status);", "open(given, 0);", "read(3, given, 8);", "futimes(3, given);", "sendmsg(3, given, 0);"),
    *("asctime(given);", "pthread_condattr_destroy(given);"),
    *("getpeername(3, given, given);", 'printf("%s", (char *)given);', "rename(bytes, given);"),
    *("fgets(bytes, 1, given);", "fread(bytes, 0, 1, given);", "ungetc(-1, given);", 'fputs("", given);'),
    *("getline(given, &size, stdin);", 'strtok("", given);', "sem_destroy(given);", "qsort(bytes, 1, 1, given);"),
    *("pthread_mutex_timedlock(&mutex, given);", "pthread_condattr_setclock(given, 77);", "strtoul(given, 0, 99);"),
    *('strstr(given, "");', "strspn(given, bytes);", 'strpbrk(given, "a" + 1);'),
)
ASKED = ("assertion", "null-dereference")
NEEDED = """
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
static struct stat status;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static size_t size;
static char *text, *arguments[2];
int pthread_setaffinity_np(pthread_t, size_t, const void *);
"""


@pytest.mark.parametrize("domain", ["interval", "auto"])
def test_what_follows_a_null_argument_is_reached_also_where_it_is_told(domain: str) -> None:
    cases = "\n".join(f"case {number}: {call} assert(0); break;" for number, call in enumerate(GOES_ON))
    body = f"int any(void); switch (any()) {{\n{cases}\n}}"
    found = decided(START + NEEDED, body, "assertion", "null-dereference", domain=domain)
    reached = [check.status for check in found if check.subject == "assertion"]
    assert len(reached) == len(GOES_ON)
    assert not [call for call, status in zip(GOES_ON, reached, strict=True) if status in ("proved", "unreachable")]


@pytest.mark.parametrize("call", PASSED_ON)
def test_what_follows_a_pointer_that_is_null_is_reached(call: str) -> None:
    functions = f"static void act(void *given) {{ {call} if (!given) assert(0); }}"
    found = decided(
        START + NEEDED + functions, "act(0); act(bytes);", "assertion", "null-dereference", domain="interval"
    )
    assert [check for check in found if check.subject == "assertion" and not check.is_safe]
    assert [check for check in found if check.subject == "null-dereference" and not check.is_safe] or "futimes" in call


@pytest.mark.parametrize(
    "call",
    [
        *("strlen(given);", "memset(given, 0, 8);", "fputs(given, stdout);", "sem_post(given);"),
        *('strstr(given, "ab");', 'strspn(given, "a");', 'strpbrk(given, ",;");'),
    ],
)
def test_a_pointer_that_was_used_is_not_null(call: str) -> None:
    functions = f"static void act(void *given) {{ {call} assert(given); }}"
    found = decided(
        START + NEEDED + functions, "act(0); act(bytes);", "assertion", "null-dereference", domain="interval"
    )
    assert [check for check in found if check.subject == "assertion"]
    assert not [check for check in found if check.subject == "assertion" and not check.is_safe]
