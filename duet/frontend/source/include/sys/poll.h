/* <sys/poll.h>: waiting for descriptors */
#ifndef DUET_SYS_POLL_H
#define DUET_SYS_POLL_H

#include <features.h>
#include <poll.h>
#include <bits/poll.h>
#if defined __USE_GNU
#include <bits/endian.h>
#endif

#endif
