// Workers claim ranges of lines of a picture; what one has claimed is below the mark from then on.
#include <assert.h>
#include <pthread.h>

enum { LINES = 480, CHUNK = 16 };

static pthread_mutex_t mark_lock = PTHREAD_MUTEX_INITIALIZER;
static int mark; // the first line that nobody has claimed
static int finished;

static void *render(void *unused) {
    for (;;) {
        int from, to;
        pthread_mutex_lock(&mark_lock);
        from = mark;
        to = from + CHUNK < LINES ? from + CHUNK : LINES;
        mark = to;
        pthread_mutex_unlock(&mark_lock);
        if (from == to)
            break;
        assert(from < to); // SAFE
        assert(to <= LINES); // SAFE
        int drawn = 0;
        for (int y = from; y < to; y++)
            drawn++;
        assert(drawn == to - from); // SAFE
        pthread_mutex_lock(&mark_lock);
        // The mark is only raised, and was at `to` once.
        assert(mark >= to); // SAFE
        assert(mark == to); // UNSAFE!
        finished += drawn;
        // All that is finished was claimed, and claims do not overlap.
        assert(finished <= mark); // SAFE
        pthread_mutex_unlock(&mark_lock);
    }
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, render, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(mark == LINES); // UNKNOWN (a loop that ends at the limit)
    assert(finished == mark); // SAFE
    return 0;
}
