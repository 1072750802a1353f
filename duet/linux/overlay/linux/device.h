/* <linux/device.h> over the kernel's own: messages about devices, and memory that lives as long as one */
#ifndef DUET_OVERLAY_DEVICE_H
#define DUET_OVERLAY_DEVICE_H

#include_next <linux/device.h>
#include <linux/slab.h>

#include "../../include/linux/device.h"
static inline void *devm_kmalloc(struct device *device, size_t size, gfp_t flags)
{
	return kmalloc(size, flags);
}
static inline void *devm_kzalloc(struct device *device, size_t size, gfp_t flags)
{
	return kzalloc(size, flags);
}
static inline void *devm_kmalloc_array(struct device *device, size_t count, size_t size, gfp_t flags)
{
	return kmalloc_array(count, size, flags);
}
static inline void *devm_kcalloc(struct device *device, size_t count, size_t size, gfp_t flags)
{
	return kcalloc(count, size, flags);
}
static inline char *devm_kstrdup(struct device *device, const char *text, gfp_t flags)
{
	return kstrdup(text, flags);
}
static inline void *devm_kmemdup(struct device *device, const void *source, size_t size, gfp_t flags)
{
	return kmemdup(source, size, flags);
}
static inline void devm_kfree(struct device *device, const void *memory)
{
	kfree(memory);
}
static inline int dev_err_probe(const struct device *device, int error, const char *format, ...)
{
	return error;
}

#endif
