// Channels with a lock each, of which a sender takes the first one that is free.
#include <assert.h>
#include <pthread.h>

#define CHANNELS 3

static pthread_mutex_t lock[CHANNELS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int sender[CHANNELS], sent[CHANNELS], acknowledged[CHANNELS];

static void *sending(void *arg) {
    int me = 1 + (int)(long)arg;
    for (int message = 0; message < 4; message++) {
        int c = -1;
        for (int i = 0; i < CHANNELS; i++)
            if (pthread_mutex_trylock(&lock[i]) == 0) {
                c = i;
                break;
            }
        if (c < 0)
            continue;
        assert(sender[c] == 0); // SAFE
        sender[c] = me;
        sent[c]++;
        assert(sent[c] == acknowledged[c] + 1); // SAFE
        acknowledged[c]++;
        assert(sender[c] == me); // SAFE
        sender[c] = 0;
        pthread_mutex_unlock(&lock[c]);
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, sending, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < CHANNELS; i++)
        assert(sent[i] == acknowledged[i]); // SAFE
    return 0;
}
