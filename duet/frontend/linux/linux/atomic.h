/* <linux/atomic.h>: atomic counters: they wrap */
#ifndef DUET_LINUX_ATOMIC_H
#define DUET_LINUX_ATOMIC_H

#include <linux/types.h>
#include <duet/intrinsics.h>

typedef struct {
	_Atomic int counter;
} atomic_t;

#define ATOMIC_INIT(value) {(value)}
#define atomic_read(cell) ((cell)->counter)
#define atomic_set(cell, value) ((void)((cell)->counter = (value)))
#define atomic_add(amount, cell)                                                                                       \
	do {                                                                                                           \
		__duet_atomic_begin();                                                                                 \
		(cell)->counter = (int)((unsigned int)(cell)->counter + (unsigned int)(amount));                       \
		__duet_atomic_end();                                                                                   \
	} while (0)
#define atomic_sub(amount, cell) atomic_add(-(amount), cell)
#define atomic_inc(cell) atomic_add(1, cell)
#define atomic_dec(cell) atomic_add(-1, cell)

#endif
