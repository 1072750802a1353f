/* <asm/arch_hweight.h> over the kernel's own: counting bits, without assembler */
#ifndef DUET_OVERLAY_ASM_ARCH_HWEIGHT_H
#define DUET_OVERLAY_ASM_ARCH_HWEIGHT_H

#include_next <asm/arch_hweight.h>

static inline unsigned int __arch_hweight8(unsigned int word)
{
	return (unsigned int)__builtin_popcount(word & 255u) & 15u;
}
static inline unsigned int __arch_hweight16(unsigned int word)
{
	return (unsigned int)__builtin_popcount(word & 65535u) & 31u;
}
static inline unsigned int __arch_hweight32(unsigned int word)
{
	return (unsigned int)__builtin_popcount(word);
}
static inline unsigned long __arch_hweight64(unsigned long long word)
{
	return (unsigned long)__builtin_popcountll(word);
}

#endif
