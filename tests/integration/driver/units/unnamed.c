/* Parameters that the definition does not name. */
int unnamed(int a, int, char) { return a; }
int only(int) { return 1; }
