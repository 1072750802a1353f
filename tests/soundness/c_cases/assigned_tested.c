int e; int f(int x){ if (x>2) return -1; if (x>1) return 0; return x; }
int main(void){ int i; for(i=0;i<4;i++){ int r=f(i); e=r; if(r<0){
__goblint_check(i==0);
} else if (r) {
__goblint_check(i==2);
} else {
__goblint_check(i==0);
} unsigned char u = f(i); if (u > 200) {
__goblint_check(u==1);
} } 
__goblint_check(e==0);
return 0;}
