// ARGS: --properties assertion,null-dereference,data-race
// A work queue as a linked list; its length is counted under the same lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { int job; struct node *next; };
static struct node *head, *tail;
static int length; // SAFE
static int closed; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void submit(int job) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->job = job;
    n->next = NULL;
    pthread_mutex_lock(&m);
    if (tail)
        tail->next = n; // UNKNOWN (how many are in a list)
    else
        head = n;
    tail = n;
    length++;
    assert(head != NULL); // SAFE
    assert(length > 0); // SAFE
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (!head && !closed)
            pthread_cond_wait(&more, &m);
        struct node *n = head;
        if (!n) {
            assert(closed); // SAFE
            pthread_mutex_unlock(&m);
            return 0;
        }
        head = n->next; // SAFE
        if (!head)
            tail = NULL;
        length--;
        assert(length >= 0); // SAFE
        pthread_mutex_unlock(&m);
        assert(n->job >= 0); // SAFE
        assert(n->job < 8); // SAFE
        free(n);
    }
}

int main(void) {
    pthread_t w[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i], 0, worker, 0);
    for (int j = 0; j < 8; j++)
        submit(j);
    pthread_mutex_lock(&m);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], 0);
    assert(length == 0); // SAFE
    assert(head == NULL); // SAFE
    return 0;
}
