// A sorted list, with pointers to where the next one is kept.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *list;
static int length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void insert(int key) {
    struct node *n = malloc(sizeof *n);
    if (!n) return;
    n->key = key;
    pthread_mutex_lock(&lock);
    struct node **pp = &list;
    while (*pp && (*pp)->key < key) pp = &(*pp)->next;
    n->next = *pp;
    *pp = n;
    length++;
    assert(length >= 1); // UNKNOWN (how many are in a list)
    assert(list != 0); // UNKNOWN (what a pointer to a pointer leads to)
    pthread_mutex_unlock(&lock);
}
static void drop(int key) {
    pthread_mutex_lock(&lock);
    struct node **pp = &list;
    while (*pp) {
        assert((*pp)->key >= 1 && (*pp)->key <= 50); // SAFE
        if ((*pp)->key == key) {
            struct node *n = *pp;
            *pp = n->next;
            free(n);
            length--;
            break;
        }
        pp = &(*pp)->next;
    }
    pthread_mutex_unlock(&lock);
}
static void *adder(void *p) { for (int i = 1; i <= 50; i++) insert(i); return 0; }
static void *dropper(void *p) { for (int i = 1; i <= 50; i++) drop(i); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adder, 0);
    pthread_create(&b, 0, dropper, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    for (struct node *n = list; n; n = n->next) assert(n->key >= 1); // SAFE
    return 0;
}
