/* <sys/uio.h>: scattered input and output */
#ifndef DUET_SYS_UIO_H
#define DUET_SYS_UIO_H

#include <sys/types.h>

struct iovec {
	void *iov_base;
	size_t iov_len;
};

ssize_t readv(int descriptor, const struct iovec *vector, int count);
ssize_t writev(int descriptor, const struct iovec *vector, int count);

#endif
