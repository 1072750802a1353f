/* <linux/device.h> over the kernel's own: messages about devices, memory and actions that last as long as one */
#ifndef DUET_OVERLAY_DEVICE_H
#define DUET_OVERLAY_DEVICE_H

#include_next <linux/device.h>
#include <linux/slab.h>
#include <duet/intrinsics.h>

#include "../../include/linux/device.h"
static inline const char *dev_name(const struct device *device)
{
	const char *name = __duet_named(device->init_name);

	return name ? name : __duet_named(device->kobj.name);
}
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
/* An action runs once, at any time from here on: when that is no longer done orders nothing. */
#undef devm_add_action
#undef devm_add_action_or_reset
static inline int devm_add_action(struct device *device, void (*action)(void *), void *data)
{
	int status = __duet_status();

	if (status == 0)
		__duet_spawn_at(action, 0, data);
	return status;
}
static inline int devm_add_action_or_reset(struct device *device, void (*action)(void *), void *data)
{
	int status = devm_add_action(device, action, data);

	if (status != 0)
		action(data);
	return status;
}
static inline void devm_remove_action(struct device *device, void (*action)(void *), void *data)
{
}
static inline void devm_release_action(struct device *device, void (*action)(void *), void *data)
{
	action(data);
}
static inline int dev_err_probe(const struct device *device, int error, const char *format, ...)
{
	return error;
}

#endif
