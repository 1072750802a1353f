/* <linux/ioport.h> over the kernel's own: what was asked for and is had lies among the ports there are */
#ifndef DUET_OVERLAY_IOPORT_H
#define DUET_OVERLAY_IOPORT_H

#include_next <linux/ioport.h>
#include <duet/intrinsics.h>

/* What reserves, and what gives back, calls nothing of the driver. */
static inline struct resource *__request_region(struct resource *parent, resource_size_t start, resource_size_t n,
						const char *name, int flags)
{
	if (flags & IORESOURCE_MUXED)
		__duet_wait_for_region();
	return __duet_nondet_ptr();
}
static inline struct resource *__devm_request_region(struct device *dev, struct resource *parent,
						     resource_size_t start, resource_size_t n, const char *name)
{
	return __duet_nondet_ptr();
}
static inline void __release_region(struct resource *parent, resource_size_t start, resource_size_t n)
{
}

/* __request_resource() refuses what does not lie in its parent. Other architectures may move the end of that. */
#ifdef CONFIG_X86
#define __duet_request_ports(start, count, request)                                               \
	({                                                                                        \
		__typeof__(start) __duet_start = (start);                                         \
		resource_size_t __duet_count = (count);                                           \
                                                                                                  \
		__duet_count >= 1 && __duet_count <= 0x10000 && __duet_start >= 0 &&              \
				__duet_start <= 0x10000u - (unsigned int)__duet_count             \
			? (request)                                                               \
			: (struct resource *)0;                                                   \
	})
#undef request_region
#undef request_muxed_region
#undef devm_request_region
#define request_region(start, n, name) \
	__duet_request_ports(start, n, __request_region(&ioport_resource, __duet_start, __duet_count, (name), 0))
#define request_muxed_region(start, n, name)                                           \
	__duet_request_ports(start, n, __request_region(&ioport_resource, __duet_start, \
							__duet_count, (name), IORESOURCE_MUXED))
#define devm_request_region(dev, start, n, name)                                            \
	__duet_request_ports(start, n, __devm_request_region((dev), &ioport_resource,       \
							     __duet_start, __duet_count, (name)))
#endif

#endif
