// A chat room: members join unless it is full or closed, say something, and go; main closes it at some time.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SEATS 2
#define PEOPLE 3
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int inside, said, turned_away, came;
static bool is_closed;

static void *person(void *unused) {
    pthread_mutex_lock(&door);
    if (is_closed || inside == SEATS) {
        turned_away++;
        assert(is_closed || inside > 0); // SAFE
        pthread_mutex_unlock(&door);
        return 0;
    }
    inside++;
    came++;
    assert(inside <= SEATS); // SAFE
    pthread_mutex_unlock(&door);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&door);
        assert(inside >= 1); // SAFE
        said++;
        assert(said <= 2 * came); // SAFE
        pthread_mutex_unlock(&door);
    }
    pthread_mutex_lock(&door);
    inside--;
    assert(inside >= 0); // SAFE
    __goblint_check(inside == 0); // UNSAFE!
    pthread_mutex_unlock(&door);
    return 0;
}

int main(void) {
    pthread_t p[PEOPLE];
    for (int i = 0; i < PEOPLE; i++)
        pthread_create(&p[i], 0, person, 0);
    pthread_mutex_lock(&door);
    is_closed = true;
    assert(inside >= 0 && inside <= SEATS); // SAFE
    int then = came;
    pthread_mutex_unlock(&door);
    for (int i = 0; i < PEOPLE; i++)
        pthread_join(p[i], 0);
    assert(inside == 0); // SAFE
    assert(came + turned_away == PEOPLE); // SAFE
    assert(said == 2 * came); // SAFE
    assert(came == then); // SAFE
    __goblint_check(turned_away == 0); // UNSAFE!
    return 0;
}
