// ARGS: --properties assertion,array-bounds
// Each thread finds the maximum of its part of an array, and puts it at its place; behind a barrier each reads those of
// all others. A second barrier lies between that and the next round, in which the maxima are written again.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
#define PART 2
#define ROUNDS 2

static int data[THREADS * PART] = {4, 1, 7, 3, 2, 6};
static int maximum[THREADS];
static int rounds_of[THREADS];
static pthread_barrier_t written, read_by_all;

static void *find(void *arg) {
    int me = (int)(long)arg;
    assert(me >= 0 && me < THREADS); // SAFE
    for (int round = 1; round <= ROUNDS; round++) {
        int best = 0;
        for (int i = me * PART; i < (me + 1) * PART; i++)
            if (data[i] > best) // SAFE
                best = data[i]; // SAFE
        assert(best >= 0 && best <= 7); // SAFE
        maximum[me] = best + round; // SAFE
        rounds_of[me] = round; // SAFE
        pthread_barrier_wait(&written);
        int of_all = 0;
        for (int t = 0; t < THREADS; t++) {
            assert(rounds_of[t] == round); // UNKNOWN (what others have written before a barrier)
            assert(maximum[t] >= round); // SAFE
            if (maximum[t] > of_all) // SAFE
                of_all = maximum[t]; // SAFE
        }
        assert(of_all >= maximum[me]); // SAFE
        assert(of_all <= 7 + ROUNDS); // SAFE
        pthread_barrier_wait(&read_by_all);
    }
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    pthread_barrier_init(&written, NULL, THREADS);
    pthread_barrier_init(&read_by_all, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, find, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(rounds_of[i] == ROUNDS); // SAFE
    int first = maximum[0]; // SAFE
    assert(first >= ROUNDS); // SAFE
    assert(first > ROUNDS + 4); // UNSAFE!
    return 0;
}
