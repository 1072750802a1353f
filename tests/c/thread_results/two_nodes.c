// Two nodes of a list hold two values, also where both are read in one step and one cell stands for all of them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list;
static int added;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 9; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->value = i;
        n->next = list;
        list = n;
        added += 5;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    int first, second;
    pthread_create(&t, 0, fill, 0);
    pthread_join(t, 0);
    struct node *p = list, *q = list->next;
    __VERIFIER_atomic_begin();
    first = p->value;
    second = q->value;
    __VERIFIER_atomic_end();
    assert(added <= 45); // SAFE
    assert(added + first - second <= 45); // UNSAFE!
    return 0;
}
