// ARGS: --properties assertion,array-bounds,data-race
// Connections by number: a semaphore counts the free ones, a stack has their numbers.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SIZE 3

static sem_t available;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE];
static int depth; // SAFE
static int in_use; // SAFE
static int queries; // SAFE

static int acquire(void) {
    sem_wait(&available);
    pthread_mutex_lock(&m);
    assert(depth >= 1); // SAFE
    depth--;
    int c = stack[depth]; // SAFE
    in_use++;
    assert(in_use <= SIZE); // SAFE
    assert(in_use + depth == SIZE); // SAFE
    pthread_mutex_unlock(&m);
    assert(c >= 0 && c < SIZE); // SAFE
    return c;
}

static void release(int c) {
    pthread_mutex_lock(&m);
    assert(depth < SIZE); // SAFE
    stack[depth] = c; // SAFE
    depth++;
    in_use--;
    assert(in_use >= 0); // SAFE
    pthread_mutex_unlock(&m);
    sem_post(&available);
}

static void *session(void *unused) {
    for (int i = 0; i < 2; i++) {
        int c = acquire();
        pthread_mutex_lock(&m);
        queries++;
        assert(in_use >= 1); // SAFE
        pthread_mutex_unlock(&m);
        release(c);
    }
    return unused;
}

int main(void) {
    pthread_t t[5];
    sem_init(&available, 0, SIZE);
    for (int i = 0; i < SIZE; i++)
        stack[depth++] = i; // SAFE
    assert(depth == SIZE); // SAFE
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], 0, session, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    assert(queries == 10); // SAFE
    assert(in_use == 0); // SAFE
    assert(depth == SIZE); // SAFE
    assert(stack[0] >= 0 && stack[0] < SIZE); // SAFE
    int second = stack[1]; // SAFE
    assert(second == 1); // UNSAFE!
    return 0;
}
