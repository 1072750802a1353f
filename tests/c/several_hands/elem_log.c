// ARGS: --properties assertion,array-bounds,data-race,null-dereference
// A log with sequence numbers: messages have levels, the last ones are kept in a circle.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define KEEP 128
enum level { DEBUG, INFO, WARN, ERROR };

struct record {
    unsigned long seq;
    enum level level;
    const char *text;
};

static struct {
    pthread_mutex_t lock;
    struct record rec[KEEP];
    unsigned next;
    unsigned long seq;
    unsigned long per_level[4];
    enum level threshold;
} logbook = {.lock = PTHREAD_MUTEX_INITIALIZER, .threshold = INFO};

static int log_message(enum level level, const char *text) {
    int kept = 0;
    pthread_mutex_lock(&logbook.lock);
    if (level >= logbook.threshold) {
        struct record *r = &logbook.rec[logbook.next]; // SAFE
        r->seq = logbook.seq++;
        r->level = level;
        r->text = text;
        logbook.next = (logbook.next + 1) % KEEP;
        logbook.per_level[level]++; // SAFE
        assert(r->seq < logbook.seq); // UNKNOWN (members of elements that wrap)
        assert(logbook.next < KEEP); // SAFE
        kept = 1;
    }
    pthread_mutex_unlock(&logbook.lock);
    return kept;
}

static void log_dump(void) {
    pthread_mutex_lock(&logbook.lock);
    for (unsigned i = 0; i < KEEP; i++)
        if (logbook.rec[i].text != NULL) { // SAFE
            assert(logbook.rec[i].level >= INFO); // UNKNOWN (what the elements of an array are by their members)
            assert(logbook.rec[i].seq < logbook.seq); // UNKNOWN (what the elements of an array are by their members)
        }
    pthread_mutex_unlock(&logbook.lock);
}

static void *chatter(void *arg) {
    const char *name = arg;
    for (int i = 0; i < 100; i++) {
        int kept = log_message(i % 2 ? INFO : WARN, name);
        assert(kept); // SAFE
        kept = log_message(DEBUG, "noise");
        assert(!kept); // SAFE
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, chatter, "a");
    pthread_create(&b, NULL, chatter, "b");
    log_dump();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(logbook.per_level[DEBUG] == 0); // SAFE
    assert(logbook.seq == 200); // SAFE
    assert(logbook.per_level[INFO] + logbook.per_level[WARN] == 200); // SAFE
    return 0;
}
