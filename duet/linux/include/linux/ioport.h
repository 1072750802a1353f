/* <linux/ioport.h>: regions of ports and memory */
#ifndef DUET_LINUX_IOPORT_H
#define DUET_LINUX_IOPORT_H

#include <linux/types.h>
#include <duet/intrinsics.h>

struct resource {
	resource_size_t start, end;
	const char *name;
	unsigned long flags;
};

#define IORESOURCE_IO 0x100
#define IORESOURCE_MEM 0x200
#define IORESOURCE_IRQ 0x400

/* Ports lie in 0..0xffff: a request outside of that fails. The result is only tested. */
#define request_region(start, count, name)                                    \
	({                                                                    \
		__typeof__(start) __duet_start = (start);                     \
		(void)(count);                                                \
		(void)(name);                                                 \
		__duet_start >= 0 && __duet_start <= 0xffff && __duet_nondet_bool(); \
	})
#define request_muxed_region(start, count, name) (__duet_wait_for_region(), request_region(start, count, name))
#define release_region(start, count) ((void)(start), (void)(count))
#define request_mem_region(start, count, name) ((void)(start), (void)(count), (void)(name), __duet_nondet_bool())
#define release_mem_region(start, count) ((void)(start), (void)(count))

#endif
