/* <linux/netdevice.h> over the kernel's own: network devices with private data behind them, and what polls them */
#ifndef DUET_OVERLAY_NETDEVICE_H
#define DUET_OVERLAY_NETDEVICE_H

#include_next <linux/netdevice.h>
#include <linux/slab.h>
#include <duet/intrinsics.h>

/* What the kernel has of a device, and behind it the data of the driver. */
struct __duet_network {
	struct net_device device;
	struct __duet_data {
	} data __attribute__((aligned(NETDEV_ALIGN)));
};

/* All of it holds anything. */
static inline struct net_device *__duet_net_device(size_t size)
{
	struct __duet_network *network = kmalloc(sizeof(struct __duet_network) + size, 0);

	return (struct net_device *)network;
}
static inline void *netdev_priv(const struct net_device *device)
{
	return &((struct __duet_network *)device)->data;
}
static inline struct net_device *alloc_netdev_mqs(int size, const char *name, unsigned char origin,
						  void (*setup)(struct net_device *), unsigned int senders,
						  unsigned int receivers)
{
	struct net_device *device = __duet_net_device(size);

	if (device)
		setup(device);
	return device;
}
static inline struct net_device *alloc_etherdev_mqs(int size, unsigned int senders, unsigned int receivers)
{
	return __duet_net_device(size);
}
static inline struct net_device *devm_alloc_etherdev_mqs(struct device *owner, int size, unsigned int senders,
							 unsigned int receivers)
{
	return __duet_net_device(size);
}
static inline struct napi_struct *__duet_polled(struct napi_struct *napi, struct net_device *device, int weight)
{
	__duet_havoc(napi->state);
	napi->dev = device;
	napi->weight = weight;
	return napi;
}

/* The function is called from when it is enabled, or scheduled, on. */
#undef netif_napi_add
#undef netif_napi_add_weight
#undef netif_napi_add_tx
#undef netif_napi_add_tx_weight
#define netif_napi_add_weight(device, napi, function, size) \
	((void)(__duet_polled((napi), (device), (size))->poll = (function)))
#define netif_napi_add_tx_weight(device, napi, function, size) netif_napi_add_weight(device, napi, function, size)
#define netif_napi_add(device, napi, function) netif_napi_add_weight(device, napi, function, NAPI_POLL_WEIGHT)
#define netif_napi_add_tx(device, napi, function) netif_napi_add_weight(device, napi, function, NAPI_POLL_WEIGHT)

#endif
