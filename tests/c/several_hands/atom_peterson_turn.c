// ARGS: --properties assertion
// Peterson's lock guards two variables that are equal whenever nobody is inside.
#include <assert.h>
#include <pthread.h>
int flag0, flag1, turn;
int x, y;
void *proc0(void *u) {
  for (int i = 0; i < 4; i++) {
    flag0 = 1;
    turn = 1;
    while (flag1 == 1 && turn == 1) {}
    assert(x == y); // SAFE
    x = x + 1;
    y = y + 1;
    flag0 = 0;
  }
  return 0;
}
void *proc1(void *u) {
  for (int i = 0; i < 4; i++) {
    flag1 = 1;
    turn = 0;
    while (flag0 == 1 && turn == 0) {}
    assert(x == y); // SAFE
    x = x + 2;
    assert(x - y == 2); // SAFE
    y = y + 2;
    flag1 = 0;
  }
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, proc0, 0);
  pthread_create(&b, 0, proc1, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == y); // SAFE
  assert(x == 12); // SAFE
  return 0;
}
