// ARGS: --properties assertion,null-dereference
// Append by walking to the end with a pointer to a pointer.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
typedef struct cell { int v; struct cell *next; } cell;
static cell *list; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void append(int v) {
    cell *c = malloc(sizeof(cell));
    if (!c) return;
    c->v = v; c->next = NULL; // SAFE
    pthread_mutex_lock(&m);
    cell **p = &list;
    while (*p) p = &(*p)->next; // SAFE
    *p = c; // SAFE
    pthread_mutex_unlock(&m);
}
static int total(void) {
    int s = 0;
    pthread_mutex_lock(&m);
    for (cell *c = list; c != NULL; c = c->next) {
        assert(c->v > 0); // SAFE
        s++;
    }
    pthread_mutex_unlock(&m);
    return s;
}
static void *w(void *a) { for (int i = 1; i < 6; i++) append(i); return a; }
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, 0);
    assert(total() >= 0); // SAFE
    pthread_join(x, 0); pthread_join(y, 0);
    return 0;
}
