/* <bits/seek_data.h>: searching for data and holes (glibc 2.36) */
#ifndef DUET_BITS_SEEK_DATA_H
#define DUET_BITS_SEEK_DATA_H

#if defined __USE_GNU
#define SEEK_DATA 3
#define SEEK_HOLE 4
#endif

#endif
