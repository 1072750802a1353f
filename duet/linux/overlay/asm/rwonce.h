/* <asm/rwonce.h> over the kernel's own: atomic reads and writes */
#ifndef DUET_OVERLAY_ASM_RWONCE_H
#define DUET_OVERLAY_ASM_RWONCE_H

#include_next <asm/rwonce.h>

#undef READ_ONCE
#undef WRITE_ONCE
#define READ_ONCE(cell) __duet_read_once(cell)
#define WRITE_ONCE(cell, value) __duet_write_once(cell, value)

#endif
