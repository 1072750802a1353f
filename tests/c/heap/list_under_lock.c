// A list of heap objects under a lock: its nodes are one summary, the list itself is not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

struct list {
    pthread_mutex_t lock;
    struct node *head;
    int limit;
};

static struct list *list;

void *producer(void *unused)
{
    struct node *node = calloc(1, sizeof(*node));

    if (node == NULL)
        return NULL;
    node->value = 3;
    pthread_mutex_lock(&list->lock);
    node->next = list->head;
    list->head = node;
    assert(list->limit == 5); // SAFE
    pthread_mutex_unlock(&list->lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    int i;

    list = calloc(1, sizeof(*list));
    if (list == NULL)
        return 1;
    pthread_mutex_init(&list->lock, NULL);
    list->limit = 5;
    for (i = 0; i < 3; i++)
        pthread_create(&id, NULL, producer, NULL);
    pthread_mutex_lock(&list->lock);
    if (list->head != NULL) {
        assert(list->head->value >= 0 && list->head->value <= 3); // SAFE
        assert(list->head->next == NULL); // UNSAFE!
    }
    pthread_mutex_unlock(&list->lock);
    return 0;
}
