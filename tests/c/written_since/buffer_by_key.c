// ARGS: --properties assertion,null-dereference
// A buffer for each thread; the destructor frees it.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct buf { int cap, used; };
static pthread_key_t k; static pthread_once_t once = PTHREAD_ONCE_INIT;
static void release(void *p) {
    struct buf *b = p;
    assert(b != 0); // SAFE
    assert(b->cap == 64); // SAFE
    assert(b->used <= b->cap); // SAFE
    free(b);
}
static void make_key(void) { pthread_key_create(&k, release); }
static struct buf *get(void) {
    pthread_once(&once, make_key);
    struct buf *b = pthread_getspecific(k);
    if (b == 0) {
        b = malloc(sizeof *b);
        if (b == 0) abort();
        b->cap = 64; b->used = 0;
        if (pthread_setspecific(k, b)) abort();
    }
    return b;
}
static void *w(void *a) {
    struct buf *b = get();
    if (b->used < b->cap) b->used++; // SAFE
    assert(get()->cap == 64); // SAFE
    assert(b->used >= 1); // SAFE
    return a;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    return 0;
}
