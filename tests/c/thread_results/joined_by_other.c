// Main hands the id of one worker to the next, which joins it: behind the last join all have ended.
#include <assert.h>
#include <pthread.h>

static int log_lines;
static pthread_t writer_id;

static void *writer(void *unused) {
    log_lines = 1;
    log_lines = 2;
    return 0;
}

static void *archiver(void *unused) {
    pthread_join(writer_id, 0);
    assert(log_lines == 2); // SAFE
    log_lines = 0;
    return 0;
}

int main(void) {
    pthread_t archive;
    if (pthread_create(&writer_id, 0, writer, 0))
        return 1;
    if (pthread_create(&archive, 0, archiver, 0))
        return 1;
    __goblint_check(log_lines != 1); // UNSAFE!
    pthread_join(archive, 0);
    assert(log_lines == 0); // SAFE
    return 0;
}
