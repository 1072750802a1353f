// Sessions under one lock: who has one is known as long as it is open.
#include <assert.h>
#include <pthread.h>
#define MAX 12
enum { FREE, OPEN, BUSY };
struct session { pthread_mutex_t lock; int state; int user; int hits; };
static struct session sessions[MAX];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned __VERIFIER_nondet_uint(void);
static void open_one(int i, int user) {
    struct session *s = &sessions[i];
    pthread_mutex_lock(&m);
    if (s->state == FREE) { s->state = OPEN; s->user = user; s->hits = 0; }
    else assert(s->user > 0); // SAFE
    pthread_mutex_unlock(&m);
}
static void use_one(int i) {
    struct session *s = &sessions[i];
    pthread_mutex_lock(&m);
    if (s->state != FREE) {
        assert(s->user >= 1); // SAFE
        __goblint_check(s->hits == 0); // UNSAFE!
        s->hits++; s->state = BUSY; }
    else assert(s->user == 0); // SAFE
    pthread_mutex_unlock(&m);
}
static void close_one(int i) {
    struct session *s = &sessions[i];
    pthread_mutex_lock(&m);
    if (s->state == BUSY) { s->state = FREE; s->user = 0; }
    pthread_mutex_unlock(&m);
}
static void *worker(void *unused) {
    int i = __VERIFIER_nondet_uint() % MAX;
    open_one(i, i + 1);
    use_one(i);
    close_one(i);
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < MAX; i++) pthread_mutex_init(&sessions[i].lock, 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
