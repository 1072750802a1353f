int f(int a){ int r=0; { int a=5; r+=a; } for(int a=0;a<2;a++) r+=a; r+=a*100; return r; } int g(int x){ if(x){ int x=3; x++; return x; } return x; }
typedef int T; int h(int T){ return T+1; } struct f {int f;}; 
int main(void){ struct f f1={2}; 
__goblint_check(f(1)==6);
__goblint_check(f(1)==106);
__goblint_check(g(1)==1);
__goblint_check(h(1)==1);
__goblint_check(f1.f==0);
int i=10; for(int i=0;i<3;i++){ int i=20; i++; } 
__goblint_check(i==3);
enum {A=2}; { enum {A=5}; i=A; } i+=A; 
__goblint_check(i==4);
struct q {char c;}; { struct q {int i; int j;}; i=sizeof(struct q); } i-=sizeof(struct q);
__goblint_check(i==0);
__goblint_check(i==7);
return 0;}
