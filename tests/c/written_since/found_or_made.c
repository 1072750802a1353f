// ARGS: --properties assertion,null-dereference
// Items of a list under one lock: found by their key or made, counted down to nothing.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct item { unsigned key; int refs; struct item *next; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct item *head;
static void *user(void *arg) {
    unsigned key = *(unsigned *)arg;
    for (int i = 0; i < 20; i++) {
        key += i;
        pthread_mutex_lock(&m);
        struct item *p = head;
        while (p && p->key != key) p = p->next;
        if (p) {
            assert(p->key == key); // SAFE
            p->refs = 3;
            assert(p->refs == 3); // SAFE
        } else if ((p = malloc(sizeof *p))) {
            p->key = key; p->refs = 0; p->next = head; head = p;
        }
        if (p) {
            assert(p->key == key); // SAFE
            assert(p->refs == 0); // UNSAFE!
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    unsigned k[2] = { 1, 2 };
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, user, &k[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
