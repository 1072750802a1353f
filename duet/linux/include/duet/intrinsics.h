/* <duet/intrinsics.h>: what the analyzer knows by name */
#ifndef DUET_DUET_INTRINSICS_H
#define DUET_DUET_INTRINSICS_H

/* An arbitrary value of the type. */
extern _Bool __duet_nondet_bool(void);
extern char __duet_nondet_char(void);
extern unsigned char __duet_nondet_uchar(void);
extern short __duet_nondet_short(void);
extern unsigned short __duet_nondet_ushort(void);
extern int __duet_nondet_int(void);
extern unsigned int __duet_nondet_uint(void);
extern long __duet_nondet_long(void);
extern unsigned long __duet_nondet_ulong(void);
extern long long __duet_nondet_longlong(void);
extern unsigned long long __duet_nondet_ulonglong(void);
extern void *__duet_nondet_ptr(void);

/* Gives its argument, an lvalue of any type, an arbitrary value of that type. */
extern void __duet_havoc();
/* Only executions in which the condition holds go on. */
extern void __duet_assume(_Bool condition);
/* From here on `__duet_nondet_ptr()` may also be the pointer. */
extern void __duet_expose(const void *pointer);
/* Other modules call the functions among its arguments, and use the objects that these lead to. */
extern void __duet_import();
/* The structure of which a member, so many bytes behind its start, lies at an address; and how many bytes it has. */
extern void *__duet_container(const void *member, unsigned long offset, unsigned long size);
/* A member that leads to a name which the kernel keeps, an lvalue. */
extern const char *__duet_named();
/* An error number as a pointer: it leads to no object. */
extern void *__duet_error_pointer(long error);
/* Sums and products of sizes, which stay as large as they can be where they would wrap. */
extern unsigned long __duet_size_sum(unsigned long left, unsigned long right);
extern unsigned long __duet_size_product(unsigned long left, unsigned long right);
/* So many bytes hold anything. */
extern void __duet_receive(void *target, unsigned long count);
/* Takes and releases the lock at an address. */
extern void __duet_acquire(void *lock);
extern void __duet_release(void *lock);
/* Takes the lock at an address if it is free; 1 if so, else 0. */
extern int __duet_try_acquire(void *lock);
/* Interrupts of this processor are turned off, and on again; the flags, an lvalue, are for going back to how it was. */
extern void __duet_interrupts_off(void);
extern void __duet_interrupts_on(void);
extern void __duet_interrupts_save();
extern void __duet_interrupts_restore();
/* Bottom halves are held back on this processor, as often as not. */
extern void __duet_bottoms_off(void);
extern void __duet_bottoms_on(void);
/* Here a spinlock was taken. */
extern void __duet_interruptible(void);
/* The first function is a handler that interrupts, the second one runs as a thread. */
extern void __duet_handlers();
/* Locks for readers and writers: trying gives 0 where it was taken. */
extern int __duet_read_acquire(void *lock);
extern int __duet_write_acquire(void *lock);
extern int __duet_read_try(void *lock);
extern int __duet_write_try(void *lock);
extern int __duet_shared_release(void *lock);
extern int __duet_downgrade(void *lock);
/* Counting semaphores: trying gives 0 where one was taken. */
extern int __duet_down(void *semaphore);
extern int __duet_down_try(void *semaphore);
extern int __duet_up(void *semaphore);
/* Completions: likewise. */
extern int __duet_complete(void *completion);
extern int __duet_complete_all(void *completion);
extern int __duet_await(void *completion);
extern int __duet_await_try(void *completion);
/* Here the thread waits until callbacks of a kind have ended; or for one that completes something. */
extern void __duet_wait_for_timers(void);
extern void __duet_wait_for_interrupts(void);
extern void __duet_wait_for_opening(void);
extern void __duet_wait_for_completion(void);
/* Here it waits until a region that is shared in turns is given back. */
extern void __duet_wait_for_region(void);
/* Here is an access with an order that is weaker than that of all others. */
extern void __duet_weak_order(void);
/* Evaluates its arguments and reads what they point to. */
extern int printk(const char *format, ...);
/* The thread stops here. */
extern void __duet_noreturn(void);
/* Starts a thread that runs the function, with the argument that follows it, if there is one. */
extern void __duet_spawn();
/* Likewise, with the argument for the parameter at a position, from 0. */
extern void __duet_spawn_at();
/* What stands between the two happens as one step. */
extern void __duet_atomic_begin(void);
extern void __duet_atomic_end(void);

/* Any error number, negated. Assumed rather than computed: a model adds no checks of its own to a driver. */
static inline int __duet_error(void)
{
	int error = __duet_nondet_int();

	__duet_assume(error >= -4095);
	__duet_assume(error < 0);
	return error;
}
/* 0 or an error. */
#define __duet_status() (__duet_nondet_bool() ? 0 : __duet_error())

#endif
