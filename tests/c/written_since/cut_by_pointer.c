// ARGS: --properties assertion,null-dereference
// Sorted insertion and removal by pointers to pointers.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct n { int key; struct n *next; };
static struct n *list;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void insert(int key) {
    struct n *e = malloc(sizeof *e);
    if (!e) return;
    e->key = key; // SAFE
    pthread_mutex_lock(&m);
    struct n **pp = &list;
    while (*pp && (*pp)->key < key) pp = &(*pp)->next; // SAFE
    e->next = *pp;
    *pp = e; // SAFE
    assert(list != NULL); // UNKNOWN (what a pointer to a pointer leads to)
    pthread_mutex_unlock(&m);
}
static int removekey(int key) {
    int found = 0;
    pthread_mutex_lock(&m);
    for (struct n **pp = &list; *pp; pp = &(*pp)->next) { // SAFE
        if ((*pp)->key == key) { // SAFE
            struct n *e = *pp;
            *pp = e->next; // SAFE
            assert(e->key == key);
            free(e);
            found = 1;
            break;
        }
    }
    pthread_mutex_unlock(&m);
    return found;
}
static void *w(void *a) { for (int i = 1; i < 9; i++) { insert(i); removekey(i / 2); } return a; }
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, w, 0); pthread_create(&y, 0, w, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    for (struct n *p = list; p; p = p->next) {
        assert(p->key >= 1); // SAFE
        assert(p->key < 9); // SAFE
    }
    return 0;
}
