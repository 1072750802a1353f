// Flow control by credits: a sender may have so many messages on the way, the receiver gives credits back.
#include <assert.h>
#include <pthread.h>

#define CREDITS 2
#define MESSAGES 4
static pthread_mutex_t link = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int credits = CREDITS, on_the_way, received;

static void *sender(void *unused) {
    for (int i = 0; i < MESSAGES; i++) {
        pthread_mutex_lock(&link);
        while (credits == 0)
            pthread_cond_wait(&change, &link);
        credits--;
        on_the_way++;
        assert(credits >= 0); // SAFE
        assert(on_the_way <= CREDITS); // SAFE
        assert(credits + on_the_way == CREDITS); // SAFE
        pthread_cond_broadcast(&change);
        pthread_mutex_unlock(&link);
    }
    return 0;
}

static void *receiver(void *unused) {
    while (1) {
        pthread_mutex_lock(&link);
        while (on_the_way == 0)
            pthread_cond_wait(&change, &link);
        on_the_way--;
        credits++;
        received++;
        int so_far = received;
        assert(so_far >= 1); // SAFE
        assert(so_far <= MESSAGES); // SAFE
        assert(credits <= CREDITS); // SAFE
        pthread_cond_broadcast(&change);
        pthread_mutex_unlock(&link);
        __goblint_check(on_the_way == 0); // UNSAFE!
        if (so_far == MESSAGES)
            break;
    }
    return 0;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_mutex_lock(&link);
    assert(received + on_the_way == MESSAGES); // SAFE
    __goblint_check(received == MESSAGES); // UNSAFE!
    pthread_mutex_unlock(&link);
    pthread_join(r, 0);
    assert(received == MESSAGES); // SAFE
    assert(credits == CREDITS); // SAFE
    assert(on_the_way == 0); // SAFE
    return 0;
}
