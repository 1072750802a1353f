/* <poll.h>: waiting for descriptors */
#ifndef DUET_POLL_H
#define DUET_POLL_H

#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32

typedef unsigned long nfds_t;
struct pollfd {
	int fd;
	short events, revents;
};

int poll(struct pollfd *descriptors, nfds_t count, int limit);

#endif
