// ARGS: --properties assertion
// A compare-and-swap out of an atomic section; increments that are lock free are not lost.
#include <assert.h>
#include <pthread.h>

volatile unsigned value;
unsigned total;

int cas(volatile unsigned *p, unsigned e, unsigned u) {
  int r;
  __VERIFIER_atomic_begin();
  if (*p == e) { *p = u; r = 1; } else { r = 0; }
  __VERIFIER_atomic_end();
  return r;
}

void *inc(void *a) {
  unsigned v, vn;
  do {
    v = value;
    if (v == 255)
      return 0;
    vn = v + 1;
  } while (!cas(&value, v, vn));
  assert(value > 0); // SAFE
  assert(vn > v); // SAFE
  assert(value >= vn); // SAFE
  return 0;
}

int main() {
  pthread_t t;
  for (int n = 0; n < 20; n++) {
    pthread_create(&t, 0, inc, 0);
    assert(value <= 255); // SAFE
  }
}
