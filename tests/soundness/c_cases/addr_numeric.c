#include <stdint.h>
int a; char pad; char b; long arr[3];
int main(void){ uintptr_t pa=(uintptr_t)&pad, pb=(uintptr_t)&b;
__goblint_check(pa < pb);
__goblint_check(pa > pb);
__goblint_check(pb % 64 == 0);
__goblint_check((pb & 63) == 0);
unsigned h = (unsigned)pb;
__goblint_check(h < 100000);
__goblint_check(pb - pa == 128);
__goblint_check(pb >> 20 == 0);
int t[4]={0}; t[(pb>>3)&3]=1;
__goblint_check(t[0]==1);
__goblint_check((uintptr_t)&arr[1] - (uintptr_t)&arr[0] == 8);
return 0;}
