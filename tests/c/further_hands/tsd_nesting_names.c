// Each thread has a small stack of names by key, made when it is first needed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define DEPTH 4

struct stack {
    int top;
    int names[DEPTH];
};

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) {
    pthread_key_create(&key, free);
}

static struct stack *mine(void) {
    pthread_once(&once, make_key);
    struct stack *s = pthread_getspecific(key);
    if (s == NULL) {
        s = calloc(1, sizeof *s);
        if (s == NULL)
            abort();
        pthread_setspecific(key, s);
    }
    return s;
}

static void push(int name) {
    struct stack *s = mine();
    assert(s->top >= 0 && s->top <= DEPTH); // SAFE
    if (s->top < DEPTH)
        s->names[s->top++] = name;
}

static int pop(void) {
    struct stack *s = mine();
    if (s->top == 0)
        return -1;
    s->top--;
    assert(s->top < DEPTH); // SAFE
    return s->names[s->top];
}

static void *worker(void *arg) {
    int base = *(int *)arg;
    push(base + 1);
    push(base + 2);
    assert(mine()->top == 2); // SAFE
    int last = pop();
    assert(last == base + 2); // UNKNOWN (what is in an array before an index)
    last = pop();
    assert(last == base + 1); // UNKNOWN (what is in an array before an index)
    assert(pop() == -1); // SAFE
    return arg;
}

int main(void) {
    pthread_t t[2];
    static int bases[2] = { 10, 20 };
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &bases[i]);
    assert(mine()->top == 0); // SAFE
    push(1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(mine()->top == 1); // SAFE
    assert(pop() == 2); // UNSAFE!
    return 0;
}
