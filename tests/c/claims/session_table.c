// Sessions in a table: one is taken under the lock, by a pointer, and worked with outside of it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define SESSIONS 3

struct session {
    int user;
    int sent, confirmed;
};

static struct session table[SESSIONS];
static int active;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct session *begin(int user) {
    struct session *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SESSIONS && !found; i++)
        if (table[i].user == 0)
            found = &table[i];
    if (found) {
        found->user = user;
        active++;
        assert(active >= 1); // SAFE
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void end(struct session *s) {
    pthread_mutex_lock(&lock);
    s->user = 0;
    active--;
    assert(active >= 0); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *serve(void *arg) {
    int user = 1 + (int)(long)arg;
    for (int i = 0; i < 2; i++) {
        struct session *s = begin(user);
        if (s == NULL)
            continue;
        assert(s->user == user); // SAFE
        s->sent = 5;
        s->confirmed = 0;
        assert(s->sent == 5 && s->confirmed == 0); // SAFE
        s->confirmed = s->sent;
        assert(s->confirmed == 5); // SAFE
        end(s);
    }
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, serve, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(active == 0); // SAFE
    for (int i = 0; i < SESSIONS; i++)
        assert(table[i].user == 0); // SAFE
    return 0;
}
