/* <asm/io.h>: ports */
#ifndef DUET_ASM_IO_H
#define DUET_ASM_IO_H

#include <linux/io.h>

#endif
