// ARGS: --entries keeper,marker,careless --parameterized
// The lowest bit of a word is a lock, and others are marks; one who marks writes the whole word back, and may write
// the lock's bit of a while ago.
#include <assert.h>
#include <stdatomic.h>

static atomic_uint word, fine;
static int inside, alone;

static void enter(atomic_uint *w) {
    while (atomic_fetch_or(w, 1u) & 1u)
        ;
}

void keeper(void) {
    enter(&word);
    inside++;
    assert(inside == 1); // UNSAFE!
    inside--;
    atomic_fetch_and(&word, ~1u);
    enter(&fine);
    alone++;
    assert(alone == 1); // SAFE
    assert((atomic_load(&fine) & 1u) == 1u); // SAFE
    alone--;
    atomic_fetch_and(&fine, ~1u);
}

void marker(void) {
    atomic_fetch_or(&fine, 6u);
    assert((atomic_load(&fine) & 4u) != 0); // SAFE
    assert((atomic_load(&fine) & 1u) == 0); // UNSAFE!
    atomic_fetch_xor(&fine, 8u);
    atomic_fetch_add(&fine, 16u);
}

void careless(void) {
    unsigned seen = atomic_load(&word);
    atomic_store(&word, seen | 8u);
    assert((atomic_load(&word) & 8u) != 0); // SAFE
}
