#include <stdlib.h>
struct w { char n[4]; int v; };
int seen;
static struct w ws[2] = {{"b", 2}, {"a", 1}};
static int cmp(const void *a, const void *b) { if (ws[0].v == 1) seen = 1; return ((const struct w *)a)->v - ((const struct w *)b)->v; }
int main(void) { qsort(ws, 2, sizeof ws[0], cmp);
__goblint_check(ws[0].v == 2);
__goblint_check(ws[0].v == 1);
__goblint_check(ws[0].n[0] == 'b');
  struct w *hp = malloc(2 * sizeof *hp); if (!hp) return 0;
  hp[0] = ws[0]; hp[1] = ws[1]; struct w *e = hp + 1; e->v = 50;
__goblint_check(hp[1].v == 50);
__goblint_check(hp[1].v == 2);
__goblint_check(hp[0].v == 50);
 e--; e->v = 60;
__goblint_check(hp[0].v == 60);
__goblint_check(hp[1].v == 60);
__goblint_check(hp[0].v == 1);
 return 0; }
