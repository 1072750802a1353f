// Philosophers take the fork with the lower number first and count what they eat.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SEATS 3
#define MEALS 2

struct fork {
    pthread_mutex_t lock;
    int holder; // -1: it lies on the table
    int uses;
};
static struct fork forks[SEATS];
static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static int meals;

struct seat {
    int number, eaten;
    pthread_t thread;
};
static struct seat seats[SEATS];

static void take(struct fork *fork, int who) {
    pthread_mutex_lock(&fork->lock);
    assert(fork->holder == -1); // SAFE
    fork->holder = who;
    fork->uses++;
}

static void put_back(struct fork *fork) {
    assert(fork->holder >= 0); // SAFE
    fork->holder = -1;
    pthread_mutex_unlock(&fork->lock);
}

static void *philosopher(void *arg) {
    struct seat *seat = arg;
    int left = seat->number, right = (seat->number + 1) % SEATS;
    int low = left < right ? left : right, high = left < right ? right : left;
    assert(low < high); // SAFE
    assert(high < SEATS); // SAFE
    for (int i = 0; i < MEALS; i++) {
        take(&forks[low], seat->number);
        take(&forks[high], seat->number);
        pthread_mutex_lock(&counter);
        meals++;
        pthread_mutex_unlock(&counter);
        seat->eaten++;
        put_back(&forks[high]);
        put_back(&forks[low]);
    }
    assert(seat->eaten == MEALS); // SAFE
    return NULL;
}

int main(void) {
    for (int i = 0; i < SEATS; i++) {
        pthread_mutex_init(&forks[i].lock, NULL);
        forks[i].holder = -1;
    }
    for (int i = 0; i < SEATS; i++) {
        seats[i].number = i;
        if (pthread_create(&seats[i].thread, NULL, philosopher, &seats[i]) != 0) {
            perror("pthread_create");
            exit(1);
        }
    }
    for (int i = 0; i < SEATS; i++)
        pthread_join(seats[i].thread, NULL);
    assert(meals == SEATS * MEALS); // SAFE
    for (int i = 0; i < SEATS; i++)
        assert(forks[i].holder == -1); // SAFE
    return 0;
}
