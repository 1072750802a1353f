/* <linux/pnp.h>: plug and play devices; the harness probes them */
#ifndef DUET_LINUX_PNP_H
#define DUET_LINUX_PNP_H

#include <linux/types.h>
#include <linux/device.h>
#include <linux/mod_devicetable.h>
#include <duet/intrinsics.h>

struct pnp_dev {
	struct device dev;
};
struct pnp_driver {
	const char *name;
	const struct pnp_device_id *id_table;
	unsigned int flags;
	int (*probe)(struct pnp_dev *device, const struct pnp_device_id *id);
	void (*remove)(struct pnp_dev *device);
	void (*shutdown)(struct pnp_dev *device);
	struct device_driver driver;
};

extern int pnp_register_driver(struct pnp_driver *driver);
extern void pnp_unregister_driver(struct pnp_driver *driver);
/* A port, or all ones where there is none. */
#define pnp_port_start(device, bar) \
	((void)(device), (void)(bar), __duet_nondet_bool() ? (resource_size_t)-1 : (resource_size_t)__duet_nondet_ushort())
#define pnp_port_len(device, bar) ((void)(device), (void)(bar), (resource_size_t)__duet_nondet_ulong())
#define pnp_irq(device, bar) ((void)(device), (void)(bar), __duet_nondet_int())
#define module_pnp_driver(name) static struct pnp_driver *__duet_pnp_driver = &name

#endif
