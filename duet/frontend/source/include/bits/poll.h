/* <bits/poll.h>: events of descriptors (glibc 2.36) */
#ifndef DUET_BITS_POLL_H
#define DUET_BITS_POLL_H

#define POLLIN 0x001
#define POLLPRI 0x002
#define POLLOUT 0x004
#define POLLERR 0x008
#define POLLHUP 0x010
#define POLLNVAL 0x020
#if defined __USE_XOPEN2K8 || defined __USE_XOPEN
#define POLLRDNORM 0x040
#define POLLRDBAND 0x080
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#endif
#if defined __USE_GNU
#define POLLMSG 0x400
#define POLLREMOVE 0x1000
#define POLLRDHUP 0x2000
#endif

#endif
