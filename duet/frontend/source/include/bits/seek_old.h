/* <bits/seek_old.h>: old names of where offsets count from (glibc 2.36) */
#ifndef DUET_BITS_SEEK_OLD_H
#define DUET_BITS_SEEK_OLD_H

#define L_SET SEEK_SET
#define L_INCR SEEK_CUR
#define L_XTND SEEK_END

#endif
