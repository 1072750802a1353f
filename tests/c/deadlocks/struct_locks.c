// ARGS: --properties deadlock
// Locks inside of objects, reached through pointers.
#include <pthread.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

struct account mine, yours, savings;

void pay(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->mutex); // SAFE
    pthread_mutex_lock(&to->mutex); // UNSAFE!
    from->balance = from->balance - 1;
    to->balance = to->balance + 1;
    pthread_mutex_unlock(&to->mutex);
    pthread_mutex_unlock(&from->mutex);
}

void save(struct account *from) {
    pthread_mutex_lock(&from->mutex); // SAFE
    pthread_mutex_lock(&savings.mutex); // SAFE
    savings.balance = savings.balance + 1;
    pthread_mutex_unlock(&savings.mutex);
    pthread_mutex_unlock(&from->mutex);
}

void *worker(void *arg) {
    pay(&yours, &mine);
    save(&yours);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pay(&mine, &yours);
    save(&mine);
    pthread_join(thread, 0);
    return 0;
}
