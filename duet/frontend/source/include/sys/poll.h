/* <sys/poll.h>: waiting for descriptors */
#ifndef DUET_SYS_POLL_H
#define DUET_SYS_POLL_H

#include <poll.h>

#endif
