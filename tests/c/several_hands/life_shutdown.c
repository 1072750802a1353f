// ARGS: --properties assertion,data-race,null-dereference
// A server with worker threads, a stop flag and a count of those that are running.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct server {
    pthread_mutex_t mu;
    pthread_cond_t idle;
    bool stopping;
    int running, served;
};

static struct server srv;

static bool begin(struct server *s) {
    bool ok;
    pthread_mutex_lock(&s->mu);
    ok = !s->stopping;
    if (ok) {
        s->running++;
        assert(s->running >= 1); // SAFE
    }
    pthread_mutex_unlock(&s->mu);
    return ok;
}

static void end(struct server *s) {
    pthread_mutex_lock(&s->mu);
    assert(s->running > 0); // SAFE
    s->running--;
    s->served++;
    if (s->stopping && s->running == 0)
        pthread_cond_broadcast(&s->idle);
    pthread_mutex_unlock(&s->mu);
}

static void *worker(void *arg) {
    struct server *s = arg;
    int n = 0;
    while (n < 5 && begin(s)) {
        n++;
        end(s);
    }
    assert(n <= 5); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_mutex_init(&srv.mu, 0);
    pthread_cond_init(&srv.idle, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, &srv);
    pthread_mutex_lock(&srv.mu);
    srv.stopping = true;
    while (srv.running > 0)
        pthread_cond_wait(&srv.idle, &srv.mu);
    assert(srv.running == 0); // SAFE
    int served = srv.served;
    pthread_mutex_unlock(&srv.mu);
    assert(served <= 15); // SAFE
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(srv.served == served); // UNKNOWN (who is still there)
    assert(srv.served <= 15); // SAFE
    assert(srv.running == 0); // SAFE
    assert(srv.served > 0); // UNSAFE!
    return 0;
}
