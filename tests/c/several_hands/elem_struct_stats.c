// ARGS: --properties assertion,array-bounds,data-race
// Statistics of each thread in a structure of its own, merged by main at the end.
#include <assert.h>
#include <pthread.h>

#define NTHREADS 3
#define OPS 20
struct tstat { int ok, failed, total; } st[NTHREADS]; // SAFE
extern int __VERIFIER_nondet_int(void);

void *thread_main(void *p) {
    struct tstat *s = p;
    for (int i = 0; i < OPS; i++) {
        if (__VERIFIER_nondet_int())
            s->ok++;
        else
            s->failed++;
        s->total++;
        assert(s->ok + s->failed == s->total); // SAFE
    }
    assert(s->total == OPS); // SAFE
    return 0;
}

int main(void) {
    pthread_t id[NTHREADS];
    int ok = 0, failed = 0;
    for (int i = 0; i < NTHREADS; i++)
        pthread_create(&id[i], 0, thread_main, &st[i]);
    for (int i = 0; i < NTHREADS; i++) {
        pthread_join(id[i], 0);
        assert(st[i].total == OPS); // SAFE
        ok += st[i].ok;
        failed += st[i].failed;
    }
    assert(ok + failed == NTHREADS * OPS); // SAFE
    assert(ok >= 0); // SAFE
    assert(failed <= NTHREADS * OPS); // SAFE
    assert(failed == 0); // UNSAFE!
    return 0;
}
