// ARGS: --properties assertion,null-dereference
// The queue is on the stack of main and handed to the threads.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node { int id; struct node *next; };
struct queue { pthread_mutex_t m; pthread_cond_t c; struct node *first, *last; int len, closed; };
static void *prod(void *arg) {
    struct queue *q = arg;
    for (int i = 1; i <= 10; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) break;
        n->id = i; n->next = 0; // SAFE
        pthread_mutex_lock(&q->m);
        if (q->last != 0) q->last->next = n; else q->first = n; // SAFE
        q->last = n;
        q->len++;
        pthread_cond_signal(&q->c);
        pthread_mutex_unlock(&q->m);
    }
    pthread_mutex_lock(&q->m); q->closed = 1; pthread_cond_broadcast(&q->c); pthread_mutex_unlock(&q->m);
    return 0;
}
static void *cons(void *arg) {
    struct queue *q = arg;
    for (;;) {
        pthread_mutex_lock(&q->m);
        while (q->first == 0 && !q->closed) pthread_cond_wait(&q->c, &q->m);
        struct node *n = q->first;
        if (n == 0) { assert(q->closed); pthread_mutex_unlock(&q->m); break; } // SAFE
        q->first = n->next; // SAFE
        if (q->first == 0) q->last = 0;
        q->len--;
        pthread_mutex_unlock(&q->m);
        assert(n->id >= 1 && n->id <= 10); // SAFE
        free(n);
    }
    return 0;
}
int main(void) {
    struct queue q = { .first = 0, .last = 0 };
    pthread_t a, b;
    pthread_mutex_init(&q.m, 0); pthread_cond_init(&q.c, 0);
    q.len = q.closed = 0;
    pthread_create(&a, 0, prod, &q); pthread_create(&b, 0, cons, &q);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(q.closed == 1); // SAFE
    assert(q.first == 0); // UNKNOWN (what is left when all have ended)
    return 0;
}
