/* <linux/mod_devicetable.h>: tables of devices */
#ifndef DUET_LINUX_MOD_DEVICETABLE_H
#define DUET_LINUX_MOD_DEVICETABLE_H

#include <linux/types.h>

struct platform_device_id {
	char name[24];
	unsigned long driver_data;
};
struct pci_device_id {
	u32 vendor, device, subvendor, subdevice, class, class_mask;
	unsigned long driver_data;
};
struct pnp_device_id {
	u8 id[8];
	unsigned long driver_data;
};
struct isapnp_device_id {
	unsigned short card_vendor, card_device, vendor, function;
	unsigned long driver_data;
};

#endif
