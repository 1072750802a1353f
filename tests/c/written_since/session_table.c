// Sessions in a fixed table, a lock each: opened, used and expired by threads that know a number only.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SESSIONS 32
#define MOST_HITS 100

enum state { FREE, OPEN, EXPIRED };

struct session {
    pthread_mutex_t lock;
    enum state state;
    int hits, user;
};
static struct session sessions[SESSIONS];

static int open_session(int user) {
    for (int i = 0; i < SESSIONS; i++) {
        struct session *s = &sessions[i];
        pthread_mutex_lock(&s->lock);
        if (s->state == FREE) {
            s->state = OPEN;
            s->hits = 0;
            s->user = user;
            pthread_mutex_unlock(&s->lock);
            return i;
        }
        assert(s->user > 0); // UNKNOWN (a member by another one of many elements)
        pthread_mutex_unlock(&s->lock);
    }
    return -1;
}

static int touch(int number) {
    if (number < 0 || number >= SESSIONS)
        return -1;
    struct session *s = &sessions[number];
    int left = -1;
    pthread_mutex_lock(&s->lock);
    if (s->state == OPEN) {
        if (s->hits < MOST_HITS)
            s->hits++;
        else
            s->state = EXPIRED;
        left = MOST_HITS - s->hits;
    }
    assert(s->hits >= 0 && s->hits <= MOST_HITS); // SAFE
    assert(s->state == FREE || s->state == OPEN || s->state == EXPIRED); // SAFE
    pthread_mutex_unlock(&s->lock);
    return left;
}

static void *reaper(void *arg) {
    int closed = 0;
    (void)arg;
    for (int i = 0; i < SESSIONS; i++) {
        pthread_mutex_lock(&sessions[i].lock);
        if (sessions[i].state == EXPIRED) {
            sessions[i].state = FREE;
            sessions[i].user = 0;
            closed++;
        }
        pthread_mutex_unlock(&sessions[i].lock);
    }
    assert(closed <= SESSIONS); // SAFE
    return NULL;
}

static void *client(void *arg) {
    int user = *(int *)arg;
    assert(user > 0); // SAFE
    int number = open_session(user);
    for (int i = 0; i < 3; i++) {
        int left = touch(number);
        assert(left >= -1); // SAFE
        assert(left <= MOST_HITS); // SAFE
    }
    return NULL;
}

int main(void) {
    pthread_t clients[2], sweep;
    int users[2] = {7, 8};
    for (int i = 0; i < SESSIONS; i++)
        pthread_mutex_init(&sessions[i].lock, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&clients[i], NULL, client, &users[i]);
    pthread_create(&sweep, NULL, reaper, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(clients[i], NULL);
    pthread_join(sweep, NULL);
    __goblint_check(sessions[0].state == FREE); // UNSAFE!
    return 0;
}
