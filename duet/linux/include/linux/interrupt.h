/* <linux/interrupt.h>: interrupts; the harness runs their handlers */
#ifndef DUET_LINUX_INTERRUPT_H
#define DUET_LINUX_INTERRUPT_H

#include <duet/intrinsics.h>
#include <linux/types.h>

#define IRQ_NONE 0
#define IRQ_HANDLED 1
#define IRQ_WAKE_THREAD 2
#define IRQF_SHARED 0x80
#define IRQF_TRIGGER_RISING 1
#define IRQF_TRIGGER_FALLING 2

typedef irqreturn_t (*irq_handler_t)(int irq, void *data);

extern int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *data);
#define free_irq(irq, data) ((void)(irq), (void)(data), __duet_wait_for_interrupts())
#define disable_irq(irq) ((void)(irq), __duet_wait_for_interrupts())
#define enable_irq(irq) ((void)(irq))
#define synchronize_irq(irq) disable_irq(irq)

#endif
