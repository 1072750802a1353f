/* <malloc.h>: memory on the heap */
#ifndef DUET_MALLOC_H
#define DUET_MALLOC_H

#include <features.h>
#include <stddef.h>
#include <bits/null.h>
#include <bits/offsetof.h>
#include <bits/seek.h>
#include <bits/stdio_lim.h>
#if defined __USE_GNU
#include <bits/seek_data.h>
#endif

#define M_MXFAST 1
#define M_NLBLKS 2
#define M_GRAIN 3
#define M_KEEP 4
#define M_TRIM_THRESHOLD -1
#define M_TOP_PAD -2
#define M_MMAP_THRESHOLD -3
#define M_MMAP_MAX -4
#define M_CHECK_ACTION -5
#define M_PERTURB -6
#define M_ARENA_TEST -7
#define M_ARENA_MAX -8

struct mallinfo {
	int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 {
	size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};

struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);
size_t malloc_usable_size(void *memory);

#endif
