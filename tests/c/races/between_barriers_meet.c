// ARGS: --properties data-race
// As between_barriers.c, but threads that wait as often are in other phases, or one phase reads and writes.
#include <pthread.h>
#include <unistd.h>

static int once, three_two, shifted, behind, same, ahead, late;
static pthread_barrier_t b[7];


static void *writer(void *unused) {
    for (int round = 0; round < 12; round++) {
        usleep(20);
        once = round; // UNSAFE!
        pthread_barrier_wait(&b[0]);
    }
    for (int round = 0; round < 4; round++) {
        usleep(20);
        three_two = round; // UNSAFE!
        pthread_barrier_wait(&b[1]);
        pthread_barrier_wait(&b[1]);
        pthread_barrier_wait(&b[1]);
    }
    pthread_barrier_wait(&b[2]);
    for (int round = 0; round < 5; round++) {
        usleep(20);
        shifted = round; // UNSAFE!
        pthread_barrier_wait(&b[2]);
        pthread_barrier_wait(&b[2]);
    }
    for (int round = 0; round < 5; round++) {
        behind = round;
        pthread_barrier_wait(&b[3]);
        pthread_barrier_wait(&b[3]);
    }
    usleep(20);
    behind = 5; // UNSAFE!
    for (int round = 0; round < 5; round++) {
        pthread_barrier_wait(&b[4]);
        usleep(20);
        same = round; // UNSAFE!
        pthread_barrier_wait(&b[4]);
    }
    for (int round = 0; round < 6; round++) {
        usleep(20);
        ahead = round; // UNSAFE!
        pthread_barrier_wait(&b[5]);
        if (round % 2)
            pthread_barrier_wait(&b[5]);
    }
    for (int round = 0; round < 5; round++) {
        pthread_barrier_wait(&b[6]);
        pthread_barrier_wait(&b[6]);
        usleep(20);
        late = round; // UNSAFE!
    }
    return 0;
}

static void *reader(void *unused) {
    int seen = 0;
    for (int round = 0; round < 12; round++) {
        pthread_barrier_wait(&b[0]);
        usleep(20);
        seen += once; // UNSAFE!
    }
    for (int round = 0; round < 6; round++) {
        pthread_barrier_wait(&b[1]);
        usleep(20);
        seen += three_two; // UNSAFE!
        pthread_barrier_wait(&b[1]);
    }
    for (int round = 0; round < 5; round++) {
        pthread_barrier_wait(&b[2]);
        usleep(20);
        seen += shifted; // UNSAFE!
        pthread_barrier_wait(&b[2]);
    }
    pthread_barrier_wait(&b[2]);
    for (int round = 0; round < 5; round++) {
        pthread_barrier_wait(&b[3]);
        seen += behind;
        pthread_barrier_wait(&b[3]);
    }
    usleep(20);
    seen += behind; // UNSAFE!
    for (int round = 0; round < 5; round++) {
        pthread_barrier_wait(&b[4]);
        usleep(20);
        same = round + 1; // UNSAFE!
        pthread_barrier_wait(&b[4]);
    }
    for (int round = 0; round < 9; round++) {
        pthread_barrier_wait(&b[5]);
        usleep(20);
        seen += ahead; // UNSAFE!
    }
    for (int round = 0; round < 5; round++) {
        usleep(20);
        seen += late; // UNSAFE!
        pthread_barrier_wait(&b[6]);
        pthread_barrier_wait(&b[6]);
    }
    once = seen;
    return 0;
}

int main(void) {
    pthread_t x, y;
    for (int i = 0; i < 7; i++)
        pthread_barrier_init(&b[i], 0, 2);
    pthread_create(&x, 0, writer, 0);
    pthread_create(&y, 0, reader, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
