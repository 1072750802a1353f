/* <linux/pci.h>: PCI devices; the harness probes them */
#ifndef DUET_LINUX_PCI_H
#define DUET_LINUX_PCI_H

#include <linux/types.h>
#include <linux/device.h>
#include <linux/ioport.h>
#include <linux/io.h>
#include <linux/mod_devicetable.h>
#include <linux/errno.h>

struct pci_dev {
	unsigned int irq;
	unsigned short vendor, device, subsystem_vendor, subsystem_device;
	unsigned int class;
	unsigned char revision;
	unsigned int devfn;
	struct device dev;
};
struct pci_driver {
	const char *name;
	const struct pci_device_id *id_table;
	int (*probe)(struct pci_dev *device, const struct pci_device_id *id);
	void (*remove)(struct pci_dev *device);
	void (*shutdown)(struct pci_dev *device);
	struct device_driver driver;
};

#define PCI_ANY_ID (~0)
#define PCI_DEVICE(maker, number) .vendor = (maker), .device = (number), .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID
#define PCI_VDEVICE(maker, number) \
	.vendor = PCI_VENDOR_ID_##maker, .device = (number), .subvendor = PCI_ANY_ID, .subdevice = PCI_ANY_ID, 0, 0
#define PCI_VENDOR_ID_ACCESSIO 0x494f
#define PCI_DEVICE_ID_ACCESSIO_WDG_CSM 0x22c0
#define PCI_VENDOR_ID_NVIDIA 0x10de
#define PCI_DEVICE_ID_NVIDIA_NFORCE_MCP51_SMBUS 0x0264
#define PCI_DEVICE_ID_NVIDIA_NFORCE_MCP55_SMBUS 0x0368
#define PCI_DEVICE_ID_NVIDIA_NFORCE_MCP78S_SMBUS 0x0752
#define PCI_DEVICE_ID_NVIDIA_NFORCE_MCP79_SMBUS 0x0aa2
#define PCI_VENDOR_ID_AL 0x10b9
#define PCI_VENDOR_ID_INTEL 0x8086
#define PCI_VENDOR_ID_QUICKLOGIC 0x11e3

/* 0, an error of PCI, which is positive, or another error. */
static inline int __duet_pci_status(void)
{
	int status = __duet_nondet_int();

	__duet_assume(status >= -4095);
	__duet_assume(status <= 0x89);
	return status;
}
/* The line of an interrupt is found here. */
#define pci_enable_device(device)                        \
	({                                               \
		struct pci_dev *__duet_pci = (device);   \
		__duet_havoc(__duet_pci->irq);           \
		__duet_status();                         \
	})
#define pci_disable_device(device) ((void)(device))
#define pci_request_region(device, bar, name) ((void)(device), (void)(bar), (void)(name), __duet_status())
#define pci_request_regions(device, name) ((void)(device), (void)(name), __duet_status())
#define pci_release_region(device, bar) ((void)(device), (void)(bar))
#define pci_release_regions(device) ((void)(device))
/* A region of ports or of memory: which one the device decides; at every call another one. */
#define pci_resource_start(device, bar) ((void)(device), (void)(bar), (resource_size_t)__duet_nondet_ulonglong())
#define pci_resource_end(device, bar) pci_resource_start(device, bar)
#define pci_resource_len(device, bar) pci_resource_start(device, bar)
#define pci_resource_flags(device, bar) ((void)(device), (void)(bar), __duet_nondet_ulong())
#define pci_get_device(vendor, number, from) \
	((void)(vendor), (void)(number), (void)(from), (struct pci_dev *)__duet_nondet_ptr())
#define for_each_pci_dev(device) while (((device) = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, device)) != NULL)
#define pci_dev_put(device) ((void)(device))
#define pci_dev_get(device) (device)
#define pci_match_id(table, device) (__duet_expose(table), (void)(device), (const struct pci_device_id *)__duet_nondet_ptr())
#define pci_read_config_byte(device, where, target) ((void)(device), (void)(where), __duet_havoc(*(target)), __duet_pci_status())
#define pci_read_config_word(device, where, target) pci_read_config_byte(device, where, target)
#define pci_read_config_dword(device, where, target) pci_read_config_byte(device, where, target)
#define pci_write_config_byte(device, where, value) ((void)(device), (void)(where), (void)(u8)(value), __duet_pci_status())
#define pci_write_config_word(device, where, value) ((void)(device), (void)(where), (void)(u16)(value), __duet_pci_status())
#define pci_write_config_dword(device, where, value) ((void)(device), (void)(where), (void)(u32)(value), __duet_pci_status())
#define pci_set_master(device) ((void)(device))
#define pci_get_drvdata(device) dev_get_drvdata(&(device)->dev)
#define pci_set_drvdata(device, data) dev_set_drvdata(&(device)->dev, data)
extern int pci_register_driver(struct pci_driver *driver);
extern void pci_unregister_driver(struct pci_driver *driver);
#define module_pci_driver(name) static struct pci_driver *__duet_pci_driver = &name

#endif
