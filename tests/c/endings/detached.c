// A detached thread cannot be waited for: joining it is refused and says nothing of its end.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int result, sum;

void *slow(void *unused) {
    result = 5;
    return 0;
}

void *known(void *unused) {
    sum = 3;
    return (void *)7;
}

int main(void) {
    pthread_t loose, held;
    void *found = 0;
    if (pthread_create(&loose, 0, slow, 0)) exit(1);
    if (pthread_create(&held, 0, known, 0)) exit(1);
    pthread_detach(loose);
    int refused = pthread_join(loose, 0);
    __goblint_check(refused == 0); // UNSAFE! (undefined: a detached thread is joined)
    __goblint_check(result == 5); // UNSAFE! (undefined: a detached thread is joined)
    pthread_join(held, &found);
    assert(sum == 3); // SAFE (needs refinement)
    assert(found == (void *)7); // SAFE (needs refinement)
    return 0;
}
