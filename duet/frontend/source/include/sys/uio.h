/* <sys/uio.h>: scattered input and output */
#ifndef DUET_SYS_UIO_H
#define DUET_SYS_UIO_H

#include <features.h>
#include <bits/iovec.h>
#include <bits/types.h>
#if defined __USE_MISC
#include <bits/byteorder.h>
#include <bits/endian.h>
#include <bits/select.h>
#endif

#define UIO_MAXIOV 1024
#if defined __USE_GNU
#define RWF_HIPRI 0x00000001
#define RWF_DSYNC 0x00000002
#define RWF_SYNC 0x00000004
#define RWF_NOWAIT 0x00000008
#define RWF_APPEND 0x00000010
#define RWF_NOAPPEND 0x00000020
#endif


ssize_t readv(int descriptor, const struct iovec *vector, int count);
ssize_t writev(int descriptor, const struct iovec *vector, int count);

#endif
