int f(int k){ int r=0; for(int i=0;i<5;i++){ switch(i+k){ case 1: continue; case 3: r+=10; break; case 4: return r+1000; default: r++; } r+=100; } return r; }
int main(void){
__goblint_check(f(0)==1000);
__goblint_check(f(0)==1312);
__goblint_check(f(5)==0);
__goblint_check(f(2)==1);
int n=7,c=0; switch(n%4){ case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while((n-=4)>0); }
__goblint_check(c==7);
__goblint_check(c==8);
enum {P=1,Q} e=Q; switch(e){ case P: c=1; break; case Q: c=2; break; }
__goblint_check(c==1);
long w=1L<<33; switch(w){ case 0: c=5; break; default: c=6; }
__goblint_check(c==5);
switch((char)200){ case 200: c=1; break; case -56: c=2; break; }
__goblint_check(c==1);
switch(3u){ case -1: c=9; break; case 3: c=10; }
__goblint_check(c==9);
return 0;}
