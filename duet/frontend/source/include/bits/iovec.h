/* <bits/iovec.h>: struct iovec */
#ifndef DUET_BITS_IOVEC_H
#define DUET_BITS_IOVEC_H

#include <bits/stddef_types.h>

struct iovec {
	void *iov_base;
	size_t iov_len;
};

#endif
