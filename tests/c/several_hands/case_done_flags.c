// ARGS: --properties assertion
// Two adders announce with flags that they are done; who sees both flags knows the sum.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int sum, done1, done2;
pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

void *one(void *u) {
    pthread_mutex_lock(&l);
    sum += 5;
    done1 = 1;
    pthread_mutex_unlock(&l);
    return NULL;
}
void *two(void *u) {
    pthread_mutex_lock(&l);
    sum += 7;
    done2 = 1;
    pthread_mutex_unlock(&l);
    return NULL;
}
void *watch(void *u) {
    pthread_mutex_lock(&l);
    if (done1 && done2)
        assert(sum == 12); // SAFE
    else if (done1)
        assert(sum == 5); // SAFE
    else if (done2)
        assert(sum == 7); // SAFE
    else
        assert(sum == 0); // SAFE
    assert(sum != 12); // UNSAFE!
    pthread_mutex_unlock(&l);
    return NULL;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_create(&c, NULL, watch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(sum == 12); // SAFE
    return 0;
}
