/* <alloca.h>: memory on the stack */
#ifndef DUET_ALLOCA_H
#define DUET_ALLOCA_H

#include <features.h>
#include <bits/stddef_types.h>
#include <bits/alloca.h>

void *alloca(size_t size);

#endif
