// Three stages that hand items on through slots: one reads, one filters out the odd ones, one adds up.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define ITEMS 4
#define END (-1)
struct slot {
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool is_full;
    int item;
    int puts, gets;
};
static struct slot first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct slot second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int dropped, sum, results;

static void put(struct slot *s, int item) {
    pthread_mutex_lock(&s->lock);
    while (s->is_full)
        pthread_cond_wait(&s->change, &s->lock);
    s->item = item;
    s->is_full = true;
    s->puts++;
    assert(s->puts == s->gets + 1); // SAFE
    pthread_cond_signal(&s->change);
    pthread_mutex_unlock(&s->lock);
}

static int get(struct slot *s) {
    pthread_mutex_lock(&s->lock);
    while (!s->is_full)
        pthread_cond_wait(&s->change, &s->lock);
    int item = s->item;
    s->is_full = false;
    s->gets++;
    assert(s->gets == s->puts); // SAFE
    pthread_cond_signal(&s->change);
    pthread_mutex_unlock(&s->lock);
    return item;
}

static void *reader(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        put(&first, i);
    put(&first, END);
    return 0;
}

static void *filter(void *unused) {
    while (1) {
        int item = get(&first);
        assert(item >= END && item < ITEMS); // SAFE
        if (item == END)
            break;
        if (item % 2 == 0)
            put(&second, item * 10);
        else
            dropped++;
    }
    assert(dropped <= ITEMS); // UNKNOWN (what is counted along the way of what is given on)
    put(&second, END);
    return 0;
}

static void *adder(void *unused) {
    int item;
    while ((item = get(&second)) != END) {
        assert(item >= 0 && item <= 30); // SAFE
        assert(item % 10 == 0); // SAFE
        assert(item % 20 == 0); // SAFE
        __goblint_check(item != 20); // UNSAFE!
        sum += item;
        results++;
    }
    return 0;
}

int main(void) {
    pthread_t r, f, a;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&f, 0, filter, 0);
    pthread_create(&a, 0, adder, 0);
    pthread_mutex_lock(&first.lock);
    assert(first.puts - first.gets == first.is_full); // SAFE
    __goblint_check(first.puts == 0); // UNSAFE!
    pthread_mutex_unlock(&first.lock);
    pthread_join(r, 0);
    pthread_join(f, 0);
    pthread_join(a, 0);
    assert(!first.is_full && !second.is_full); // SAFE
    assert(first.puts == ITEMS + 1); // SAFE
    assert(dropped + results == ITEMS); // UNKNOWN (what is left when all have ended)
    assert(sum % 20 == 0); // UNKNOWN (what is left when all have ended)
    return 0;
}
