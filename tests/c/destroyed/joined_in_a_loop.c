// Any number of threads, all of which are joined before their mutex is destroyed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
int draft, seen;

void *editor(void *unused) {
    pthread_mutex_lock(&gate);
    draft = 1;
    assert(draft == 1); // SAFE
    draft = 0;
    pthread_mutex_unlock(&gate);
    seen = 1;
    assert(seen == 1); // UNSAFE!
    seen = 0;
    return 0;
}

int main(void) {
    pthread_t threads[20];
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 20)
        return 0;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], 0, editor, 0);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    pthread_mutex_destroy(&gate);
    return 0;
}
