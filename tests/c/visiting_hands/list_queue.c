// ARGS: --properties assertion
// A queue as a linked list with its length beside it; what is put is taken once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define ITEMS 10

struct node {
    int value;
    struct node *next;
};

static struct node *first, *last;
static int length, puts, takes;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nonempty = PTHREAD_COND_INITIALIZER;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        exit(1);
    n->value = value;
    n->next = NULL;
    pthread_mutex_lock(&m);
    if (last == NULL) {
        assert(length == 0); // SAFE
        first = n;
    } else {
        last->next = n;
    }
    last = n;
    length++;
    puts++;
    assert(length == puts - takes); // SAFE
    pthread_cond_signal(&nonempty);
    pthread_mutex_unlock(&m);
}

static int pop(void) {
    pthread_mutex_lock(&m);
    while (length == 0)
        pthread_cond_wait(&nonempty, &m);
    assert(first != NULL); // SAFE
    struct node *n = first;
    first = n->next;
    if (first == NULL) {
        last = NULL;
        assert(length == 1); // SAFE
    }
    length--;
    takes++;
    assert(length >= 0); // SAFE
    pthread_mutex_unlock(&m);
    int value = n->value;
    free(n);
    return value;
}

static void *putter(void *arg) {
    for (int i = 1; i <= ITEMS; i++)
        push(i);
    return arg;
}

static void *taker(void *arg) {
    int sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        int v = pop();
        assert(v >= 1 && v <= ITEMS); // SAFE
        sum += v;
    }
    assert(sum >= ITEMS); // SAFE
    assert(sum <= ITEMS * ITEMS); // SAFE
    return arg;
}

int main(void) {
    pthread_t p, t;
    pthread_create(&p, 0, putter, 0);
    pthread_create(&t, 0, taker, 0);
    pthread_join(p, 0);
    pthread_join(t, 0);
    assert(length == 0); // SAFE
    assert(puts == takes); // SAFE
    assert(puts == ITEMS); // SAFE
    assert(takes == ITEMS - 1); // UNSAFE!
    return 0;
}
