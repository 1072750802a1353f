/* <bits/access.h>: kinds of access (glibc 2.36) */
#ifndef DUET_BITS_ACCESS_H
#define DUET_BITS_ACCESS_H

#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#if defined __USE_MISC || defined __USE_XOPEN_EXTENDED
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#endif

#endif
