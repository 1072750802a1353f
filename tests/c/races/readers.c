// ARGS: --properties data-race
// Any number of readers keep writers out, who keep each other out; readers do not keep readers out.
#include <pthread.h>

pthread_rwlock_t gate;
int table; // SAFE
int hits;
int late;

void *reader(void *unused) {
    pthread_rwlock_rdlock(&gate);
    int seen = table;
    hits = hits + 1; // UNSAFE!
    pthread_rwlock_unlock(&gate);
    seen = late; // UNSAFE!
    return 0;
}

void *writer(void *unused) {
    pthread_rwlock_wrlock(&gate);
    table = table + 1;
    late = 1; // UNSAFE!
    pthread_rwlock_unlock(&gate);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_init(&gate, 0);
    for (int i = 0; i < 4; i++) {
        pthread_create(&thread, 0, reader, 0);
        pthread_create(&thread, 0, reader, 0); // no writer between them orders these two
        pthread_create(&thread, 0, writer, 0);
    }
    return 0;
}
