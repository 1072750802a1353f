// ARGS: --properties data-race
// As numbered_threads.c, but each thread finds its number, or where its part begins and ends, where its argument leads.
#include <pthread.h>

#define WORKERS 20
#define EACH 25

int numbers[WORKERS]; // SAFE
struct part {
    int from, to;
};
int results[WORKERS];      // SAFE
int data[WORKERS * EACH];  // SAFE

void *by_number(void *given) {
    int number = *(int *)given;
    results[number] = number;
    return 0;
}

void *by_part(void *given) {
    struct part *part = given;
    for (int i = part->from; i < part->to; i++)
        data[i] += i;
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    struct part parts[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, by_number, &numbers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < WORKERS; i++) {
        parts[i].from = i * EACH;
        parts[i].to = i * EACH + EACH;
        pthread_create(&threads[i], 0, by_part, &parts[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
