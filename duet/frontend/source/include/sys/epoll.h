/* <sys/epoll.h>: waiting for descriptors */
#ifndef DUET_SYS_EPOLL_H
#define DUET_SYS_EPOLL_H

#include <features.h>
#include <stdint.h>
#include <bits/endian.h>
#include <bits/stdint_limits.h>
#include <bits/wchar_limits.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/select.h>
#endif

enum { EPOLL_CLOEXEC = 524288, EPOLLIN = 1, EPOLLPRI = 2, EPOLLOUT = 4, EPOLLRDNORM = 64, EPOLLRDBAND = 128,
	EPOLLWRNORM = 256, EPOLLWRBAND = 512, EPOLLMSG = 1024, EPOLLERR = 8, EPOLLHUP = 16, EPOLLRDHUP = 8192,
	EPOLLEXCLUSIVE = 268435456, EPOLLWAKEUP = 536870912, EPOLLONESHOT = 1073741824, EPOLLET = 2147483648U
};
#define EPOLL_CLOEXEC EPOLL_CLOEXEC
#define EPOLLIN EPOLLIN
#define EPOLLPRI EPOLLPRI
#define EPOLLOUT EPOLLOUT
#define EPOLLRDNORM EPOLLRDNORM
#define EPOLLRDBAND EPOLLRDBAND
#define EPOLLWRNORM EPOLLWRNORM
#define EPOLLWRBAND EPOLLWRBAND
#define EPOLLMSG EPOLLMSG
#define EPOLLERR EPOLLERR
#define EPOLLHUP EPOLLHUP
#define EPOLLRDHUP EPOLLRDHUP
#define EPOLLEXCLUSIVE EPOLLEXCLUSIVE
#define EPOLLWAKEUP EPOLLWAKEUP
#define EPOLLONESHOT EPOLLONESHOT
#define EPOLLET EPOLLET
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

typedef union {
	void *ptr;
	int fd;
	uint32_t u32;
	uint64_t u64;
} epoll_data_t;
struct epoll_event {
	uint32_t events;
	epoll_data_t data;
} __attribute__((packed));

int epoll_create(int size);
int epoll_create1(int flags);
int epoll_ctl(int descriptor, int operation, int target, struct epoll_event *event);
int epoll_wait(int descriptor, struct epoll_event *events, int count, int limit);

#endif
