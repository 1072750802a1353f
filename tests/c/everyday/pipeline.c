// Three stages, each with a slot in front of it that is empty (0) or has a number.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int raw, cooked, served;

static void *prepare(void *unused) {
    for (int i = 1; i <= 5; i++) {
        pthread_mutex_lock(&lock);
        while (raw != 0)
            pthread_cond_wait(&changed, &lock);
        raw = i;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *cook(void *unused) {
    for (int i = 1; i <= 5; i++) {
        pthread_mutex_lock(&lock);
        while (raw == 0 || cooked != 0)
            pthread_cond_wait(&changed, &lock);
        assert(raw >= 1 && raw <= 5); // SAFE
        assert(cooked == 0); // SAFE
        cooked = 10 * raw;
        raw = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *serve(void *unused) {
    for (int i = 1; i <= 5; i++) {
        pthread_mutex_lock(&lock);
        while (cooked == 0)
            pthread_cond_wait(&changed, &lock);
        assert(cooked >= 10 && cooked <= 50); // SAFE
        assert(cooked % 10 == 0); // SAFE
        __goblint_check(raw == 0); // UNSAFE!
        cooked = 0;
        served++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, prepare, 0);
    pthread_create(&b, 0, cook, 0);
    pthread_create(&c, 0, serve, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(served == 5); // SAFE
    assert(raw == 0 && cooked == 0); // UNKNOWN (what is left at the end of loops that wait)
    return 0;
}
