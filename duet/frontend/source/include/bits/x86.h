/* <bits/x86.h>: what programs with threads use of <immintrin.h> and its like; no vectors */
#ifndef DUET_BITS_X86_H
#define DUET_BITS_X86_H

static inline void _mm_pause(void)
{
	__builtin_ia32_pause();
}
static inline void _mm_lfence(void)
{
	__builtin_ia32_lfence();
}
static inline void _mm_mfence(void)
{
	__builtin_ia32_mfence();
}
static inline void _mm_sfence(void)
{
	__builtin_ia32_sfence();
}
static inline unsigned long long __rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}
#define _rdtsc() __rdtsc()

#endif
