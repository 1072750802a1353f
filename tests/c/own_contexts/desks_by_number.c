// Each clerk has one of the static desks, found by a key; how much all have stamped is counted under a lock.
#include <assert.h>
#include <pthread.h>

#define CLERKS 3

static struct desk {
    int stamped;
    int spoiled;
} desks[CLERKS];

static pthread_key_t my_desk;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void stamp(int is_good) {
    struct desk *d = pthread_getspecific(my_desk);
    if (is_good)
        d->stamped++;
    else
        d->spoiled++;
}

static void *clerk(void *given) {
    struct desk *mine = given;
    assert(pthread_getspecific(my_desk) == NULL); // SAFE
    pthread_setspecific(my_desk, mine);
    stamp(1);
    stamp(0);
    stamp(1);
    assert(mine->stamped == 2); // SAFE
    assert(mine->spoiled == 1); // SAFE
    pthread_mutex_lock(&total_lock);
    total += mine->stamped;
    assert(total >= 2); // SAFE
    __goblint_check(total == 2); // UNSAFE!
    pthread_mutex_unlock(&total_lock);
    return NULL;
}

int main(void) {
    pthread_t t[CLERKS];
    pthread_key_create(&my_desk, NULL);
    for (int i = 0; i < CLERKS; i++)
        pthread_create(&t[i], NULL, clerk, &desks[i]);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(t[i], NULL);
    assert(total == 6); // SAFE
    assert(desks[1].stamped == 2); // SAFE
    return 0;
}
