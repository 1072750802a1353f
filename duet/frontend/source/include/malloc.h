/* <malloc.h>: memory on the heap */
#ifndef DUET_MALLOC_H
#define DUET_MALLOC_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *memory);

#endif
