"""Addresses of sockets are written as far as the length behind another argument says, as it is before the call."""

from __future__ import annotations

from tests.frontend.bodies import decided

START = """#define _GNU_SOURCE
#include <netinet/in.h>
#include <sys/socket.h>
extern int any(void);
struct peer { struct sockaddr_in address; socklen_t length; } peer;
struct { short two; } small;
struct sockaddr_storage large;
struct sockaddr_in a;
int option;
"""
BODY = """socklen_t n = sizeof a, m = sizeof large, k = sizeof a, j = sizeof option;
accept(3, (struct sockaddr *)&a, &n); /* SAFE */
accept(3, (struct sockaddr *)&a, &n); /* UNSAFE: n is what the first call has left, which may be more */
getpeername(3, (struct sockaddr *)&large, &m); /* SAFE */
accept4(3, (struct sockaddr *)&small, &k, 0); /* UNSAFE */
getsockopt(3, 1, 4, &option, &j); /* SAFE */
j = 8;
getsockopt(3, 1, 4, &option, &j); /* UNSAFE */
peer.length = sizeof peer.address;
recvfrom(3, 0, 0, 0, (struct sockaddr *)&peer.address, &peer.length); /* SAFE */
peer.length = sizeof peer;
recvfrom(3, 0, 0, 0, (struct sockaddr *)&peer.address.sin_port, &peer.length); /* UNSAFE */
k = any();
getsockname(3, (struct sockaddr *)&a, &k); /* UNSAFE */
n = sizeof large, m = sizeof a;
getsockname(3, (struct sockaddr *)&a, any() ? &n : &m); /* UNSAFE */
int signed_length = -1;
accept(3, (struct sockaddr *)&a, (void *)&signed_length); /* UNSAFE: a large length, as the function reads it */
"""


def test_bounds_of_addresses_are_those_of_their_lengths() -> None:
    found = {item.line for item in decided(START, BODY, "array-bounds") if item.status == "proved"}
    lines = BODY.splitlines()
    first = min(found) - 1
    assert {at - first for at in found} == {at for at, line in enumerate(lines) if "/* SAFE" in line}
