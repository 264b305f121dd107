// function: null
struct large { char pad[6000]; int last; };
struct small { int first, second; };

int null(int k)
{
    struct large *large = 0;
    struct small *small = 0, *made = k > 100 ? &(struct small){1, 2} : 0;
    int *cells = 0;
    switch (k) {
    case 1: return small->first;  // expect outcome(null pointer dereferenced): crashed
    case 2: return small->second;  // expect outcome(null pointer dereferenced): crashed
    case 3: large->last = 1; return 1;  // expect outcome(null pointer dereferenced): crashed
    case 4: return cells[k * 5000];  // expect outcome(null pointer dereferenced): crashed
    case 5: return made->second;  // expect outcome(null pointer dereferenced): crashed
    case 6: *small = (struct small){0}; return 2;  // expect outcome(null pointer dereferenced): crashed
    case 7: return &small->second == 0;
    }
    return made ? made->second : 0;
}
