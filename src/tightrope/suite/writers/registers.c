/* --- trap */
/* Nothing may access the pages of the registers, so that each access is a fault. The handler gives a read its answer,
   lets that one instruction pass, and then takes what was written. */
#if defined(__linux__) && defined(__x86_64__)
enum { TIGHTROPE_STEP = 0x100, TIGHTROPE_PAGE = 4096, TIGHTROPE_LOW = 0x10000 };
/* what the kernel saves of the processor, by its place */
enum { TIGHTROPE_PC = 16, TIGHTROPE_FLAGS = 17, TIGHTROPE_FAULT = 19, TIGHTROPE_ADDRESS = 22 };
struct tightrope_action { /* of a signal; the unit may hide the declarations of the library */
    void (*handler)(int signal, void *information, unsigned long *context);
    unsigned long mask[16];
    int flags;
    void (*restorer)(void);
};
int tightrope_sigaction(int signal, const struct tightrope_action *, struct tightrope_action *) __asm__("sigaction");
void *tightrope_mmap(void *at, unsigned long size, int rights, int flags, int file, long offset) __asm__("mmap");
int tightrope_mprotect(void *at, unsigned long size, int rights) __asm__("mprotect");

struct tightrope_instruction {
    unsigned opcode, prefix;
    unsigned size; /* how many bytes it moves; 0: not known */
    const unsigned char *operands;
};

static struct { /* the access that is being made */
    int number; /* of the register; -1: not one of them */
    int is_store;
    unsigned long address, moved_by, code;
    unsigned base;
} tightrope_access;

static struct tightrope_instruction tightrope_decode(const unsigned char *code)
{
    struct tightrope_instruction found = {0};
    unsigned is_short = 0;
    for (; *code == 0x66 || *code == 0xf0 || *code == 0xf2 || *code == 0xf3; code++) is_short |= *code == 0x66;
    if ((*code & 0xf0) == 0x40) found.prefix = *code++;
    found.opcode = *code++;
    if (found.opcode == 0x0f) found.opcode = 0xf00u | *code++;
    found.operands = code;
    found.size = found.prefix & 8 ? 8 : is_short ? 2 : 4;
    if (found.opcode == 0xfb6 || found.opcode == 0xfbe || (found.opcode < 0x100 && found.opcode % 2 == 0))
        found.size = 1;
    if (found.opcode == 0xfb7 || found.opcode == 0xfbf) found.size = 2;
    if (found.opcode > 0xf00 && found.opcode < 0xf80) found.size = 0;
    return found;
}

static int tightrope_only_stores(unsigned opcode)
{
    static const unsigned stores[] = {0x88, 0x89, 0xc6, 0xc7, 0xf11, 0xf29, 0xf7e, 0xf7f, 0xfd6};
    for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++)
        if (stores[i] == opcode) return 1;
    return 0;
}

static int tightrope_find_register(unsigned long address, unsigned size)
{
    for (int number = 0; number < TIGHTROPE_REGISTERS; number++)
        if (tightrope_registers[number].address == address && tightrope_registers[number].size == size) return number;
    for (int number = 0; number < TIGHTROPE_REGISTERS; number++)
        if (address - tightrope_registers[number].address < tightrope_registers[number].size) return number;
    return -1;
}

static unsigned long tightrope_page(unsigned long address) { return address & -(unsigned long)TIGHTROPE_PAGE; }

/* Whether one of the first registers is on this page. */
static int tightrope_has_page(unsigned long page, int count)
{
    for (int number = 0; number < count; number++)
        if (tightrope_page(tightrope_registers[number].address) == page) return 1;
    return 0;
}
/* --- low */
/* Where memory starts, nothing can be mapped: the instruction accesses other memory in its place. */
static unsigned long tightrope_elsewhere, tightrope_scratch;

static void tightrope_move_in_code(unsigned long *state, unsigned at)
{
    const unsigned char *code = (const unsigned char *)state[TIGHTROPE_PC];
    unsigned char *copy = (unsigned char *)tightrope_scratch;
    unsigned address = 0;
    for (unsigned i = 0; i < 15; i++) copy[i] = code[i];
    for (unsigned i = 0; i < 4; i++) address |= (unsigned)copy[at + i] << 8 * i;
    address += (unsigned)tightrope_elsewhere;
    for (unsigned i = 0; i < 4; i++) copy[at + i] = (unsigned char)(address >> 8 * i);
    tightrope_access.code = state[TIGHTROPE_PC];
    state[TIGHTROPE_PC] = tightrope_scratch;
}

static void tightrope_allow(unsigned long *state, struct tightrope_instruction one)
{
    static const unsigned char places[] = {13, 14, 12, 11, 15, 10, 9, 8, 0, 1, 2, 3, 4, 5, 6, 7}; /* rax, rcx ... */
    const unsigned char *at = one.operands;
    unsigned has_index = (at[0] & 7) == 4, base = has_index ? at[1] & 7u : at[0] & 7u;
    unsigned target = (at[0] >> 3 & 7) + (one.prefix >> 2 & 1) * 8;
    int fills_target = one.opcode == 0x8b ? one.size > 2 : one.opcode >= 0xfb6 && one.opcode <= 0xfbf;
    if (tightrope_access.address >= TIGHTROPE_LOW) {
        tightrope_mprotect((void *)tightrope_page(tightrope_access.address), TIGHTROPE_PAGE, 3);
        return;
    }
    tightrope_access.moved_by = tightrope_elsewhere;
    if (at[0] >> 6 == 0 && base == 5) { /* the address is part of the instruction */
        tightrope_move_in_code(state, (unsigned)(at - (const unsigned char *)state[TIGHTROPE_PC]) + 1 + has_index);
        return;
    }
    base += (one.prefix & 1) * 8;
    state[places[base]] += tightrope_elsewhere;
    tightrope_access.base = fills_target && target == base ? 0 : places[base] + 1u; /* 0: nothing is left to restore */
}

