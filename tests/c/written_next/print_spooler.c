// ARGS: --properties assertion,array-bounds,null-dereference
// Clients hand documents to a spooler with two printers; each document is waiting, at a printer, or done.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define CLIENTS 2
#define PRINTERS 2
#define EACH 3
#define MOST 4
struct spooler {
    pthread_mutex_t lock;
    pthread_cond_t has_work, has_room;
    int waiting, printing, printed, accepted;
    int is_closed;
};
static struct spooler spooler = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .has_work = PTHREAD_COND_INITIALIZER, .has_room = PTHREAD_COND_INITIALIZER};

static void submit(struct spooler *s, int pages) {
    assert(pages >= 1); // SAFE
    pthread_mutex_lock(&s->lock);
    while (s->waiting == MOST)
        pthread_cond_wait(&s->has_room, &s->lock);
    assert(s->waiting < MOST); // SAFE
    s->waiting++;
    s->accepted++;
    assert(s->accepted == s->waiting + s->printing + s->printed); // SAFE
    pthread_cond_signal(&s->has_work);
    pthread_mutex_unlock(&s->lock);
}

static void *client(void *argument) {
    int *pages = argument;
    for (int i = 0; i < EACH; i++)
        submit(&spooler, pages[i]); // SAFE
    return argument;
}

static void *printer(void *argument) {
    struct spooler *s = argument;
    int mine = 0;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (s->waiting == 0 && !s->is_closed)
            pthread_cond_wait(&s->has_work, &s->lock);
        if (s->waiting == 0)
            break;
        s->waiting--;
        s->printing++;
        assert(s->waiting >= 0); // SAFE
        assert(s->printing <= PRINTERS); // SAFE
        pthread_cond_signal(&s->has_room);
        pthread_mutex_unlock(&s->lock);
        mine++; // it prints here
        pthread_mutex_lock(&s->lock);
        assert(s->printing >= 1); // SAFE
        s->printing--;
        s->printed++;
        assert(s->printed >= mine); // SAFE
        assert(s->printed <= s->accepted); // SAFE
        __goblint_check(s->printed == mine); // UNSAFE!
    }
    assert(s->is_closed); // SAFE
    assert(s->waiting == 0); // SAFE
    __goblint_check(s->printing == 0); // UNSAFE!
    pthread_mutex_unlock(&s->lock);
    return 0;
}

int main(void) {
    static int pages[EACH] = {1, 5, 2};
    pthread_t c[CLIENTS], p[PRINTERS];
    for (int i = 0; i < PRINTERS; i++)
        pthread_create(&p[i], 0, printer, &spooler); // SAFE
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&c[i], 0, client, pages); // SAFE
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(c[i], 0); // SAFE
    pthread_mutex_lock(&spooler.lock);
    assert(spooler.accepted == CLIENTS * EACH); // SAFE
    assert(!spooler.is_closed); // SAFE
    spooler.is_closed = 1;
    pthread_cond_broadcast(&spooler.has_work);
    pthread_mutex_unlock(&spooler.lock);
    for (int i = 0; i < PRINTERS; i++)
        pthread_join(p[i], 0); // SAFE
    assert(spooler.printing == 0); // SAFE
    assert(spooler.waiting == 0); // UNKNOWN (what is left when all have taken)
    assert(spooler.printed == CLIENTS * EACH); // SAFE
    return 0;
}
