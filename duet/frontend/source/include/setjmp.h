/* <setjmp.h>: jumps out of functions */
#ifndef DUET_SETJMP_H
#define DUET_SETJMP_H

#include <features.h>

#define setjmp setjmp
#if defined __USE_POSIX
#define sigsetjmp sigsetjmp
#endif

typedef union __duet_jump {
	char __size[sizeof(long) == 8 ? 200 : 156];
	long __align;
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

extern int setjmp(jmp_buf state);
extern int _setjmp(jmp_buf state);
extern int sigsetjmp(sigjmp_buf state, int save);
_Noreturn void longjmp(jmp_buf state, int value);
_Noreturn void siglongjmp(sigjmp_buf state, int value);

#endif
