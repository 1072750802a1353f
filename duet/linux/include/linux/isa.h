/* <linux/isa.h>: ISA devices; the harness probes them */
#ifndef DUET_LINUX_ISA_H
#define DUET_LINUX_ISA_H

#include <linux/device.h>

typedef struct {
	int event;
} __duet_pm_message;
struct isa_driver {
	int (*match)(struct device *device, unsigned int id);
	int (*probe)(struct device *device, unsigned int id);
	void (*remove)(struct device *device, unsigned int id);
	void (*shutdown)(struct device *device, unsigned int id);
	int (*suspend)(struct device *device, unsigned int id, __duet_pm_message state);
	int (*resume)(struct device *device, unsigned int id);
	struct device_driver driver;
};

#define module_isa_driver(name, count)                                                                                 \
	static struct isa_driver *__duet_isa_driver = &name;                                                           \
	static const unsigned int __duet_isa_count = count

#endif
