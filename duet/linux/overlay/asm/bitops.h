/* <asm/bitops.h> over the kernel's own: searching for bits, without assembler */
#ifndef DUET_OVERLAY_ASM_BITOPS_H
#define DUET_OVERLAY_ASM_BITOPS_H

#include_next <asm/bitops.h>

/* Without a bit that is set the first three give anything. */
static inline unsigned long variable__ffs(unsigned long word)
{
	return (unsigned long)__builtin_ctzl(word);
}
static inline unsigned long variable_ffz(unsigned long word)
{
	return (unsigned long)__builtin_ctzl(~word);
}
static inline unsigned long __fls(unsigned long word)
{
	return 63ul - (unsigned long)__builtin_clzl(word);
}
static inline int variable_ffs(int word)
{
	return __builtin_ffs(word);
}
static inline int fls(unsigned int word)
{
	return word ? 32 - __builtin_clz(word) : 0;
}
static inline int fls64(unsigned long long word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

#endif
