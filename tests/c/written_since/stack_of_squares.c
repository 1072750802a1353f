// A stack of cells, of which two members belong together.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef struct cell { struct cell *next; int value, square; } cell;
static struct { cell *top; int size; pthread_mutex_t mutex; } stack = { .mutex = PTHREAD_MUTEX_INITIALIZER };
static void push(int v) {
    cell *c = malloc(sizeof(cell));
    if (c == NULL) abort();
    c->value = v;
    c->square = v + v;
    pthread_mutex_lock(&stack.mutex);
    c->next = stack.top;
    stack.top = c;
    stack.size++;
    pthread_mutex_unlock(&stack.mutex);
}
static int pop(int *out) {
    pthread_mutex_lock(&stack.mutex);
    cell *c = stack.top;
    if (!c) {
        assert(stack.size == 0); // SAFE
        pthread_mutex_unlock(&stack.mutex);
        return 0;
    }
    assert(stack.size > 0); // SAFE
    stack.top = c->next;
    stack.size--;
    pthread_mutex_unlock(&stack.mutex);
    *out = c->value;
    assert(c->square == 2 * c->value); // SAFE
    free(c);
    return 1;
}
static void *pusher(void *a) { for (int i = 0; i < 20; i++) push(i); return 0; }
static void *popper(void *a) {
    int v, n = 0;
    while (n < 20) if (pop(&v)) {
        assert(v >= 0 && v < 20); // SAFE
        n++; }
    return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(stack.size == 0); // SAFE
    assert(stack.top == 0); // SAFE
    return 0;
}
