// ARGS: --properties assertion,null-dereference
// Timers on a list: expired ones are cut out under the lock.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct timer { int due; void (*fire)(struct timer *); struct timer *next; };
static struct timer *timers; static int now, fired;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void ring(struct timer *t) { assert(t->due >= 1); fired++; } // SAFE
static void add(int due) {
    struct timer *t = malloc(sizeof *t);
    if (!t) return;
    t->due = due; t->fire = ring;
    pthread_mutex_lock(&lock);
    t->next = timers; timers = t;
    pthread_mutex_unlock(&lock);
}
static void *tick(void *a) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&lock);
        now++;
        struct timer **pp = &timers;
        while (*pp) {
            if ((*pp)->due <= now) {
                struct timer *t = *pp;
                *pp = t->next;
                t->fire(t); // SAFE
                free(t);
            } else pp = &(*pp)->next;
        }
        pthread_mutex_unlock(&lock);
    }
    return a;
}
static void *adder(void *a) { for (int i = 1; i <= 5; i++) add(i * 2); return a; }
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, tick, 0); pthread_create(&y, 0, adder, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    assert(now == 10); // SAFE
    assert(fired >= 0); // SAFE
    return 0;
}
