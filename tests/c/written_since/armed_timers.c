// Timers in a table, and how many are armed.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <stdbool.h>
#define MAX 12
struct timer { int deadline; bool armed; int fired; };
static struct timer timers[MAX];
static int now, n_armed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool arm(int i, int delay) {
    if (i < 0 || i >= MAX || delay <= 0 || delay > 100) return false;
    pthread_mutex_lock(&m);
    bool was = timers[i].armed;
    timers[i].deadline = now + delay;
    timers[i].armed = true;
    if (!was) n_armed++;
    assert(timers[i].deadline > now); // SAFE
    assert(n_armed >= 1); // UNKNOWN (how many elements have a flag)
    assert(n_armed <= MAX); // SAFE
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return true;
}
static void *ticker(void *u) {
    for (int t = 0; t < 40; t++) {
        pthread_mutex_lock(&m);
        now++;
        for (int i = 0; i < MAX; i++)
            if (timers[i].armed && timers[i].deadline <= now) {
                timers[i].armed = false;
                timers[i].fired++;
                assert(n_armed > 0); // UNKNOWN (how many elements have a flag)
                n_armed--;
            }
        assert(now >= 1 && now <= 40); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}
static void *client(void *u) { for (int i = 0; i < MAX; i++)
        assert(arm(i, i + 1)); // SAFE
        return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, ticker, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(now == 40); // SAFE
    return 0;
}
