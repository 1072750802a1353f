// Items on the heap in a list that is made once; each has its own lock, its stock and what is reserved of it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    int number;
    pthread_mutex_t lock;
    int stock, reserved;
    struct item *next;
};
static struct item *items;

static struct item *find(int number) {
    for (struct item *item = items; item != NULL; item = item->next)
        if (item->number == number)
            return item;
    return NULL;
}

static int reserve(int number, int count) {
    struct item *item = find(number);
    if (item == NULL || count <= 0)
        return 0;
    int done = 0;
    pthread_mutex_lock(&item->lock);
    if (item->stock >= count && count <= 10) {
        item->stock -= count;
        item->reserved += count;
        done = count;
    }
    assert(item->stock >= 0); // SAFE
    assert(item->reserved >= 0); // SAFE
    pthread_mutex_unlock(&item->lock);
    return done;
}

static void give_back(int number, int count) {
    struct item *item = find(number);
    if (item == NULL)
        return;
    pthread_mutex_lock(&item->lock);
    if (count <= item->reserved) {
        item->reserved -= count;
        item->stock += count;
    }
    assert(item->reserved >= 0); // SAFE
    pthread_mutex_unlock(&item->lock);
}

static void *customer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        int number = rand() % 3;
        int got = reserve(number, 1 + rand() % 3);
        assert(got >= 0 && got <= 10); // SAFE
        if (got > 0 && rand() % 2)
            give_back(number, got);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct item *item = malloc(sizeof *item);
        if (item == NULL) {
            perror("malloc");
            return 1;
        }
        item->number = i;
        item->stock = 5;
        item->reserved = 0;
        pthread_mutex_init(&item->lock, NULL);
        item->next = items;
        items = item;
    }
    pthread_t customers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&customers[i], NULL, customer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(customers[i], NULL);
    while (items != NULL) {
        struct item *item = items;
        items = item->next;
        assert(item->stock >= 0); // SAFE
        assert(item->stock <= 5); // SAFE
        assert(item->stock + item->reserved == 5); // UNKNOWN (relations of members of a few objects)
        pthread_mutex_destroy(&item->lock);
        free(item);
    }
    return 0;
}
