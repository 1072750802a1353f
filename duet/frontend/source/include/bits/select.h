/* <bits/select.h>: sets of descriptors (glibc 2.36) */
#ifndef DUET_BITS_SELECT_H
#define DUET_BITS_SELECT_H

#define FD_SETSIZE 1024
#define FD_SET FD_SET
#define FD_CLR FD_CLR
#define FD_ISSET FD_ISSET
#define FD_ZERO FD_ZERO
#if defined __USE_MISC
#define NFDBITS (8 * (int) sizeof (long))
#endif

#endif
