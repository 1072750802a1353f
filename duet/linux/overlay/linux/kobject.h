/* <linux/kobject.h> over the kernel's own: names that the kernel keeps */
#ifndef DUET_OVERLAY_KOBJECT_H
#define DUET_OVERLAY_KOBJECT_H

#include_next <linux/kobject.h>
#include <duet/intrinsics.h>

static inline const char *kobject_name(const struct kobject *object)
{
	return __duet_named(object->name);
}

#endif
