__thread int t = 3; int *tp(void){ return &t; }
int main(void){ *tp()=4; t++;
__goblint_check(t==3);
__goblint_check(t==5);
return 0;}
