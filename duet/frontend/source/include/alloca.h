/* <alloca.h>: memory on the stack */
#ifndef DUET_ALLOCA_H
#define DUET_ALLOCA_H

#include <stddef.h>

void *alloca(size_t size);

#endif
