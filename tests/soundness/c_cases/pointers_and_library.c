#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <stdio.h>
int x = 1, y = 2; int *p = &x; int *q = &x; int **pp = &p; long big; 
struct t { int *a; int *b; } tt = { &x, &y };
union u { int *p; long l; } un;
int *ret(int k) { static int s; return k ? &s : &y; }
struct w { char n[4]; int v; };
static int cmp(const void *a, const void *b) { return ((const struct w *)a)->v - ((const struct w *)b)->v; }
volatile int argc;
int main(void) {

  *(int **)((char *)&tt + 8) = &x;
  *tt.b = 5;
__goblint_check(x == 1);
__goblint_check(x == 5);
__goblint_check(y == 2);
  *(uintptr_t *)&q = (uintptr_t)&y;
  *q = 9;
__goblint_check(y == 2);
__goblint_check(y == 9);
__goblint_check(x == 9);
  *pp = &y; *p = 11;
__goblint_check(y == 9);
__goblint_check(y == 11);
  un.l = (long)&x; *un.p = 12;
__goblint_check(x == 12);
__goblint_check(x == 5);
  memcpy(&p, &q, sizeof p); *p = 13;
__goblint_check(y == 13);
__goblint_check(y == 11);
  int *r = ret(argc > 5); *r = 14;
__goblint_check(y == 14);
__goblint_check(y == 13);
  struct t copy = tt, *ct = &copy; ct->a = &y; *copy.a = 15;
__goblint_check(y == 15);
__goblint_check(y == 14);
  struct w ws[2] = {{"b", 2}, {"a", 1}};
  qsort(ws, 2, sizeof ws[0], cmp);
__goblint_check(ws[0].v == 2);
__goblint_check(ws[0].v == 1);
__goblint_check(ws[0].n[0] == 'b');
__goblint_check(ws[0].n[0] == 'a');
  struct w *hp = malloc(2 * sizeof *hp); if (!hp) return 0;
  hp[0] = ws[0]; hp[1] = ws[1]; struct w *e = hp + 1; e->v = 50;
__goblint_check(hp[1].v == 50);
__goblint_check(hp[1].v == 2);
__goblint_check(hp[0].v == 50);
  memset(hp, 0, 2 * sizeof *hp);
__goblint_check(hp[1].v == 50);
__goblint_check(hp[1].v == 0);
  int n = 0; sscanf("42", "%d", &n);
__goblint_check(n == 0);
__goblint_check(n == 42);
  int cnt = 0; fprintf(stderr, "ab%n\n", &cnt);
__goblint_check(cnt == 0);
__goblint_check(cnt == 2);
  char *dup = strdup("hey"); if (!dup) return 0; dup[0] = 'k';
__goblint_check(dup[0] == 'h');
__goblint_check(dup[1] == 'e');
  char *end; long v = strtol("17z", &end, 10);
__goblint_check(v == 0);
__goblint_check(*end == 'z');
__goblint_check(*end == '1');
  char line[6]; snprintf(line, sizeof line, "%d", 77);
__goblint_check(line[0] == '7');
__goblint_check(line[0] == 0);
__goblint_check(strlen(line) == 2);
__goblint_check(strlen(line) == 5);
  unsigned char bytes[4]; int word = 0x01020304; memcpy(bytes, &word, 4);
__goblint_check(bytes[0] == 4);
__goblint_check(bytes[0] == 0);
  memset(&word, 0xff, 2);
__goblint_check(word == -1);
__goblint_check(word == 0x01020304);
  memset(&word, -1, 4);
__goblint_check(word == -1);
  unsigned short us; memset(&us, 1, 2);
__goblint_check(us == 257);
__goblint_check(us == 1);
  _Bool flag; memset(&flag, 1, 1);
__goblint_check(flag == 1);
__goblint_check(flag == 0);
  struct { unsigned a : 3; int b; } bf; memset(&bf, 0xff, sizeof bf);
__goblint_check(bf.a == 7);
__goblint_check(bf.a == 0);
__goblint_check(bf.b == -1);
  return 0; }
