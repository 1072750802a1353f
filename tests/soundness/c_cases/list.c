#include <stdlib.h>
struct n {int v; struct n *next;};
int main(void){ struct n *h=0; for(int i=0;i<3;i++){ struct n *c=malloc(sizeof *c); c->v=i; c->next=h; h=c; } int s=0; while(h){ s+=h->v; struct n *d=h; h=h->next; free(d);} 
__goblint_check(s==0);
__goblint_check(s==3);
return 0;}
