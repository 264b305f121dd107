/* Definitions as before 1989. */
int old(a, b, c) int a; char b; float c; { return a + b + (c > 1); }
int old_array(a, n) int a[3]; int n; { return a[2] + n; }
int empty() { return 3; }
