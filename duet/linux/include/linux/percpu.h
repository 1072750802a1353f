/* <linux/percpu.h>: variables of each processor: which one is read is not known, so that any value is */
#ifndef DUET_LINUX_PERCPU_H
#define DUET_LINUX_PERCPU_H

#include <duet/intrinsics.h>

#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name
#define DEFINE_PER_CPU(type, name) __typeof__(type) name
#define this_cpu_read(cell)                    \
	({                                     \
		__typeof__(cell) __duet_value; \
		__duet_havoc(__duet_value);    \
		__duet_value;                  \
	})
#define this_cpu_write(cell, value) ((void)(value), __duet_havoc(cell))
#define this_cpu_add(cell, amount) this_cpu_write(cell, amount)
#define this_cpu_sub(cell, amount) this_cpu_write(cell, amount)
#define this_cpu_inc(cell) __duet_havoc(cell)
#define this_cpu_dec(cell) __duet_havoc(cell)
#define __this_cpu_read(cell) this_cpu_read(cell)
#define __this_cpu_write(cell, value) this_cpu_write(cell, value)
#define __this_cpu_inc(cell) this_cpu_inc(cell)
#define __this_cpu_dec(cell) this_cpu_dec(cell)

#endif
