// Statement expressions, typeof, __auto_type, `a ?: b`, case ranges, _Generic, computed gotos.
#include <assert.h>
#include <pthread.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int highest, calls;
static int weights[8] = {[1 ... 3] = 5, [6] = 2};

static int next(void)
{
    return ({ int before = calls; calls = before + 1; before; });
}

static int kind(int c)
{
    switch (c) {
    case 'a' ... 'z':
        return 1;
    case 0 ... 9:
        return 2;
    default:
        return 0;
    }
}

static int jump(int which)
{
    static void *const labels[] = {&&first, &&second};
    goto *labels[which & 1];
first:
    return 1;
second:
    return 2;
}

static void *raise(void *unused)
{
    pthread_mutex_lock(&lock);
    highest = MAX(highest, 3);
    assert(highest == 3);                    // SAFE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int input = __VERIFIER_nondet_int();

    assert(next() == 0);                     // SAFE
    assert((next() ?: 7) == 1);              // SAFE
    assert((0 ?: 7) == 7);                   // SAFE
    assert(calls == 2);                      // SAFE
    assert(kind('q') == 1);                  // SAFE
    assert(kind(9) == 2 && kind(10) == 0);   // SAFE
    assert(weights[2] == 5 && weights[4] == 0 && weights[6] == 2); // SAFE
    assert(_Generic(input, long: 1, int: 2, default: 3) == 2);     // SAFE
    assert(MAX(input, 5) >= 5);              // SAFE
    assert(MAX(input, 5) >= input);          // SAFE
    assert(jump(input) >= 1);                // SAFE
    assert(jump(1) == 2);                    // UNKNOWN (any of the labels is taken to be meant)
    pthread_create(&thread, 0, raise, 0);
    assert(highest == 0);                    // UNSAFE!
    return 0;
}
