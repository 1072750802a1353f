/* <linux/init.h> over the kernel's own: where code and data lie does not matter */
#ifndef DUET_OVERLAY_INIT_H
#define DUET_OVERLAY_INIT_H

#include_next <linux/init.h>

#undef __init
#undef __initdata
#undef __initconst
#undef __exitdata
#undef __exit
#undef __ref
#undef __refdata
#undef __refconst
#undef __meminit
#undef __meminitdata
#undef __meminitconst
#define __init
#define __initdata
#define __initconst
#define __exitdata
#define __exit
#define __ref
#define __refdata
#define __refconst
#define __meminit
#define __meminitdata
#define __meminitconst

#endif
