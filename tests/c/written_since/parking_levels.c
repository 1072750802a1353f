// A garage with levels: each has its own lock, its capacity and what is free.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define LEVELS 12

struct level {
    pthread_mutex_t lock;
    int capacity, used, entries;
};
static struct level levels[LEVELS];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int turned_away;

static bool enter(unsigned at) {
    struct level *level = &levels[at % LEVELS];
    bool is_in = false;
    pthread_mutex_lock(&level->lock);
    if (level->used < level->capacity) {
        level->used++;
        level->entries++;
        is_in = true;
    }
    assert(level->used >= 0); // SAFE
    assert(level->used <= level->capacity); // SAFE
    assert(level->used <= level->entries); // SAFE
    pthread_mutex_unlock(&level->lock);
    return is_in;
}

static void leave(unsigned at) {
    struct level *level = &levels[at % LEVELS];
    pthread_mutex_lock(&level->lock);
    assert(level->capacity >= 1); // SAFE
    if (level->used > 0)
        level->used--;
    pthread_mutex_unlock(&level->lock);
}

static void *driver(void *arg) {
    unsigned wanted = *(unsigned *)arg;
    for (int i = 0; i < 2; i++) {
        if (enter(wanted + i)) {
            leave(wanted + i);
        } else {
            pthread_mutex_lock(&gate);
            turned_away++;
            pthread_mutex_unlock(&gate);
        }
    }
    return NULL;
}

int main(void) {
    pthread_t cars[3];
    unsigned wishes[3];
    for (int i = 0; i < LEVELS; i++) {
        pthread_mutex_init(&levels[i].lock, NULL);
        levels[i].capacity = 1 + i % 3;
    }
    for (int i = 0; i < 3; i++) {
        wishes[i] = rand();
        pthread_create(&cars[i], NULL, driver, &wishes[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(cars[i], NULL);
    for (int i = 0; i < LEVELS; i++) {
        assert(levels[i].used >= 0); // SAFE
        assert(levels[i].used <= 3); // SAFE
        pthread_mutex_destroy(&levels[i].lock);
    }
    assert(turned_away >= 0); // SAFE
    return 0;
}
