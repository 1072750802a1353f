/* <linux/blk-mq.h> over the kernel's own: requests with private data behind them */
#ifndef DUET_OVERLAY_BLK_MQ_H
#define DUET_OVERLAY_BLK_MQ_H

#include_next <linux/blk-mq.h>
#include <linux/kernel.h>
#include <duet/intrinsics.h>

/* What the kernel has of a request, and behind it the data of the driver: as many bytes as its tag set asks for. */
struct __duet_request {
	struct request request;
	struct __duet_request_data {
	} data;
};

static inline void *blk_mq_rq_to_pdu(struct request *request)
{
	return &((struct __duet_request *)request)->data;
}
static inline struct request *blk_mq_rq_from_pdu(void *data)
{
	return &container_of((struct __duet_request_data *)data, struct __duet_request, data)->request;
}

#endif
