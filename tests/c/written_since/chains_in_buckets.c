// ARGS: --properties assertion,array-bounds,null-dereference
// Buckets with chains under one lock; removal by a pointer to a pointer.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
#define B 4
struct kv { unsigned k; int v; struct kv *next; };
static struct kv *tab[B]; static int size; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void set(unsigned k, int v) {
    struct kv *e = malloc(sizeof *e);
    if (!e) return;
    e->k = k; e->v = v; // SAFE
    pthread_mutex_lock(&m);
    e->next = tab[k % B]; // SAFE
    tab[k % B] = e; // SAFE
    size++;
    assert(size > 0); // UNKNOWN (elements of arrays of pointers, by pointers)
    pthread_mutex_unlock(&m);
}
static void del(unsigned k) {
    pthread_mutex_lock(&m);
    for (struct kv **pp = &tab[k % B]; *pp; pp = &(*pp)->next)
        if ((*pp)->k == k) {
            struct kv *e = *pp;
            assert(e->v >= 100); // SAFE
            *pp = e->next;
            free(e);
            size--;
            break;
        }
    pthread_mutex_unlock(&m);
}
static void *w(void *a) { for (unsigned i = 0; i < 10; i++) { set(i, 100 + i); del(i); } return a; }
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    return 0;
}
