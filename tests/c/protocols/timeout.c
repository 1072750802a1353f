// A request waits for an answer with a limit; an answer that comes too late must not be taken.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int waiting, answer, late;

static void *peer(void *unused) {
    pthread_mutex_lock(&lock);
    if (waiting) {
        answer = 9;
        pthread_cond_signal(&answered);
    } else {
        late = 1;
    }
    assert(answer == 0 || waiting == 1); // SAFE (needs refinement)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, peer, 0);
    pthread_mutex_lock(&lock);
    waiting = 1;
    for (int tick = 0; tick < 3 && answer == 0; tick++)
        pthread_cond_wait(&answered, &lock);
    waiting = 0;
    int mine = answer;
    assert(waiting == 0); // SAFE
    pthread_mutex_unlock(&lock);
    assert(mine == 0 || mine == 9); // SAFE
    assert(mine <= 9); // SAFE
    assert(late == 0); // UNSAFE!
    return 0;
}
