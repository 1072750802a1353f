// ARGS: --properties assertion,null-dereference
// A list with a `Node **tail`: append at the end in one step, walk from the head.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
typedef struct Node { int v; struct Node *next; } Node;
static Node *first, **last = &first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void append(int v) {
    Node *n = calloc(1, sizeof *n);
    if (!n) return;
    n->v = v; // SAFE
    pthread_mutex_lock(&m);
    *last = n; // SAFE
    last = &n->next;
    assert(first != NULL); // UNKNOWN (what a pointer to a pointer leads to)
    pthread_mutex_unlock(&m);
}
static Node *take(void) {
    pthread_mutex_lock(&m);
    Node *n = first;
    if (n) {
        first = n->next; // SAFE
        if (!first) last = &first;
    }
    pthread_mutex_unlock(&m);
    return n;
}
static void *adder(void *a) { for (int i = 10; i < 20; i++) append(i); return a; }
static void *taker(void *a) {
    Node *n;
    while ((n = take()) != NULL) {
        assert(n->v >= 10);
        assert(n->v < 20); // SAFE
        free(n);
    }
    return a;
}
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, adder, 0); pthread_create(&y, 0, taker, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    taker(0);
    assert(first == NULL); // SAFE
    assert(last == &first); // UNKNOWN (what a pointer to a pointer leads to)
    return 0;
}
