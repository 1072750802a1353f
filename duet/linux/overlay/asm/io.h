/* <asm/io.h> over the kernel's own: ports and mapped memory: reads give anything, writes are ignored */
#ifndef DUET_OVERLAY_ASM_IO_H
#define DUET_OVERLAY_ASM_IO_H

#include_next <asm/io.h>
#include <duet/intrinsics.h>

static inline unsigned char readb(const volatile void *address)
{
	return __duet_nondet_uchar();
}
static inline void writeb(unsigned char value, volatile void *address)
{
}
static inline unsigned short readw(const volatile void *address)
{
	return __duet_nondet_ushort();
}
static inline void writew(unsigned short value, volatile void *address)
{
}
static inline unsigned int readl(const volatile void *address)
{
	return __duet_nondet_uint();
}
static inline void writel(unsigned int value, volatile void *address)
{
}
static inline unsigned long readq(const volatile void *address)
{
	return __duet_nondet_ulong();
}
static inline void writeq(unsigned long value, volatile void *address)
{
}
static inline unsigned char __readb(const volatile void *address)
{
	return __duet_nondet_uchar();
}
static inline void __writeb(unsigned char value, volatile void *address)
{
}
static inline unsigned short __readw(const volatile void *address)
{
	return __duet_nondet_ushort();
}
static inline void __writew(unsigned short value, volatile void *address)
{
}
static inline unsigned int __readl(const volatile void *address)
{
	return __duet_nondet_uint();
}
static inline void __writel(unsigned int value, volatile void *address)
{
}
static inline unsigned long __readq(const volatile void *address)
{
	return __duet_nondet_ulong();
}
static inline void __writeq(unsigned long value, volatile void *address)
{
}
static inline unsigned char inb(int port)
{
	return __duet_nondet_uchar();
}
static inline void outb(unsigned char value, int port)
{
}
static inline unsigned short inw(int port)
{
	return __duet_nondet_ushort();
}
static inline void outw(unsigned short value, int port)
{
}
static inline unsigned int inl(int port)
{
	return __duet_nondet_uint();
}
static inline void outl(unsigned int value, int port)
{
}
static inline unsigned char inb_p(int port)
{
	return __duet_nondet_uchar();
}
static inline void outb_p(unsigned char value, int port)
{
}
static inline unsigned short inw_p(int port)
{
	return __duet_nondet_ushort();
}
static inline void outw_p(unsigned short value, int port)
{
}
static inline unsigned int inl_p(int port)
{
	return __duet_nondet_uint();
}
static inline void outl_p(unsigned int value, int port)
{
}
static inline unsigned int ioread8(const void *address)
{
	return __duet_nondet_uchar();
}
static inline void iowrite8(unsigned char value, void *address)
{
}
static inline unsigned int ioread16(const void *address)
{
	return __duet_nondet_ushort();
}
static inline void iowrite16(unsigned short value, void *address)
{
}
static inline unsigned int ioread32(const void *address)
{
	return __duet_nondet_uint();
}
static inline void iowrite32(unsigned int value, void *address)
{
}

#endif
