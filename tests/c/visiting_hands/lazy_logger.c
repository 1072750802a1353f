// ARGS: --properties assertion,array-bounds
// A logger that who comes first makes; its lines are numbered, its buffer is written in turn.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define LINES 8

struct logger {
    int level;
    int next;
    unsigned written;
    int line[LINES];
};

static struct logger *instance;
static int made, users;
static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static struct logger *get_logger(void) {
    pthread_mutex_lock(&make_lock);
    if (instance == NULL) {
        struct logger *l = malloc(sizeof *l);
        if (l == NULL)
            abort();
        l->level = 2;
        l->next = 0;
        l->written = 0;
        for (int i = 0; i < LINES; i++)
            l->line[i] = 0; // SAFE
        assert(made == 0); // SAFE
        made++;
        instance = l;
    }
    users++;
    assert(made == 1); // SAFE
    assert(users >= made); // SAFE
    pthread_mutex_unlock(&make_lock);
    return instance;
}

static void log_line(struct logger *l, int level, int text) {
    if (level > l->level)
        return;
    assert(l->level == 2); // SAFE
    pthread_mutex_lock(&log_lock);
    l->line[l->next] = text; // SAFE
    l->next = (l->next + 1) % LINES;
    l->written++;
    assert(l->next >= 0 && l->next < LINES); // SAFE
    assert(l->written > 0); // UNKNOWN (a count in an object that who comes first makes)
    pthread_mutex_unlock(&log_lock);
}

static void *worker(void *arg) {
    for (int i = 0; i < 4; i++) {
        struct logger *l = get_logger();
        assert(l != NULL); // SAFE
        log_line(l, i, 100 + i);
    }
    return arg;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(made == 1); // SAFE
    assert(users == 12); // SAFE
    assert(instance->written == 9); // UNKNOWN (a count in an object that who comes first makes)
    for (int i = 0; i < LINES; i++)
        assert(instance->line[i] == 0 || (instance->line[i] >= 100 && instance->line[i] < 103)); // UNKNOWN (what elements of a new object are)
    assert(instance->next == 2); // UNSAFE!
    return 0;
}
