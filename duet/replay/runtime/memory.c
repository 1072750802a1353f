/* Memory: the callbacks of the compiler's instrumentation, and an allocator that sees accesses outside of its blocks. */
#define _GNU_SOURCE
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* ---- in front of each access to memory that threads may share, by -fsanitize=thread ---- */

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
#define ACCESS(name, size, effect) \
    void __tsan_##name(void *address) { arrive((uintptr_t)address, size, effect, 0, HERE); }
ACCESS(read1, 1, READ) ACCESS(read2, 2, READ) ACCESS(read4, 4, READ) ACCESS(read8, 8, READ) ACCESS(read16, 16, READ)
ACCESS(write1, 1, WRITE) ACCESS(write2, 2, WRITE) ACCESS(write4, 4, WRITE) ACCESS(write8, 8, WRITE)
ACCESS(write16, 16, WRITE) ACCESS(unaligned_read2, 2, READ) ACCESS(unaligned_read4, 4, READ)
ACCESS(unaligned_read8, 8, READ) ACCESS(unaligned_read16, 16, READ) ACCESS(unaligned_write2, 2, WRITE)
ACCESS(unaligned_write4, 4, WRITE) ACCESS(unaligned_write8, 8, WRITE) ACCESS(unaligned_write16, 16, WRITE)
void __tsan_read_range(void *address, size_t size) { arrive((uintptr_t)address, size, READ, 0, HERE); }
void __tsan_write_range(void *address, size_t size) { arrive((uintptr_t)address, size, WRITE, 0, HERE); }
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define FETCH(bits, name, result)                                                                      \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t v, int o) { \
        (void)o;                                                                                       \
        arrive((uintptr_t)a, bits / 8, UPDATE, 1, HERE);                                               \
        uint##bits##_t old = *a;                                                                       \
        *a = (uint##bits##_t)(result);                                                                 \
        return old;                                                                                    \
    }
#define EXCHANGE(bits, name)                                                                                \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *a, uint##bits##_t *expected, \
                                                      uint##bits##_t v, int o, int p) {                     \
        (void)o, (void)p;                                                                                   \
        arrive((uintptr_t)a, bits / 8, UPDATE, 1, HERE);                                                    \
        if (*a == *expected) return *a = v, 1;                                                              \
        *expected = *a;                                                                                     \
        return 0;                                                                                           \
    }
#define ATOMICS(bits)                                                                                    \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int o) {                 \
        (void)o;                                                                                         \
        arrive((uintptr_t)a, bits / 8, READ, 1, HERE);                                                   \
        return *a;                                                                                       \
    }                                                                                                    \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t v, int o) {              \
        (void)o;                                                                                         \
        arrive((uintptr_t)a, bits / 8, WRITE, 1, HERE);                                                  \
        *a = v;                                                                                          \
    }                                                                                                    \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                           \
        volatile uint##bits##_t *a, uint##bits##_t expected, uint##bits##_t v, int o, int p) {           \
        (void)o, (void)p;                                                                                \
        arrive((uintptr_t)a, bits / 8, UPDATE, 1, HERE);                                                 \
        uint##bits##_t old = *a;                                                                         \
        if (old == expected) *a = v;                                                                     \
        return old;                                                                                      \
    }                                                                                                    \
    FETCH(bits, exchange, v)                                                                             \
    FETCH(bits, fetch_add, old + v)                                                                      \
    FETCH(bits, fetch_sub, old - v)                                                                      \
    FETCH(bits, fetch_and, old &v)                                                                       \
    FETCH(bits, fetch_or, old | v)                                                                       \
    FETCH(bits, fetch_xor, old ^ v)                                                                      \
    FETCH(bits, fetch_nand, ~(old & v))                                                                  \
    EXCHANGE(bits, strong)                                                                               \
    EXCHANGE(bits, weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

/* ---- blocks: with a gap behind each, never used again, so that whoever still uses one is seen to ---- */

enum { ARENA = 64 << 20, GAP = 64, MAX_BLOCKS = 1 << 16 };
static char arena[ARENA] __attribute__((aligned(64)));
static struct block {
    uintptr_t start;
    size_t size;
    int is_freed;
} blocks[MAX_BLOCKS];
static int block_count;
static size_t used = GAP;

static struct block *block_of(uintptr_t address) {
    int low = 0, high = block_count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        struct block *block = &blocks[middle];
        if (address < block->start) high = middle - 1;
        else if (middle + 1 < block_count && address >= blocks[middle + 1].start) low = middle + 1;
        else return block;
    }
    return NULL;
}

