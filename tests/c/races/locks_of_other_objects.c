// ARGS: --properties data-race
// A lock in the same kind of object, beside another place of it, or had a moment ago, keeps nobody out.
#include <pthread.h>
#include <unistd.h>

#define MANY 20

struct item {
    pthread_mutex_t mutex, other;
    int value;
};

struct gate {
    pthread_rwlock_t lock;
    int value;
};

struct item moved[MANY], mixed[MANY], given_back[MANY], tried[MANY], sometimes[MANY], copied[MANY];
struct item exact[MANY]; // SAFE
struct gate gates[MANY];
pthread_mutex_t stripes[MANY];
int striped[MANY];

static void give_back(struct item *item) {
    pthread_mutex_unlock(&item->mutex);
}

static int visit(int number, int is_second) {
    struct item *item = &moved[number];
    pthread_mutex_lock(&item->mutex);
    item = &moved[number + 1];
    item->value = number; // UNSAFE!
    item = &moved[number];
    item->value = number; // UNSAFE!
    pthread_mutex_unlock(&item->mutex);

    item = &mixed[number];
    if (is_second) {
        pthread_mutex_lock(&item->mutex);
        item->value = number; // UNSAFE!
        pthread_mutex_unlock(&item->mutex);
    } else {
        pthread_mutex_lock(&item->other);
        item->value = number; // UNSAFE!
        pthread_mutex_unlock(&item->other);
    }

    item = &given_back[number];
    pthread_mutex_lock(&item->mutex);
    give_back(item);
    item->value = number; // UNSAFE!

    item = &tried[number];
    if (is_second) {
        int result = pthread_mutex_trylock(&item->mutex);
        item->value = number; // UNSAFE!
        if (result == 0) {
            pthread_mutex_unlock(&item->mutex);
        }
    } else {
        pthread_mutex_lock(&item->mutex);
        usleep(100);
        item->value = number; // UNSAFE!
        pthread_mutex_unlock(&item->mutex);
    }

    item = &sometimes[number];
    if (is_second) {
        pthread_mutex_lock(&item->mutex);
    }
    item->value = number; // UNSAFE!
    if (is_second) {
        pthread_mutex_unlock(&item->mutex);
    }

    pthread_rwlock_rdlock(&gates[number].lock);
    gates[number].value = number; // UNSAFE!
    usleep(100);
    pthread_rwlock_unlock(&gates[number].lock);

    pthread_mutex_lock(&stripes[is_second ? number : number + 1]);
    striped[number] = number; // UNSAFE!
    pthread_mutex_unlock(&stripes[is_second ? number : number + 1]);

    item = &copied[number];
    if (is_second) {
        struct item local = copied[number]; // UNSAFE!
        return local.value;
    }
    pthread_mutex_lock(&item->mutex);
    item->value = number; // UNSAFE!
    pthread_mutex_unlock(&item->mutex);

    pthread_mutex_lock(&exact[number].mutex);
    exact[number].value = number;
    pthread_mutex_unlock(&exact[number].mutex);
    return 0;
}

static void *first(void *argument) {
    for (int i = 0; i < MANY - 1; i++) {
        visit(i, 0);
    }
    return argument;
}

static void *second(void *argument) {
    for (int i = 0; i < MANY - 1; i++) {
        visit(i, 1);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < MANY; i++) {
        pthread_rwlock_init(&gates[i].lock, 0);
    }
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, first, 0);
    return 0;
}
