/* <bits/seek.h>: where offsets count from (glibc 2.36) */
#ifndef DUET_BITS_SEEK_H
#define DUET_BITS_SEEK_H

#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

#endif