enum where where_is(uintptr_t address, size_t size) {
    if (address < (uintptr_t)arena || address >= (uintptr_t)arena + ARENA) return INSIDE;
    struct block *block = block_of(address);
    if (!block || address + size > block->start + block->size) return OUTSIDE;
    return block->is_freed ? FREED : INSIDE;
}

static void *allocate(size_t size, size_t alignment) {
    if (chance(24)) return NULL;
    size_t begin = (used + alignment - 1) / alignment * alignment;
    if (size > ARENA || begin + size + GAP > ARENA || block_count == MAX_BLOCKS) return NULL;
    blocks[block_count++] = (struct block){(uintptr_t)arena + begin, size, 0};
    used = (begin + size + GAP + 15) / 16 * 16;
    return arena + begin;
}

void *replay_malloc(size_t size) { return allocate(size, 16); }
void *replay_calloc(size_t count, size_t size) {
    size_t all;
    return __builtin_mul_overflow(count, size, &all) ? NULL : allocate(all, 16); /* the arena holds zeros */
}
void *replay_aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment); }
int replay_posix_memalign(void **result, size_t alignment, size_t size) {
    void *found = allocate(size, alignment);
    if (found) *result = found;
    return found ? 0 : 12;
}

/* A block that is given back counts as written: an access at the same time is a race. */
static void give_back(void *address, uintptr_t pc) {
    struct block *block = block_of((uintptr_t)address);
    int is_ours = (uintptr_t)address >= (uintptr_t)arena && (uintptr_t)address < (uintptr_t)arena + ARENA;
    if (is_ours && (!block || block->start != (uintptr_t)address)) fail(GONE, pc, 0, 1);
    if (!is_ours) return;
    arrive(block->start, block->size, WRITE, 0, pc); /* where a second time is noticed */
    block->is_freed = 1;
}

void replay_free(void *address) {
    if (address) give_back(address, HERE);
}

void *replay_realloc(void *address, size_t size) {
    struct block *block = address ? block_of((uintptr_t)address) : NULL;
    if (address && (!block || block->start != (uintptr_t)address)) end_run(); /* of another allocator, or undefined */
    void *larger = allocate(size, 16);
    if (larger && block) {
        size_t old = block->size;
        give_back(address, HERE);
        memcpy(larger, address, old < size ? old : size);
    }
    return larger;
}

/* ---- what copies memory accesses it ---- */

static void range(const void *address, size_t size, enum effect effect, uintptr_t pc) {
    if (size) arrive((uintptr_t)address, size, effect, 0, pc);
}

void *replay_memset(void *target, int value, size_t size) {
    range(target, size, WRITE, HERE);
    return memset(target, value, size);
}
void *replay_memcpy(void *target, const void *source, size_t size) {
    range(source, size, READ, HERE);
    range(target, size, WRITE, HERE);
    return memmove(target, source, size);
}
void *replay_memmove(void *target, const void *source, size_t size) {
    range(source, size, READ, HERE);
    range(target, size, WRITE, HERE);
    return memmove(target, source, size);
}
char *replay_strcpy(char *target, const char *source) {
    range(source, strlen(source) + 1, READ, HERE);
    range(target, strlen(source) + 1, WRITE, HERE);
    return strcpy(target, source);
}
