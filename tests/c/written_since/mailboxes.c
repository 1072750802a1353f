// Three stages, each with a mailbox.
#include <pthread.h>
#include <assert.h>
struct box { pthread_mutex_t m; pthread_cond_t c; int full, v; };
static struct box ab = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static struct box bc = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static void put(struct box *b, int v) {
    pthread_mutex_lock(&b->m);
    while (b->full) pthread_cond_wait(&b->c, &b->m);
    b->v = v; b->full = 1;
    pthread_cond_broadcast(&b->c);
    pthread_mutex_unlock(&b->m);
}
static int get(struct box *b) {
    pthread_mutex_lock(&b->m);
    while (!b->full) pthread_cond_wait(&b->c, &b->m);
    int v = b->v; b->full = 0;
    pthread_cond_broadcast(&b->c);
    pthread_mutex_unlock(&b->m);
    return v;
}
static void *s1(void *a) { for (int i = 1; i <= 5; i++) put(&ab, i); return a; }
static void *s2(void *a) { for (int i = 1; i <= 5; i++) { int v = get(&ab); assert(v >= 1 && v <= 5); put(&bc, v * 10); } return a; } // SAFE
static void *s3(void *a) { for (int i = 1; i <= 5; i++) { int v = get(&bc); assert(v >= 10 && v <= 50); assert(v % 10 == 0); } return a; } // SAFE
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, s1, 0); pthread_create(&t[1], 0, s2, 0); pthread_create(&t[2], 0, s3, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(ab.full == 0); // UNKNOWN (what is left when all have ended)
    assert(bc.full == 0); // UNKNOWN (what is left when all have ended)
    return 0;
}
