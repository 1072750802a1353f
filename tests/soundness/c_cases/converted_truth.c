short s = -1; int b = 0;
int main(void) { 
__goblint_check((unsigned)(b<0) + s <= 4294967294L);
short c = s;
__goblint_check((unsigned)(b<0) + c <= 4294967294L);
__goblint_check((unsigned)(b<1) + c <= 4294967294L);
struct { int h : 1; } v; v.h = b < 1;
__goblint_check(v.h == 1);
return 0; }
