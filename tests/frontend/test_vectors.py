"""Buffers behind structures (readv, sendmsg): each is touched up to its length, and there are as many as is said."""

from __future__ import annotations

import pytest

from tests.frontend.bodies import Decided, decided

START = """
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>
extern int any(void);
static char head[8], body[16];
struct connection { char text[8]; struct iovec parts[2]; };
static void *filling(void *of)
{
	struct iovec one = { body, 16 };

	readv(0, &one, 1);
	return of;
}
"""
PARTS = "struct iovec parts[2] = { { head, 8 }, { body, 16 } }, one = { head, 8 }, *moved = parts; int n = any(); "
MESSAGE = PARTS + (
    "struct sockaddr_in to; char extra[64]; "
    "struct msghdr m = { .msg_iov = &one, .msg_iovlen = 1, .msg_name = &to, .msg_namelen = sizeof to }; "
)
PROVED = {
    "vectors": PARTS
    + (
        "readv(0, parts, 2); writev(1, parts, 2); writev(1, parts + 1, 1); readv(0, &one, 1); "
        "if (n >= 0 && n <= 8) { one.iov_len = n; writev(1, &one, 1); } writev(1, parts, 0); "
        "one.iov_base = 0; one.iov_len = 0; writev(1, &one, 1);"
    ),
    "a message": MESSAGE + "sendmsg(0, &m, 0); m.msg_control = extra; m.msg_controllen = 64; sendmsg(0, &m, 0);",
}
OPEN = {
    "a length": PARTS + "parts[1].iov_len = 17; readv(0, parts, 2);",
    "a length that is not known": PARTS + "one.iov_len = n; writev(1, &one, 1);",
    "a moved start": PARTS + "one.iov_base = head + 1; writev(1, &one, 1);",
    "too many": PARTS + "writev(1, parts + 1, 2);",
    "as many as anybody knows": PARTS + "writev(1, parts, n);",
    "behind a pointer": PARTS + "moved++; moved->iov_len = 17; writev(1, moved, 1);",
    "in a structure": (
        "struct connection c = { .parts = { { head, 8 }, { c.text, 9 } } }, *p = &c; readv(0, p->parts, 2);"
    ),
    "a message's buffer": MESSAGE + "one.iov_len = 9; sendmsg(0, &m, 0);",
    "a message's buffer that is filled": MESSAGE + "one.iov_len = 9; recvmsg(0, &m, 0);",
    "a message's number of buffers": MESSAGE + "m.msg_iovlen = 2; sendmsg(0, &m, 0);",
    "an address": MESSAGE + "m.msg_namelen = 17; sendmsg(0, &m, 0);",
    "control data": MESSAGE + "m.msg_control = extra; m.msg_controllen = 65; recvmsg(0, &m, 0);",
    "messages": "struct mmsghdr m[2] = { { { 0 } } }; m[0].msg_hdr.msg_namelen = 3; recvmmsg(0, m, 2, 0, 0);",
}
"""What is not inside of an object, or may be not."""


def opened(body: str, *properties: str) -> list[Decided]:
    return [check for check in decided(START, body, *properties) if not check.is_safe]


@pytest.mark.parametrize("name", PROVED)
def test_what_is_inside(name: str) -> None:
    assert not opened(PROVED[name], "array-bounds", "null-dereference")


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_inside(name: str) -> None:
    assert opened(OPEN[name], "array-bounds")


def test_what_is_read_is_written() -> None:
    two = "pthread_t one, two; pthread_create(&one, 0, filling, 0); pthread_create(&two, 0, filling, 0);"
    assert any("body" in check.expression for check in opened(two, "data-race"))
    assert opened(PARTS + "head[0] = 1; readv(0, &one, 1); if (head[0] != 1) body[16] = 0;", "array-bounds")
    assert opened(PARTS + "one.iov_base = 0; writev(1, &one, 1);", "null-dereference")
