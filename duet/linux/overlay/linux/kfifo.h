/* <linux/kfifo.h> over the kernel's own: at most as much is moved as was asked for */
#ifndef DUET_OVERLAY_KFIFO_H
#define DUET_OVERLAY_KFIFO_H

#include_next <linux/kfifo.h>
#include <duet/intrinsics.h>

/* How many elements or bytes were moved, whatever the kernel says: at most so many. */
static inline unsigned int __duet_moved(unsigned int said, unsigned long most)
{
	unsigned int moved = __duet_nondet_uint();

	__duet_assume(moved <= most);
	return moved;
}
#undef kfifo_in
#undef kfifo_out
#undef kfifo_out_peek
#define __duet_kfifo(fifo, target, buffer, count, move, move_record)                                       \
	({                                                                                             \
		typeof((fifo) + 1) __tmp = (fifo);                                                     \
		typeof(__tmp->target) __duet_buffer = (buffer);                                        \
		unsigned long __duet_count = (count);                                                  \
		const size_t __duet_record = sizeof(*__tmp->rectype);                                  \
		__duet_moved(__duet_record                                                             \
				     ? move_record(&__tmp->kfifo, (void *)__duet_buffer, __duet_count, __duet_record) \
				     : move(&__tmp->kfifo, (void *)__duet_buffer, __duet_count),       \
			     __duet_count);                                                            \
	})
#define kfifo_in(fifo, buffer, count) __duet_kfifo(fifo, ptr_const, buffer, count, __kfifo_in, __kfifo_in_r)
#define kfifo_out(fifo, buffer, count) __duet_kfifo(fifo, ptr, buffer, count, __kfifo_out, __kfifo_out_r)
#define kfifo_out_peek(fifo, buffer, count) \
	__duet_kfifo(fifo, ptr, buffer, count, __kfifo_out_peek, __kfifo_out_peek_r)

#endif
