// ARGS: --parameterized --entries vote,count
// Any number of voters: each vote is counted as cast and as one of three kinds, in one section.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
int yes, no, abstained, cast;

void vote(void) {
    int mind = __VERIFIER_nondet_int();
    pthread_mutex_lock(&box);
    cast += 1;
    switch (mind) {
    case 0: no++; break;
    case 1: yes++; break;
    default: abstained++; break;
    }
    pthread_mutex_unlock(&box);
}

void count(void) {
    pthread_mutex_lock(&box);
    int counted = yes + no + abstained;
    int all = cast;
    int majority = yes > no;
    int margin = yes - no;
    pthread_mutex_unlock(&box);
    assert(counted == all); // SAFE
    if (majority)
        assert(margin > 0); // SAFE
    pthread_mutex_lock(&box);
    __goblint_check(cast == all); // UNSAFE!
    __goblint_check(yes <= cast); // SAFE
    pthread_mutex_unlock(&box);
}
