// ARGS: --properties assertion,data-race
// Three counters whose sum is fixed; the checker looks at any moment when the lock is free.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
#include <pthread.h>

int a = 10, b = 0, c = 0;
pthread_mutex_t mut = PTHREAD_MUTEX_INITIALIZER;

void *t1(void *arg) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&mut);
    if (a > 0) { a--; b++; }
    pthread_mutex_unlock(&mut);
  }
  return 0;
}
void *t2(void *arg) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&mut);
    if (b > 0) { b--; c++; }
    pthread_mutex_unlock(&mut);
  }
  return 0;
}
void *t3(void *arg) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&mut);
    int n = c;
    c = 0;
    a = a + n;
    pthread_mutex_unlock(&mut);
  }
  return 0;
}
int main(void) {
  pthread_t id1, id2, id3;
  pthread_create(&id1, 0, t1, 0);
  pthread_create(&id2, 0, t2, 0);
  pthread_create(&id3, 0, t3, 0);
  pthread_mutex_lock(&mut);
  assert(a + b + c == 10); // SAFE
  assert(a >= 0 && b >= 0 && c >= 0); // SAFE
  assert(b <= 10); // SAFE
  pthread_mutex_unlock(&mut);
  pthread_join(id1, 0);
  pthread_join(id2, 0);
  pthread_join(id3, 0);
  assert(a + b + c == 10); // SAFE
  return 0;
}
