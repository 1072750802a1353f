// ARGS: --properties assertion,array-bounds
// Numbers are written into a thread-local buffer, then appended to a shared log under a lock.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define SCRATCH 12
#define LOG 128

static _Thread_local char scratch[SCRATCH];
static _Thread_local int used;
static char log_text[LOG];
static int log_used, log_lines;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void format(unsigned number) {
    char digits[10];
    int n = 0;
    do {
        digits[n++] = (char)('0' + number % 10); // UNKNOWN (how many digits a number has)
        number /= 10;
    } while (number > 0);
    assert(n >= 1 && n <= 10); // SAFE
    used = 0;
    while (n > 0)
        scratch[used++] = digits[--n]; // SAFE
    scratch[used++] = '\n'; // SAFE
    assert(used <= SCRATCH - 1); // SAFE
}

static int append(void) {
    int ok = 0;
    pthread_mutex_lock(&lock);
    if (log_used + used <= LOG) {
        for (int i = 0; i < used; i++)
            log_text[log_used + i] = scratch[i]; // UNKNOWN (what another thread has written behind what is there)
        log_used += used;
        log_lines++;
        ok = 1;
    }
    assert(log_used <= LOG); // SAFE
    assert(log_lines <= log_used); // SAFE
    pthread_mutex_unlock(&lock);
    return ok;
}

static void *logger(void *arg) {
    unsigned value = (unsigned)(long)arg;
    int written = 0;
    for (int i = 0; i < 8; i++) {
        format(value);
        assert(used >= 2); // SAFE
        written += append();
        value = value * 7 + 1;
    }
    assert(written >= 0 && written <= 8); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, logger, (void *)(i * 1000));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(used == 0); // SAFE
    assert(log_lines <= 24); // SAFE
    assert(log_used <= LOG); // SAFE
    assert(log_lines == 0); // UNSAFE!
    return 0;
}
