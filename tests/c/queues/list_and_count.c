// ARGS: --properties assertion
// A list with its length beside it, both under one lock: it is empty exactly where the length is 0. Of another one some
// nodes are not counted, and of a third one somebody changes a link while the node is in it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
struct loose {
    struct loose *next;
};
struct cut {
    struct cut *next;
};

static struct node *head;
static struct loose *first;
static struct cut *top;
static int count, number, height;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *counted(void *arg) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return arg;
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    count++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (count > 0) {
        n = head;
        assert(n != NULL); // SAFE
        head = n->next;
        count--;
        free(n);
    }
    assert((head == NULL) == (count == 0)); // SAFE
    assert(head == NULL); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *uncounted(void *arg) {
    struct loose *n = malloc(sizeof *n);
    if (!n)
        return arg;
    pthread_mutex_lock(&lock);
    n->next = first;
    first = n;
    if (rand() % 2)
        number++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    n = first;
    if (n && number > 0) {
        first = n->next;
        number--;
    }
    if (number == 0)
        assert(first == NULL); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *cutting(void *arg) {
    struct cut *n = malloc(sizeof *n);
    if (!n)
        return arg;
    pthread_mutex_lock(&lock);
    n->next = top;
    top = n;
    height++;
    pthread_mutex_unlock(&lock);
    n->next = NULL;
    pthread_mutex_lock(&lock);
    n = top;
    if (n) {
        top = n->next;
        height--;
    }
    if (height > 0)
        assert(top != NULL); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, i < 2 ? counted : i < 4 ? uncounted : cutting, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return 0;
}
