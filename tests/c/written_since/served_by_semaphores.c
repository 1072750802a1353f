// Requests and answers, handed over by two semaphores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t req, rep;
static int op, arg, answer, served;
static void *server(void *u) {
    for (int i = 0; i < 10; i++) {
        sem_wait(&req);
        assert(op == 1 || op == 2); // SAFE
        assert(served == i); // SAFE
        if (op == 1) answer = arg + 1;
        else answer = arg * 2;
        served++;
        sem_post(&rep);
    }
    return 0;
}
static int call(int o, int a) {
    op = o; arg = a;
    sem_post(&req);
    sem_wait(&rep);
    return answer;
}
static void *client(void *u) {
    for (int i = 0; i < 5; i++) {
        int r = call(1, i);
        assert(r == i + 1); // SAFE
        r = call(2, i);
        assert(r == 2 * i); // SAFE
        assert(served == 2 * (i + 1)); // SAFE
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    sem_init(&req, 0, 0); sem_init(&rep, 0, 0);
    pthread_create(&a, 0, server, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(served == 10); // SAFE
    return 0;
}
