// A mutex that is destroyed while another thread still uses it keeps nobody out any more.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
int draft;

void *editor(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&gate);
        draft = 1;
        assert(draft == 1); // UNSAFE! (undefined: a destroyed mutex is used)
        draft = 0;
        pthread_mutex_unlock(&gate);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, editor, 0);
    pthread_create(&second, 0, editor, 0);
    pthread_mutex_destroy(&gate);
    return 0;
}
