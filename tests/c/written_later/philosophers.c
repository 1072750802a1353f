// Three philosophers with forks as mutexes, taken in order; how often each fork is up and each one ate.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int holder[3]; // 0 if nobody has the fork
static int meals[3];

static void eat(int who, int left, int right) {
    pthread_mutex_lock(&forks[left]);
    assert(holder[left] == 0); // SAFE
    holder[left] = who;
    pthread_mutex_lock(&forks[right]);
    assert(holder[right] == 0); // SAFE
    holder[right] = who;
    meals[who - 1]++;
    assert(holder[left] == who && holder[right] == who); // SAFE
    holder[right] = 0;
    pthread_mutex_unlock(&forks[right]);
    assert(holder[left] == who); // SAFE
    holder[left] = 0;
    pthread_mutex_unlock(&forks[left]);
}

static void *first(void *unused) {
    for (int i = 0; i < 3; i++)
        eat(1, 0, 1);
    assert(meals[0] == 3); // SAFE
    return 0;
}

static void *second(void *unused) {
    for (int i = 0; i < 2; i++)
        eat(2, 1, 2);
    assert(meals[1] <= 2); // SAFE
    return 0;
}

static void *third(void *unused) {
    eat(3, 0, 2);
    __goblint_check(meals[0] == 0); // UNSAFE!
    __goblint_check(holder[0] == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(meals[0] + meals[1] + meals[2] == 6); // SAFE
    assert(holder[0] == 0 && holder[1] == 0 && holder[2] == 0); // SAFE
    return 0;
}
