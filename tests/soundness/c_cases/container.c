#include <stddef.h>
struct in {int a; int b;}; struct out {int x; struct in i; int y;};
int main(void){ struct out o={1,{2,3},4}; struct in *p=&o.i; struct out *q=(struct out*)((char*)p-offsetof(struct out,i)); q->y=9; q->x++;
__goblint_check(o.y==4);
__goblint_check(o.y==9);
__goblint_check(o.x==1);
long off=(char*)&o.y-(char*)&o;
__goblint_check(off==8);
__goblint_check(off==12);
return 0;}
