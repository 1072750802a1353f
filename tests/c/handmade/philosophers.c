// Five philosophers; forks are mutexes taken in ascending order. The fifth one counts meals without a lock.
#include <pthread.h>
#include <assert.h>

#define SEATS 5
static pthread_mutex_t f0, f1, f2, f3, f4;
static int used_0, used_4, meals;

static void *philosopher_0(void *unused) {
    pthread_mutex_lock(&f0);
    pthread_mutex_lock(&f1);
    used_0 = 1;
    assert(used_0 == 1); // SAFE
    used_0 = 0;
    pthread_mutex_unlock(&f1);
    pthread_mutex_unlock(&f0);
    return 0;
}

static void *philosopher_3(void *unused) {
    pthread_mutex_lock(&f3);
    pthread_mutex_lock(&f4);
    used_4 = 3;
    assert(used_4 == 3); // SAFE
    pthread_mutex_unlock(&f4);
    pthread_mutex_unlock(&f3);
    meals = meals + 1;
    return 0;
}

static void *philosopher_4(void *unused) {
    pthread_mutex_lock(&f0);
    pthread_mutex_lock(&f4);
    used_0 = 4;
    used_4 = 4;
    assert(used_0 == 4 && used_4 == 4); // SAFE
    used_0 = 0;
    pthread_mutex_unlock(&f4);
    pthread_mutex_unlock(&f0);
    meals = meals + 1;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, philosopher_0, 0);
    pthread_create(&b, 0, philosopher_3, 0);
    pthread_create(&c, 0, philosopher_4, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(meals >= 1); // SAFE (needs refinement)
    assert(meals == 2); // UNSAFE!
    return 0;
}
