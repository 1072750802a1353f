// Threads started in a loop up to a constant, each with a handle and a number of its own, are joined in another loop.
#include <pthread.h>
#include <assert.h>

#define N 4
static int result[N], done[N], shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *member(void *argument) {
    int me = (int)(long)argument;
    result[me] = me * me;
    done[me] = 1;
    pthread_mutex_lock(&lock);
    shared = me;
    assert(shared == me); // SAFE
    pthread_mutex_unlock(&lock);
    assert(shared == me); // UNSAFE!
    return argument;
}

int main(void) {
    pthread_t team[N];
    int i;
    for (i = 0; i < N; i++)
        pthread_create(&team[i], 0, member, (void *)(long)i);
    assert(i == N); // SAFE
    assert(done[0] == 0); // UNSAFE!
    for (i = 0; i < N; i++) {
        void *answer;
        pthread_join(team[i], &answer);
        assert((long)answer == i); // SAFE
        assert(done[i] == 1); // SAFE
        assert(done[N - 1] == 1); // UNSAFE!
    }
    for (i = 0; i < N; i++)
        assert(done[i] == 1 && result[i] == i * i); // SAFE
    shared = 9;
    assert(shared == 9); // SAFE
    return 0;
}
