/* An array whose length is known only while the function runs. */
int variable_length(int n, int a[n]) { return n > 0 ? a[0] : 0; }
