struct p {int x,y;};
struct p f(int c){ struct p a={1,2}, b={3,4}; if(c) return a; return b; }
int v;
int main(void){ int i; for(i=0;i<2;i++){ struct p r = f(i);
__goblint_check(r.x==1);
__goblint_check(r.x==3);
} return 0;}
