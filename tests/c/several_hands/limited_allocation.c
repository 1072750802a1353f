// ARGS: --properties assertion
// Allocations under a limit that is not known: what was asked for was given or refused.
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);

int limit, used, rejected, asked;
pthread_mutex_t lk;

void *alloc(void *arg)
{
  int n = 1 + __VERIFIER_nondet_uint() % 9;
  pthread_mutex_lock(&lk);
  asked += n;
  if (used + n <= limit)
    used += n;
  else
    rejected += n;
  pthread_mutex_unlock(&lk);
  pthread_exit(0);
}

void *check(void *arg)
{
  pthread_mutex_lock(&lk);
  assert(used <= limit); // SAFE
  assert(used + rejected == asked); // SAFE
  assert(asked >= used); // SAFE
  pthread_mutex_unlock(&lk);
  return 0;
}

int main(void)
{
  pthread_t t1, t2, t3;
  limit = 1 + __VERIFIER_nondet_uint() % 99;
  pthread_mutex_init(&lk, 0);
  pthread_create(&t1, 0, alloc, 0);
  pthread_create(&t2, 0, alloc, 0);
  pthread_create(&t3, 0, check, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  assert(asked < 19); // SAFE
  assert(asked >= 2); // SAFE
  assert(used + rejected == asked); // SAFE
  assert(rejected == 0); // UNSAFE!
  pthread_mutex_destroy(&lk);
  return 0;
}
