// Work items are made and filled in before they are pushed on a list; the consumer owns what it takes off.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    int key, weight;
    struct item *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *head;
static int pushed, popped;

static void *producer(void *u) {
    for (int i = 1; i <= 4; i++) {
        struct item *n = malloc(sizeof *n);
        if (n == NULL)
            break;
        n->key = i;
        n->weight = 10 * i;
        assert(n->weight == 10 * n->key); // SAFE
        pthread_mutex_lock(&lock);
        n->next = head;
        head = n;
        pushed++;
        assert(head != NULL); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return u;
}

static void *consumer(void *u) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        struct item *n = head;
        if (n != NULL) {
            head = n->next;
            popped++;
        }
        assert(popped <= 6); // SAFE
        pthread_mutex_unlock(&lock);
        if (n != NULL) {
            assert(n->key >= 1 && n->key <= 4); // SAFE
            assert(n->weight >= 10); // UNKNOWN (that nobody else has what was taken off)
            assert(n->weight == 10 * n->key); // SAFE
            n->weight = 0;
            assert(n->weight == 0); // SAFE
            free(n);
        }
    }
    return u;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    assert(pushed <= 4); // SAFE
    assert(popped <= pushed); // UNKNOWN (how many are in a list)
    for (struct item *n = head; n != NULL; n = n->next)
        assert(n->key >= 1 && n->weight <= 40); // SAFE
    assert(head == NULL); // UNSAFE!
    return 0;
}
