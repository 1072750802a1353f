enum e {A,B,C};
int main(void){ enum e x = -1;
__goblint_check(x < 0);
__goblint_check(x > 0);
__goblint_check((int)x == -1);
enum e y = A; y--; 
__goblint_check(y < B);
return 0;}
