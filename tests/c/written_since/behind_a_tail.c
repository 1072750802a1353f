// ARGS: --properties assertion,null-dereference
// Linked queue with a tail pointer.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
typedef struct item { int prio; struct item *next; } item;
typedef struct { item *head, *tail; int n; pthread_mutex_t m; pthread_cond_t c; } queue;
static queue q = { NULL, NULL, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };
static void enqueue(queue *p, int prio) {
    item *i = malloc(sizeof(item));
    if (!i) exit(1);
    i->prio = prio; i->next = NULL; // SAFE
    pthread_mutex_lock(&p->m);
    if (p->tail) p->tail->next = i; // SAFE
    else p->head = i;
    p->tail = i;
    p->n++;
    pthread_cond_signal(&p->c);
    pthread_mutex_unlock(&p->m);
}
static int dequeue(queue *p) {
    pthread_mutex_lock(&p->m);
    while (p->head == NULL) pthread_cond_wait(&p->c, &p->m);
    item *i = p->head;
    p->head = i->next; // SAFE
    if (p->head == NULL) p->tail = NULL;
    p->n--;
    pthread_mutex_unlock(&p->m);
    int r = i->prio; // SAFE
    free(i);
    assert(r >= 1 && r <= 3); // SAFE
    return r;
}
static void *prod(void *a) { for (int k = 0; k < 30; k++) enqueue(&q, 1 + k % 3); return a; }
static void *cons(void *a) { int s = 0; for (int k = 0; k < 30; k++) s += dequeue(&q); assert(s >= 30 && s <= 90); return a; } // SAFE
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, prod, 0); pthread_create(&y, 0, cons, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    assert(q.n == 0); // SAFE
    assert(q.head == NULL); // SAFE
    return 0;
}
