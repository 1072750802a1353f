// ARGS: --properties assertion
// Requests in slots under one lock. A slot is free, waiting or answered: one that waits has a question, one that is
// answered has an answer, a free one has neither.
#include <assert.h>
#include <pthread.h>

#define SLOTS 3
#define QUESTIONS 3

enum state { FREE, WAITING, ANSWERED };

static struct slot {
    enum state state;
    int question, answer;
} slots[SLOTS];

static int waiting;
static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static int ask(int question) {
    int i;
    pthread_mutex_lock(&m);
    for (;;) {
        for (i = 0; i < SLOTS; i++)
            if (slots[i].state == FREE)
                break;
        if (i < SLOTS)
            break;
        pthread_cond_wait(&changed, &m);
    }
    struct slot *s = &slots[i];
    assert(s->state == FREE); // UNKNOWN (what members of one element say)
    assert(s->question == 0 && s->answer == 0); // UNKNOWN (what members of one element say)
    s->question = question;
    s->state = WAITING;
    waiting++;
    assert(waiting <= SLOTS); // UNKNOWN (a count of elements that are in use)
    pthread_cond_broadcast(&changed);
    while (s->state != ANSWERED)
        pthread_cond_wait(&changed, &m);
    assert(s->answer != 0); // SAFE
    assert(s->question == question); // UNKNOWN (what members of one element say)
    int answer = s->answer;
    s->state = FREE;
    s->question = s->answer = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return answer;
}

static void *asker(void *arg) {
    for (int q = 1; q <= QUESTIONS; q++) {
        int a = ask(q);
        assert(a > 0); // SAFE
        assert(a == q * 2); // UNKNOWN (what another thread answers)
    }
    return arg;
}

static void *oracle(void *arg) {
    pthread_mutex_lock(&m);
    for (;;) {
        while (waiting == 0 && !stop)
            pthread_cond_wait(&changed, &m);
        if (waiting == 0)
            break;
        assert(waiting > 0); // SAFE
        for (int i = 0; i < SLOTS; i++) {
            if (slots[i].state == WAITING) {
                assert(slots[i].question > 0); // UNKNOWN (what members of one element say)
                assert(slots[i].answer == 0); // UNKNOWN (what members of one element say)
                slots[i].answer = slots[i].question * 2;
                slots[i].state = ANSWERED;
                waiting--;
            } else if (slots[i].state == ANSWERED) {
                assert(slots[i].answer != 0); // SAFE
            }
        }
        assert(waiting == 0); // UNKNOWN (a count of elements that are in use)
        pthread_cond_broadcast(&changed);
    }
    assert(stop); // UNKNOWN (a count of elements that are in use)
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a[2], o;
    pthread_create(&o, NULL, oracle, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&a[i], NULL, asker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(a[i], NULL);
    pthread_mutex_lock(&m);
    assert(waiting == 0); // UNKNOWN (a count of elements that are in use)
    stop = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    pthread_join(o, NULL);
    for (int i = 0; i < SLOTS; i++)
        assert(slots[i].state == FREE); // UNKNOWN (a count of elements that are in use)
    assert(slots[0].question != 0); // UNSAFE!
    return 0;
}
