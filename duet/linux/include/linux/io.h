/* <linux/io.h>: ports and mapped memory: reads give anything, writes are ignored */
#ifndef DUET_LINUX_IO_H
#define DUET_LINUX_IO_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <duet/intrinsics.h>

#define inb(port) ((void)(port), __duet_nondet_uchar())
#define inw(port) ((void)(port), __duet_nondet_ushort())
#define inl(port) ((void)(port), __duet_nondet_uint())
#define inb_p(port) inb(port)
#define inw_p(port) inw(port)
#define inl_p(port) inl(port)
#define outb(value, port) ((void)(unsigned char)(value), (void)(port))
#define outw(value, port) ((void)(unsigned short)(value), (void)(port))
#define outl(value, port) ((void)(unsigned int)(value), (void)(port))
#define outb_p(value, port) outb(value, port)
#define outw_p(value, port) outw(value, port)
#define outl_p(value, port) outl(value, port)
#define readb(address) ((void)(address), __duet_nondet_uchar())
#define readw(address) ((void)(address), __duet_nondet_ushort())
#define readl(address) ((void)(address), __duet_nondet_uint())
#define ioread8(address) readb(address)
#define ioread16(address) readw(address)
#define ioread32(address) readl(address)
#define writeb(value, address) ((void)(unsigned char)(value), (void)(address))
#define writew(value, address) ((void)(unsigned short)(value), (void)(address))
#define writel(value, address) ((void)(unsigned int)(value), (void)(address))
#define iowrite8(value, address) writeb(value, address)
#define iowrite16(value, address) writew(value, address)
#define iowrite32(value, address) writel(value, address)
#define ioremap(address, size) ((void)(address), (void)(size), __duet_nondet_ptr())
#define iounmap(address) ((void)(address))

extern void memcpy_fromio(void *to, const volatile void *from, size_t count);
extern void memcpy_toio(volatile void *to, const void *from, size_t count);

#endif
