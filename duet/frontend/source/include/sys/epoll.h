/* <sys/epoll.h>: waiting for descriptors */
#ifndef DUET_SYS_EPOLL_H
#define DUET_SYS_EPOLL_H

#include <stdint.h>

#define EPOLLIN 1U
#define EPOLLOUT 4U
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
