int run(int x){ int r=0; switch(x) default: r=5; return r; }
int run2(unsigned char x){ switch(x){ case 2: return 1; case 256: return 2; case -1: return 3; case 255: return 4; } return 0; }
int run3(long x){ switch(x){ case 4294967296: return 1; case 0: return 2; } return 3; }
int run4(int x){ int r=0; switch(x) { r=100; case 1: { r+=1; case 2: r+=2; } if (r>2) { default: r+=10; } else { case 7: r+=7; break; } r+=1000; } return r; }
int main(void){
__goblint_check(run(1)==0);
__goblint_check(run2(2)==0);
__goblint_check(run2(255)==3);
__goblint_check(run2(0)==2);
__goblint_check(run3(4294967296)==2);
__goblint_check(run3(0)==1);
__goblint_check(run4(1)==1013);
__goblint_check(run4(2)==9);
__goblint_check(run4(3)==1010);
__goblint_check(run4(7)==7);
return 0;}
