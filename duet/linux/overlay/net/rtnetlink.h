/* <net/rtnetlink.h> over the kernel's own: network devices that the core makes when somebody asks for a link */
#ifndef DUET_OVERLAY_RTNETLINK_H
#define DUET_OVERLAY_RTNETLINK_H

#include_next <net/rtnetlink.h>
#include <linux/netdevice.h>
#include <duet/intrinsics.h>

extern int __duet_find_link(struct rtnl_link_ops *ops);

/* It finds all functions in there. Each device has as much data as it says, and is what any function may be given. */
static inline int __rtnl_link_register(struct rtnl_link_ops *ops)
{
	__duet_expose(__duet_net_device(ops->priv_size));
	(void)__duet_find_link(ops);
	return __duet_status();
}
static inline int rtnl_link_register(struct rtnl_link_ops *ops)
{
	return __rtnl_link_register(ops);
}

#endif
