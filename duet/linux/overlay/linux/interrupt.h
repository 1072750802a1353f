/* <linux/interrupt.h> over the kernel's own: handlers run from their registration on, with the data of it */
#ifndef DUET_OVERLAY_INTERRUPT_H
#define DUET_OVERLAY_INTERRUPT_H

#include_next <linux/interrupt.h>
#include <duet/intrinsics.h>

/* Any number of threads, each at any time from here on: what frees an interrupt orders nothing. */
static inline void __duet_interrupts(irq_handler_t handler, irq_handler_t thread, void *data)
{
	__duet_handlers(handler, thread);
	while (__duet_nondet_bool()) {
		if (handler)
			__duet_spawn_at(handler, 1, data);
		if (thread)
			__duet_spawn_at(thread, 1, data);
	}
}
static inline int request_threaded_irq(unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags,
				       const char *name, void *data)
{
	int status = __duet_status();

	if (status == 0)
		__duet_interrupts(handler, thread, data);
	return status;
}
static inline int devm_request_threaded_irq(struct device *device, unsigned int irq, irq_handler_t handler,
					    irq_handler_t thread, unsigned long flags, const char *name, void *data)
{
	return request_threaded_irq(irq, handler, thread, flags, name, data);
}
static inline int request_any_context_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name,
					  void *data)
{
	int status = request_threaded_irq(irq, handler, 0, flags, name, data);

	return status == 0 ? __duet_nondet_bool() : status;
}
static inline int devm_request_any_context_irq(struct device *device, unsigned int irq, irq_handler_t handler,
					       unsigned long flags, const char *name, void *data)
{
	return request_any_context_irq(irq, handler, flags, name, data);
}

#endif
