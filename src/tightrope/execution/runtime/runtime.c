/* The runtime as one file, so that the probes are inlined into each other. */
#define _GNU_SOURCE
#include "nodes.c"
#include "simplify.c"
#include "ends.c"
#include "shadow.c"
#include "objects.c"
#include "origins.c"
#include "probes.c"
#include "serve.c"
