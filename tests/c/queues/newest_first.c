// A stack of numbers and a ring of them, each under the lock; nobody finds what the arrays began with.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define DEPTH 20
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[DEPTH], ring[DEPTH], table[DEPTH];
static int height, in, out, used;

static void push(int number) {
    pthread_mutex_lock(&lock);
    if (height < DEPTH)
        stack[height++] = number;
    int next = (in + 1) % DEPTH;
    if (next != out) {
        ring[in] = number;
        in = next;
    }
    if (used < DEPTH - 1) {
        used++;
        table[used] = number; // the first one is left out
    }
    pthread_mutex_unlock(&lock);
}

static void pop(void) {
    pthread_mutex_lock(&lock);
    if (height > 0) {
        int newest = stack[--height];
        assert(newest >= 5); // SAFE
    }
    if (in != out) {
        int oldest = ring[out];
        assert(oldest >= 5); // UNKNOWN (relations of a ring beside two other arrays, by auto; --domain octagon proves it)
        if (++out == DEPTH)
            out = 0;
    }
    if (used > 0) {
        int any = table[rand() % used];
        __goblint_check(any >= 5); // UNSAFE!
    }
    pthread_mutex_unlock(&lock);
}

static void *pusher(void *unused) {
    for (int i = 0; i < 30; i++)
        push(5 + rand() % 2);
    return 0;
}

static void *popper(void *unused) {
    for (int i = 0; i < 30; i++)
        pop();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, pusher, 0);
    pthread_create(&thread, 0, pusher, 0);
    pthread_create(&thread, 0, popper, 0);
    return 0;
}
