// As granted_in_all, but what has been granted is looked at before all have ended, and a total is changed later.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, granted;

static void *one(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        first++;
        granted++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *other(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        second++;
        granted++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    int sum = 0, early = 0;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_mutex_lock(&lock);
    early += first;
    early += second;
    assert(early == granted); // SAFE
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sum += first;
    sum += second;
    assert(sum == granted); // SAFE
    if (sum == 4)
        granted++;
    assert(sum + 1 == granted); // SAFE
    assert(early == granted - 1); // UNSAFE!
    return 0;
}
