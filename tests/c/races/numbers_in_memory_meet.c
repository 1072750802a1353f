// ARGS: --properties data-race
// As numbers_in_memory.c, but two threads find one number, one part is too long, or a number is written too late.
#include <pthread.h>

#define WORKERS 20
#define EACH 25

int numbers[WORKERS]; // SAFE
int late[WORKERS];
struct part {
    int from, to;
};
int results[WORKERS];
int more[WORKERS];
int data[WORKERS * EACH + 1];

void *by_number(void *given) {
    int number = *(int *)given;
    results[number] = number; // UNSAFE!
    return 0;
}

void *by_late_number(void *given) {
    int number = *(int *)given; // UNSAFE!
    more[number] = number; // UNSAFE!
    return 0;
}

void *by_part(void *given) {
    struct part *part = given;
    for (int i = part->from; i < part->to; i++)
        data[i] += i; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    struct part parts[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        if (i == 7)
            numbers[i] = 3;
        pthread_create(&threads[i], 0, by_number, &numbers[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_create(&threads[i], 0, by_late_number, &late[i]);
        late[i] = i; // UNSAFE!
    }
    for (int i = 0; i < WORKERS; i++) {
        parts[i].from = i * EACH;
        parts[i].to = i * EACH + EACH + 1;
        pthread_create(&threads[i], 0, by_part, &parts[i]);
    }
    return 0;
}
