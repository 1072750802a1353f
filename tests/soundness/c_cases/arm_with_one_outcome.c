static const unsigned char codes[4] = {1, 200, 30, 255};
unsigned long g2 = 121; unsigned char g1=63; int a=7;
int main(void) {
short v3 = 5; int v2;
v2 = (((g1) - (short)(a)) ? (((v3) || (codes[g2 & 3]))) : (v3));
__goblint_check(v2==1);
return 0;}
