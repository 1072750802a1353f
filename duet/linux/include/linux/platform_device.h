/* <linux/platform_device.h>: platform devices; the harness probes them */
#ifndef DUET_LINUX_PLATFORM_DEVICE_H
#define DUET_LINUX_PLATFORM_DEVICE_H

#include <linux/types.h>
#include <linux/device.h>
#include <linux/ioport.h>
#include <linux/mod_devicetable.h>
#include <linux/err.h>

struct platform_device {
	const char *name;
	int id;
	struct device dev;
	unsigned int num_resources;
	struct resource *resource;
};
typedef struct {
	int event;
} pm_message_t;
struct platform_driver {
	int (*probe)(struct platform_device *device);
	int (*remove)(struct platform_device *device);
	void (*shutdown)(struct platform_device *device);
	int (*suspend)(struct platform_device *device, pm_message_t state);
	int (*resume)(struct platform_device *device);
	struct device_driver driver;
	const struct platform_device_id *id_table;
};

/* Defined by the harness: what follows when a device is bound. */
extern int __duet_platform_bound(void);
/* Without a device, or one that is bound, there is an error. */
#define platform_driver_probe(driver, probe)                                                                           \
	((void)(driver),                                                                                               \
	 __duet_nondet_bool() && probe((struct platform_device *)__duet_nondet_ptr()) == 0 ? __duet_platform_bound()   \
											   : __duet_error())
extern int platform_driver_register(struct platform_driver *driver);
extern void platform_driver_unregister(struct platform_driver *driver);
extern struct platform_device *platform_device_register_simple(const char *name, int id,
							       const struct resource *resources, unsigned int count);
extern void platform_device_unregister(struct platform_device *device);
#define platform_get_resource(device, type, number)                                                                    \
	((void)(device), (void)(number), (struct resource *)__duet_nondet_ptr())
#define platform_get_irq(device, number) ((void)(device), (void)(number), __duet_nondet_int())
#define platform_get_drvdata(device) dev_get_drvdata(&(device)->dev)
#define platform_set_drvdata(device, data) dev_set_drvdata(&(device)->dev, data)
#define module_platform_driver(name) static struct platform_driver *__duet_platform_driver = &name

#endif
