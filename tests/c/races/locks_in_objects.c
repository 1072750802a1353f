// ARGS: --properties data-race
// Each of many objects has a lock of its own: no two threads have the one that is beside what they access.
#include <pthread.h>
#include <stdlib.h>

#define ACCOUNTS 20

struct account {
    pthread_mutex_t mutex;
    long balance, visits;
    pthread_rwlock_t names;
    int name;
};

struct account table[ACCOUNTS]; // SAFE

struct node {
    struct node *next;
    int users;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

struct node *head;
pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

pthread_mutex_t stripes[ACCOUNTS];
int striped[ACCOUNTS]; // SAFE

static void enter(struct account *account) {
    pthread_mutex_lock(&account->mutex);
}

static void leave(struct account *account) {
    pthread_mutex_unlock(&account->mutex);
}

static void deposit(int number, int amount) {
    struct account *account = &table[number];
    account->visits++; // UNSAFE!
    enter(account);
    account->balance = account->balance + amount;
    leave(account);
}

static void transfer(int from, int to) {
    int lower = from < to ? from : to, upper = from < to ? to : from;
    pthread_mutex_lock(&table[lower].mutex);
    pthread_mutex_lock(&table[upper].mutex);
    table[lower].balance -= 1;
    table[upper].balance += 1;
    pthread_mutex_unlock(&table[upper].mutex);
    pthread_mutex_unlock(&table[lower].mutex);
}

static int name_of(struct account *account) {
    pthread_rwlock_rdlock(&account->names);
    int name = account->name;
    pthread_rwlock_unlock(&account->names);
    return name;
}

static void rename_to(struct account *account, int name) {
    if (pthread_rwlock_trywrlock(&account->names) == 0) {
        account->name = name;
        pthread_rwlock_unlock(&account->names);
    }
}

static void use(struct node *node) {
    pthread_mutex_lock(&node->mutex);
    while (node->users > 3) {
        pthread_cond_wait(&node->changed, &node->mutex);
    }
    node->users++;
    pthread_mutex_unlock(&node->mutex);
    pthread_mutex_lock(&node->mutex);
    node->users--;
    pthread_cond_signal(&node->changed);
    pthread_mutex_unlock(&node->mutex);
}

static void *worker(void *argument) {
    long first = (long)argument;
    for (int i = 0; i < 20; i++) {
        int number = (first + i) % ACCOUNTS;
        if (number < 0) {
            continue;
        }
        deposit(number, 1);
        if (number > 0) {
            transfer(number, number - 1);
        }
        rename_to(&table[number], name_of(&table[number]) + 1);
        pthread_mutex_lock(&stripes[number]);
        striped[number] = i;
        pthread_mutex_unlock(&stripes[number]);
    }
    pthread_mutex_lock(&list);
    struct node *node = head;
    pthread_mutex_unlock(&list);
    for (; node != 0; node = node->next) {
        use(node);
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&table[i].mutex, 0);
        pthread_rwlock_init(&table[i].names, 0);
        pthread_mutex_init(&stripes[i], 0);
    }
    for (int i = 0; i < 10; i++) {
        struct node *node = malloc(sizeof *node); // SAFE
        if (node == 0) {
            return 1;
        }
        node->users = 0;
        pthread_mutex_init(&node->mutex, 0);
        pthread_cond_init(&node->changed, 0);
        node->next = head;
        head = node;
    }
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], 0, worker, (void *)(long)i);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
