// ARGS: --properties assertion,null-dereference
// A stack of nodes behind a lock, with its length; nodes are taken and given back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *top;
static int length, pushed, popped;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void push(struct node *n) {
    pthread_mutex_lock(&m);
    n->next = top; // SAFE
    top = n;
    length++;
    pushed++;
    assert(top != NULL); // SAFE
    assert(length == pushed - popped); // SAFE
    pthread_mutex_unlock(&m);
}

static struct node *pop(void) {
    pthread_mutex_lock(&m);
    struct node *n = top;
    if (n) {
        top = n->next; // SAFE
        length--;
        popped++;
        assert(length >= 0); // SAFE
    }
    assert(popped <= pushed); // SAFE
    pthread_mutex_unlock(&m);
    return n;
}

static void *giver(void *unused) {
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (n) {
            n->value = i + 1;
            push(n);
        }
    }
    return unused;
}

static void *taker(void *unused) {
    int got = 0;
    for (int i = 0; i < 2; i++) {
        struct node *n = pop();
        if (n) {
            assert(n->value >= 1 && n->value <= 3); // SAFE
            got++;
            free(n);
        }
    }
    assert(got <= 2); // SAFE
    return unused;
}

int main(void) {
    pthread_t g[2], t[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&g[i], 0, giver, 0);
        pthread_create(&t[i], 0, taker, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(g[i], 0);
        pthread_join(t[i], 0);
    }
    assert(pushed <= 6); // SAFE
    assert(popped <= 4); // SAFE
    assert(length + popped == pushed); // SAFE
    assert(top == NULL || length > 0); // SAFE
    assert(popped == 4); // UNSAFE!
    return 0;
}
