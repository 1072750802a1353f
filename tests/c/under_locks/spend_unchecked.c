// As spend.c, but the budget is looked at in one section and charged in the next.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int budget = 100;

static int is_enough(int wanted) {
    pthread_mutex_lock(&lock);
    int enough = wanted <= budget;
    pthread_mutex_unlock(&lock);
    return enough;
}

static void *department(void *unused) {
    const int wanted = 70;
    if (!is_enough(wanted))
        return 0;
    pthread_mutex_lock(&lock);
    int before = budget;
    budget -= wanted;
    assert(budget == before - wanted); // SAFE
    assert(budget >= 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, department, 0);
    pthread_create(&t, 0, department, 0);
    return 0;
}
