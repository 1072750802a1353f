/* <asm/uaccess.h>: memory of the user */
#ifndef DUET_ASM_UACCESS_H
#define DUET_ASM_UACCESS_H

#include <linux/uaccess.h>

#endif
