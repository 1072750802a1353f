// A mutex that is destroyed when all that use it were joined, also those that another thread has joined.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t gate;
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

void *chief(void *unused) {
    pthread_t other;
    pthread_create(&other, 0, editor, 0);
    editor(0);
    pthread_join(other, 0);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_mutex_init(&gate, 0);
    pthread_create(&first, 0, editor, 0);
    pthread_create(&second, 0, chief, 0);
    pthread_mutex_lock(&gate);
    assert(draft == 0); // SAFE
    pthread_mutex_unlock(&gate);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_mutex_destroy(&gate);
    return 0;
}
