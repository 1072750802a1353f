/* <linux/kfifo.h> over the kernel's own: at most as much is moved as was asked for, from and to any place of a queue */
#ifndef DUET_OVERLAY_KFIFO_H
#define DUET_OVERLAY_KFIFO_H

#include_next <linux/kfifo.h>
#include <linux/string.h>
#include <duet/intrinsics.h>

/* How many elements or bytes were moved, whatever the kernel says: at most so many. */
static inline unsigned int __duet_moved(unsigned int said, unsigned long most)
{
	unsigned int moved = __duet_nondet_uint();

	__duet_assume(moved <= most);
	return moved;
}
/* A number below another one, which is not 0. */
static inline unsigned long __duet_below(unsigned long end)
{
	unsigned long number = __duet_nondet_ulong();

	__duet_assume(number < end);
	return number;
}
/* Any element. The kernel makes numbers of elements smaller than a power of 2, which is the length, so it is in the queue. */
#define __duet_any_slot(fifo)                                                                                  \
	(__is_kfifo_ptr(fifo) ? (typeof((fifo)->type))(fifo)->kfifo.data                                       \
			      : &(fifo)->buf[__duet_below(sizeof((fifo)->buf) / sizeof(*(fifo)->buf))])

#undef kfifo_put
#undef kfifo_get
#undef kfifo_peek
#define kfifo_put(fifo, val)                                                                                   \
	({                                                                                                     \
		typeof((fifo) + 1) __tmp = (fifo);                                                             \
		typeof(*__tmp->const_type) __val = (val);                                                      \
		const size_t __recsize = sizeof(*__tmp->rectype);                                              \
		unsigned int __ret;                                                                            \
		if (__recsize)                                                                                 \
			__ret = __kfifo_in_r(&__tmp->kfifo, &__val, sizeof(__val), __recsize);                 \
		else {                                                                                         \
			__ret = !kfifo_is_full(__tmp);                                                         \
			if (__ret) {                                                                           \
				*__duet_any_slot(__tmp) = *(typeof(__tmp->type))&__val;                        \
				__tmp->kfifo.in++;                                                             \
			}                                                                                      \
		}                                                                                              \
		__ret;                                                                                         \
	})
#define __duet_taken(fifo, val, take_record, step)                                                             \
	({                                                                                                     \
		typeof((fifo) + 1) __tmp = (fifo);                                                             \
		typeof(__tmp->ptr) __val = (val);                                                              \
		const size_t __recsize = sizeof(*__tmp->rectype);                                              \
		unsigned int __ret;                                                                            \
		if (__recsize)                                                                                 \
			__ret = take_record(&__tmp->kfifo, __val, sizeof(*__val), __recsize);                  \
		else {                                                                                         \
			__ret = !kfifo_is_empty(__tmp);                                                        \
			if (__ret) {                                                                           \
				*(typeof(__tmp->type))__val = *__duet_any_slot(__tmp);                         \
				step;                                                                          \
			}                                                                                      \
		}                                                                                              \
		__ret;                                                                                         \
	})
#define kfifo_get(fifo, val) __duet_taken(fifo, val, __kfifo_out_r, __tmp->kfifo.out++)
#define kfifo_peek(fifo, val) __duet_taken(fifo, val, __kfifo_out_peek_r, (void)0)

/* The bytes of a buffer that is given: what is put in is looked at, what is taken out may be anything. */
#define __duet_given(buffer, bytes) ((void)memcmp(buffer, buffer, bytes))
#define __duet_wanted(buffer, bytes) __duet_receive(buffer, bytes)

#undef kfifo_in
#undef kfifo_out
#undef kfifo_out_peek
#define __duet_kfifo(fifo, target, buffer, count, use, move, move_record)                                      \
	({                                                                                                     \
		typeof((fifo) + 1) __tmp = (fifo);                                                             \
		typeof(__tmp->target) __duet_buffer = (buffer);                                                \
		unsigned long __duet_count = (count);                                                          \
		const size_t __duet_record = sizeof(*__tmp->rectype);                                          \
		unsigned long __duet_most = __duet_moved(0, __duet_count);                                     \
                                                                                                               \
		use((void *)__duet_buffer, __duet_most * (__duet_record ? 1 : sizeof(*__tmp->type)));          \
		__duet_moved(__duet_record                                                                     \
				     ? move_record(&__tmp->kfifo, (void *)__duet_buffer, __duet_count, __duet_record) \
				     : move(&__tmp->kfifo, (void *)__duet_buffer, __duet_count),               \
			     __duet_count);                                                                    \
	})
#define kfifo_in(fifo, buffer, count) \
	__duet_kfifo(fifo, ptr_const, buffer, count, __duet_given, __kfifo_in, __kfifo_in_r)
#define kfifo_out(fifo, buffer, count) \
	__duet_kfifo(fifo, ptr, buffer, count, __duet_wanted, __kfifo_out, __kfifo_out_r)
#define kfifo_out_peek(fifo, buffer, count) \
	__duet_kfifo(fifo, ptr, buffer, count, __duet_wanted, __kfifo_out_peek, __kfifo_out_peek_r)

#endif
