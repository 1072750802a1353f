/* <linux/container_of.h>: from a member to the structure around it */
#ifndef DUET_LINUX_CONTAINER_OF_H
#define DUET_LINUX_CONTAINER_OF_H

#include <duet/intrinsics.h>

#define container_of(pointer, type, member) \
	((type *)__duet_container((pointer), __builtin_offsetof(type, member), sizeof(type)))

#endif