static void tightrope_forbid(unsigned long *state)
{
    if (tightrope_access.address >= TIGHTROPE_LOW)
        tightrope_mprotect((void *)tightrope_page(tightrope_access.address), TIGHTROPE_PAGE, 0);
    else if (tightrope_access.code != 0)
        state[TIGHTROPE_PC] += tightrope_access.code - tightrope_scratch;
    else if (tightrope_access.base != 0)
        state[tightrope_access.base - 1] -= tightrope_elsewhere;
}

static int tightrope_make_room(void)
{
    unsigned long at = (unsigned long)tightrope_mmap(NULL, 2 * TIGHTROPE_LOW, 3, 0x62, -1, 0);
    tightrope_scratch = (unsigned long)tightrope_mmap(NULL, TIGHTROPE_PAGE, 7, 0x62, -1, 0);
    tightrope_elsewhere = (at + TIGHTROPE_LOW - 1) & -(unsigned long)TIGHTROPE_LOW;
    return at + 1 != 0 && tightrope_scratch + 1 != 0;
}
/* --- high */
static void tightrope_allow(unsigned long *state, struct tightrope_instruction one)
{
    (void)state, (void)one;
    tightrope_mprotect((void *)tightrope_page(tightrope_access.address), TIGHTROPE_PAGE, 3);
}

static void tightrope_forbid(unsigned long *state)
{
    (void)state;
    tightrope_mprotect((void *)tightrope_page(tightrope_access.address), TIGHTROPE_PAGE, 0);
}

static int tightrope_make_room(void) { return 1; }
/* --- trap */
static void tightrope_on_access(int signal, void *information, unsigned long *context)
{
    unsigned long *state = context + 5, address = state[TIGHTROPE_ADDRESS];
    struct tightrope_instruction one = tightrope_decode((const unsigned char *)state[TIGHTROPE_PC]);
    int number = tightrope_find_register(address, one.size);
    (void)information;
    if (number < 0 && (address < TIGHTROPE_LOW || !tightrope_has_page(tightrope_page(address), TIGHTROPE_REGISTERS))) {
        /* any other fault: let it happen again */
        static const struct tightrope_action usual;
        tightrope_sigaction(signal, &usual, NULL);
        return;
    }
    __builtin_memset(&tightrope_access, 0, sizeof tightrope_access);
    tightrope_access.address = address;
    tightrope_access.number = number;
    tightrope_access.is_store = state[TIGHTROPE_FAULT] >> 1 & 1;
    tightrope_allow(state, one);
    if (number < 0) {
        tightrope_failures++;
        printf("# a register is accessed that the tests do not know, at 0x%lx\n", address);
    } else if (!tightrope_only_stores(one.opcode)) {
        unsigned long at = tightrope_registers[number].address + tightrope_access.moved_by;
        unsigned long long value = tightrope_read_register(number);
        __builtin_memcpy((void *)at, &value, tightrope_registers[number].size);
    }
    state[TIGHTROPE_FLAGS] |= TIGHTROPE_STEP;
}

static void tightrope_after_access(int signal, void *information, unsigned long *context)
{
    (void)signal, (void)information;
    context[5 + TIGHTROPE_FLAGS] &= ~(unsigned long)TIGHTROPE_STEP;
    if (tightrope_access.is_store && tightrope_access.number >= 0) {
        unsigned long at = tightrope_registers[tightrope_access.number].address + tightrope_access.moved_by;
        unsigned long long value = 0;
        __builtin_memcpy(&value, (void *)at, tightrope_registers[tightrope_access.number].size);
        tightrope_write_register(tightrope_access.number, value);
    }
    tightrope_forbid(context + 5);
}

/* Returns why there can be no registers; NULL if there are. */
static const char *tightrope_connect(void)
{
    static struct tightrope_action access, after;
    if (access.handler == NULL && !tightrope_make_room()) return "there is no memory for the registers";
    for (int number = 0; number < TIGHTROPE_REGISTERS && access.handler == NULL; number++) {
        unsigned long page = tightrope_page(tightrope_registers[number].address);
        if (page < TIGHTROPE_LOW || tightrope_has_page(page, number)) continue;
        if (tightrope_mmap((void *)page, TIGHTROPE_PAGE, 0, 0x100022, -1, 0) != (void *)page)
            return "other memory is at the addresses of the registers";
    }
    access.handler = tightrope_on_access, after.handler = tightrope_after_access;
    access.flags = after.flags = 4; /* SA_SIGINFO */
    return tightrope_sigaction(11, &access, NULL) + tightrope_sigaction(5, &after, NULL) == 0 ? NULL : "no signals";
}
#else
static const char *tightrope_connect(void) { return "registers need Linux on x86-64"; }
#endif
