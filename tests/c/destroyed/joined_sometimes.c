// One of two ways to the end does not join the thread that still uses the mutex.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
int draft;

void *editor(void *unused) {
    pthread_mutex_lock(&gate);
    draft = 1;
    assert(draft == 1); // UNSAFE! (undefined: a destroyed mutex is used)
    draft = 0;
    pthread_mutex_unlock(&gate);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, editor, 0);
    pthread_create(&second, 0, editor, 0);
    pthread_join(first, 0);
    if (__VERIFIER_nondet_bool())
        pthread_join(second, 0);
    pthread_create(&first, 0, editor, 0);
    pthread_mutex_destroy(&gate);
    return 0;
}
