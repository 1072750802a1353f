/* <poll.h>: waiting for descriptors */
#ifndef DUET_POLL_H
#define DUET_POLL_H

#include <features.h>
#include <bits/poll.h>
#if defined __USE_GNU
#include <bits/endian.h>
#endif

typedef unsigned long nfds_t;
struct pollfd {
	int fd;
	short events, revents;
};

int poll(struct pollfd *descriptors, nfds_t count, int limit);

#endif
