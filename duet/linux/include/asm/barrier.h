/* <asm/barrier.h>: barriers between accesses, which are in order anyway here */
#ifndef DUET_ASM_BARRIER_H
#define DUET_ASM_BARRIER_H

#include <duet/intrinsics.h>

#define mb() do { } while (0)
#define rmb() do { } while (0)
#define wmb() do { } while (0)
#define smp_mb() do { } while (0)
#define smp_rmb() do { } while (0)
#define smp_wmb() do { } while (0)
#define dma_rmb() do { } while (0)
#define dma_wmb() do { } while (0)
#define smp_store_mb(cell, value) __duet_write_once(cell, value)
/* They order less than everything: that is an assumption of the report. */
#define smp_load_acquire(address) __duet_read_once(*(address))
#define smp_store_release(address, value) __duet_write_once(*(address), value)

#endif
